package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// recording is one file of shared/surfaces: what one release of a server
// listed.
type recording struct {
	file, version string
	tools         map[string]recordedTool
}

type recordedTool struct {
	Name        string
	Description any
	InputSchema any
}

// recordings reads every package that was recorded in several releases, oldest
// release first.
func recordings(t *testing.T) map[string][]recording {
	t.Helper()
	files, err := filepath.Glob(shared(t, "surfaces", "*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no recorded surfaces in a folder shared beside the repository")
	}
	out := map[string][]recording{}
	for _, file := range files {
		pkg, version := splitName(strings.TrimSuffix(filepath.Base(file), ".json"))
		out[pkg] = append(out[pkg], recording{file, version, readRecording(t, file)})
	}
	for pkg, list := range out {
		if slices.SortFunc(list, byVersion); len(list) < 2 {
			delete(out, pkg)
		}
	}
	return out
}

// shared is a path in the folder of collected data beside the repository.
func shared(t *testing.T, elements ...string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "shared"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no folder shared beside the repository")
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

// splitName cuts "@scope__name@1.2.3" at its last "@".
func splitName(name string) (pkg, version string) {
	i := strings.LastIndexByte(name, '@')
	return name[:i], name[i+1:]
}

func byVersion(a, b recording) int {
	x, y := strings.Split(a.version, "."), strings.Split(b.version, ".")
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return cmp.Compare(m, n)
		}
	}
	return cmp.Compare(len(x), len(y))
}

func readRecording(t *testing.T, file string) map[string]recordedTool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Lists map[string][]struct{ Tools []recordedTool }
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%s: %v", filepath.Base(file), err)
	}
	out := map[string]recordedTool{}
	for _, page := range r.Lists["tools/list"] {
		for _, tool := range page.Tools {
			out[tool.Name] = tool
		}
	}
	return out
}

// step is what became of the tools from one release to the next; a renamed one
// stands under its new name.
type step struct{ added, removed, renamed []string }

// compareSets finds the step by names alone, and takes for renamed what has
// exactly one partner on the other side with the same words and parameters. It
// shares no code with the program.
func compareSets(old, after map[string]recordedTool) step {
	gone, come := onlyIn(old, after), onlyIn(after, old)
	var s step
	for sign, names := range come {
		if len(names) == 1 && len(gone[sign]) == 1 {
			s.renamed = append(s.renamed, names[0])
			delete(gone, sign)
			continue
		}
		s.added = append(s.added, names...)
	}
	for _, names := range gone {
		s.removed = append(s.removed, names...)
	}
	return s.sorted()
}

// onlyIn groups the names that only a has by what a renaming leaves alone.
func onlyIn(a, b map[string]recordedTool) map[string][]string {
	out := map[string][]string{}
	for name, tool := range a {
		if _, ok := b[name]; !ok {
			sign, _ := json.Marshal([]any{tool.Description, plainSchema(tool.InputSchema)})
			out[string(sign)] = append(out[string(sign)], name)
		}
	}
	return out
}

func (s step) sorted() step {
	for _, list := range [][]string{s.added, s.removed, s.renamed} {
		slices.Sort(list)
	}
	return s
}

func (s step) String() string {
	return fmt.Sprintf("added %q, removed %q, renamed %q", s.added, s.removed, s.renamed)
}

// plainSchema takes from a JSON Schema what only tells which library wrote it.
// Names of parameters are no keywords.
func plainSchema(schema any) any {
	m, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	out := map[string]any{}
	for key, value := range m {
		list, isList := value.([]any)
		switch {
		case key == "$schema", key == "additionalProperties" && value == false, key == "required" && isList && len(list) == 0:
		case key == "properties", key == "$defs", key == "definitions":
			out[key] = eachMember(value)
		case isList:
			out[key] = eachElement(list)
		default:
			out[key] = plainSchema(value)
		}
	}
	return out
}

func eachMember(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for name, schema := range m {
		out[name] = plainSchema(schema)
	}
	return out
}

func eachElement(list []any) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = plainSchema(e)
	}
	return out
}

// told is what a JSON report says, as far as these tests look.
type told struct {
	Outcome  string
	ExitCode int
	Targets  []struct {
		Status  string
		Changes []struct{ Event, Level, List, Item string }
	}
	Findings []struct {
		Rule, Level string
		Known       bool
	}
}

func readReport(t *testing.T, text string) told {
	t.Helper()
	var r told
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("no JSON report: %v\n%s", err, text)
	}
	if len(r.Targets) != 1 {
		t.Fatalf("%d targets, want 1\n%s", len(r.Targets), text)
	}
	return r
}

func (r told) step() step {
	var s step
	for _, c := range r.Targets[0].Changes {
		if c.List != "tools" {
			continue
		}
		switch c.Event {
		case "added":
			s.added = append(s.added, c.Item)
		case "removed":
			s.removed = append(s.removed, c.Item)
		case "renamed":
			s.renamed = append(s.renamed, c.Item)
		}
	}
	return s.sorted()
}

// exit is the code that the findings imply: no recorded server is refused or
// unreadable.
func (r told) exit() int {
	code := 0
	for _, f := range r.Findings {
		if !f.Known {
			code = max(code, map[string]int{"error": exitEscalation, "warning": exitDrift}[f.Level])
		}
	}
	return code
}

// quiet are steps in which another library wrote the same declarations, and
// nobody changed a thing.
var quiet = map[string][2]string{
	"2025.9.25":  {"@modelcontextprotocol__server-memory", "2025.4.25"},
	"2025.11.25": {"@modelcontextprotocol__server-memory", "2025.9.25"},
}

// TestRecordedReleases plays the recorded releases of each package through one
// unchanged launch. The difference that the program tells must be the one that
// a comparison of sets finds, live and between locks.
func TestRecordedReleases(t *testing.T) {
	node, replay := needs(t, "node"), shared(t, "tools", "replay.js")
	steps, silent := 0, 0
	for pkg, list := range recordings(t) {
		steps += len(list) - 1
		for i := 1; i < len(list); i++ {
			if q, ok := quiet[list[i].version]; ok && q == [2]string{pkg, list[i-1].version} {
				silent++
			}
		}
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t, node, replay)
			p.seal(list[0])
			for i := 1; i < len(list); i++ {
				p.step(pkg, list[i-1], list[i])
			}
		})
	}
	if steps == 0 || silent != len(quiet) {
		t.Errorf("%d steps, of which %d are known to be silent, want %d", steps, silent, len(quiet))
	}
}

// player exchanges the recording behind one launch.
type player struct {
	scratch
	content string
}

func newPlayer(t *testing.T, node, replay string) player {
	p := player{scratch: newScratch(t, t.TempDir())}
	p.content = filepath.Join(p.home, "recording.json")
	argv, err := json.Marshal([]string{replay, p.content})
	if err != nil {
		t.Fatal(err)
	}
	command, err := json.Marshal(node)
	if err != nil {
		t.Fatal(err)
	}
	p.write(".mcp.json", fmt.Sprintf(`{"mcpServers": {"server": {"command": %s, "args": %s}}}`, command, argv))
	return p
}

func (p player) load(r recording) {
	p.t.Helper()
	data, err := os.ReadFile(r.file)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.content, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// seal records a release, and keeps a copy of its lock under its version.
func (p player) seal(r recording) {
	p.t.Helper()
	p.load(r)
	p.run(0, "seal", "server", "--yes", "--force")
	p.write(r.version+".lock.json", p.read(".toolwarrant/servers/server.lock.json"))
}

func (p player) step(pkg string, old, after recording) {
	p.t.Helper()
	p.load(after)
	want := compareSets(old.tools, after.tools)
	live := p.report("verify", "-o", "json")
	p.seal(after)
	offline := p.report("diff", "-o", "json", old.version+".lock.json", after.version+".lock.json")
	for how, r := range map[string]told{"verify": live, "diff": offline} {
		if got := r.step(); got.String() != want.String() {
			p.t.Errorf("%s → %s: %s tells\n%s, want\n%s", old.version, after.version, how, got, want)
		}
		if quiet[after.version] == [2]string{pkg, old.version} && r.ExitCode != exitClean {
			p.t.Errorf("%s → %s: %s exits %d, want 0: another library wrote the same", old.version, after.version, how, r.ExitCode)
		}
	}
}

// report runs a command that must end with the exit code that its report says
// and that its findings imply.
func (p player) report(args ...string) told {
	p.t.Helper()
	code, out, errs := p.try("toolwarrant", args...)
	r := readReport(p.t, out)
	if code != r.ExitCode || code != r.exit() {
		p.t.Errorf("%v exits %d, says %d, and its findings mean %d\n%s%s", args, code, r.ExitCode, r.exit(), out, errs)
	}
	return r
}
