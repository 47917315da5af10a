package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// example is a text that is kept as an example.
type example struct {
	style  report.Style
	render func(io.Writer, report.Style) error
}

func text(r finding.Report, s report.Style) example {
	return example{s, func(w io.Writer, s report.Style) error { return report.Text(w, r, s) }}
}

func examples() map[string]example {
	plain, verbose := report.Style{Width: 80}, report.Style{Width: 80, Verbose: true}
	all, drift, broken := reports(), drifted(), unbelieved()
	e := map[string]example{
		"clean": text(all["clean"], plain), "nothing": text(all["nothing"], plain),
		"steering": text(all["steering"], plain), "steering-verbose": text(all["steering"], verbose),
		"everything": text(all["everything"], plain), "everything-verbose": text(all["everything"], verbose),
		"everything-quiet": text(all["everything"], report.Style{Width: 80, Quiet: true}),
		"drift":            text(drift, plain), "escalation": text(escalated(), plain), "escalation-verbose": text(escalated(), verbose),
		"undetermined": text(unread(), plain), "refused": text(refused(), plain), "invalid-lock": text(broken, plain),
	}
	for name, i := range inspections() {
		e["inspection-"+name] = example{plain, func(w io.Writer, s report.Style) error { return report.Inspection(w, i, s) }}
	}
	e["inspection-full"] = example{plain, func(w io.Writer, s report.Style) error { return report.Inspection(w, inspected(), s) }}
	e["inspection-full-verbose"] = example{verbose, e["inspection-full"].render}
	e["inspection-quiet"] = example{report.Style{Width: 80, Quiet: true}, e["inspection-full"].render}
	e["sealing"] = example{plain, func(w io.Writer, s report.Style) error { return report.Sealing(w, sealing(), s) }}
	e["sealing-quiet"] = example{report.Style{Width: 80, Quiet: true}, e["sealing"].render}
	e["sealing-nothing"] = example{plain, func(w io.Writer, s report.Style) error { return report.Sealing(w, finding.NewSealing(nil), s) }}
	e["list"] = example{plain, func(w io.Writer, s report.Style) error { return report.List(w, listing(), s) }}
	e["list-verbose"] = example{verbose, e["list"].render}
	e["env"] = example{plain, func(w io.Writer, s report.Style) error { return report.Environments(w, environments(), s) }}
	e["env-nothing"] = example{plain, func(w io.Writer, s report.Style) error { return report.Environments(w, finding.Environments{}, s) }}
	e["lock"] = example{plain, func(w io.Writer, s report.Style) error { return report.Lock(w, lockView(), s) }}
	e["lock-launch-only"] = example{plain, func(w io.Writer, s report.Style) error { return report.Lock(w, launchOnly(), s) }}
	e["rules"] = example{plain, func(w io.Writer, s report.Style) error { return report.Rules(w, rules(), s) }}
	e["rule"] = example{plain, func(w io.Writer, s report.Style) error { return report.Rule(w, rules()[0], s) }}
	for name, v := range plugins() {
		e["plugin-"+name] = example{plain, func(w io.Writer, s report.Style) error { return report.Plugin(w, v, s) }}
	}
	e["plugin-quiet"] = example{report.Style{Width: 80, Quiet: true}, e["plugin-rejected"].render}
	return e
}

func rendering(t testing.TB, e example) string {
	t.Helper()
	var b bytes.Buffer
	if err := e.render(&b, e.style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGoldens(t *testing.T) {
	for name, e := range examples() {
		t.Run(name, func(t *testing.T) {
			got := rendering(t, e)
			golden(t, filepath.Join("text", name+".txt"), got)
		})
	}
}

// unbreakable is what stays whole however narrow the terminal: paths and
// commands, which people copy.
var unbreakable = regexp.MustCompile(`\S*[/.]\S{40,}|^next: `)

func TestWidth(t *testing.T) {
	for name, e := range examples() {
		for _, width := range []int{60, 80, 100, 200} {
			e.style.Width = width
			for _, line := range strings.Split(rendering(t, e), "\n") {
				if n := utf8.RuneCountInString(line); n > min(width, 100) && width >= 80 && !unbreakable.MatchString(line) {
					t.Errorf("%s: %d characters in %d columns: %q", name, n, width, line)
				}
				if line != strings.TrimRight(line, " ") {
					t.Errorf("%s: blanks end %q", name, line)
				}
			}
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]+m")

// TestColor: colours only repeat what words say, and without them nothing of
// them is left.
func TestColor(t *testing.T) {
	painted := 0
	for name, e := range examples() {
		plain := rendering(t, e)
		if strings.ContainsRune(plain, '\x1b') {
			t.Errorf("%s: an escape without colours\n%q", name, plain)
		}
		e.style.Color = true
		colored := rendering(t, e)
		if colored != plain {
			painted++
		}
		if diff := cmp.Diff(plain, sgr.ReplaceAllString(colored, "")); diff != "" {
			t.Errorf("%s: colours change the text (-plain +coloured):\n%s", name, diff)
		}
	}
	if painted < 10 {
		t.Errorf("only %d texts have colours", painted)
	}
}

func TestTextWriterFails(t *testing.T) {
	for name, e := range examples() {
		if err := e.render(full{}, e.style); err == nil {
			t.Errorf("%s: a writer that fails is not noticed", name)
		}
	}
}

// hostile are texts that a server or a pull request may put anywhere.
var hostile = map[string]string{
	"controls":    "\x00\a\b\x1b[2J\x1b]0;owned\a\r\x7f\u009b31m",
	"new lines":   "name\n::error file=x::owned\r\n  ::set-output name=a::b",
	"a command":   "::error::owned",
	"old command": "see ##[error]owned and ###[add-mask]x",
	"bidi":        "\u202eexe.gpj\u2066\u200f\u2069",
	"hidden":      "\u200b\ufeff\u2060\U000e0041\u00ad",
	"separators":  "a\u2028::error::b\u2029::error::c\u0085::error::d\v::error::e\f::error::f",
	"broken":      "\xff\xfe\xc0\xaf",
	"long word":   strings.Repeat("::error::", 400),
	"long words":  strings.Repeat(" ::warning::x ", 400),
	"blanks":      "\u00a0\u2003\u3000 :: \t",
	"nothing":     "",
}

func TestHostileText(t *testing.T) {
	for name, words := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, page := range speakingPages(words) {
				harmless(t, rendering(t, page))
			}
		})
	}
}

// FuzzText: whatever stands in a name or a message, a text holds only
// characters that show, our own colours, and no command for a runner.
func FuzzText(f *testing.F) {
	const enough = 400 // bytes: what matters happens where lines break
	for _, words := range hostile {
		words = words[:min(len(words), enough)]
		f.Add(words, 80, false)
		f.Add(words, 40, true)
	}
	f.Fuzz(func(t *testing.T, words string, width int, color bool) {
		words = words[:min(len(words), enough)]
		for _, page := range speakingPages(words) {
			page.style.Width, page.style.Color = width, color
			harmless(t, rendering(t, page))
		}
	})
}

// speakingPages are pages on which foreign text stands wherever it can.
func speakingPages(words string) []example {
	r := speaking(words)
	l := listing()
	l.Servers[0].Name, l.Servers[0].Command, l.Servers[0].Location = words, []string{words}, finding.At(words+"x", 1, 1)
	l.Unread = append(l.Unread, r.Findings...)
	i := inspected()
	i.Name, i.Server.Name, i.Server.Version, i.Command, i.Asked = words, words, words, []string{words, words}, []string{words}
	i.Tools[0].Name, i.Tools[0].Description, i.Tools[0].Inferences[0].Evidence[0].Quote = words, words, words
	i.Protocol = words
	i.Unread = []finding.Unread{{List: "tools", Reason: words}}
	i.Failure = &finding.Failure{Reason: "died", Detail: words, LastWords: words, Hint: words}
	s := sealing()
	for n := range s.Sealed {
		s.Sealed[n].Name, s.Sealed[n].File, s.Sealed[n].Reason = words, words, words
	}
	env := environments()
	env.Servers[0].Name, env.Servers[0].Environment.Withheld = words, []string{words}
	env.Servers[0].Environment.Given[0].Name = words
	v := lockView()
	v.File, v.Places, v.Variables = words, []string{words}, []string{words}
	return []example{
		text(r, report.Style{Verbose: true}), text(r, report.Style{}),
		{report.Style{Verbose: true}, func(w io.Writer, s report.Style) error { return report.List(w, l, s) }},
		{report.Style{Verbose: true}, func(w io.Writer, s report.Style) error { return report.Inspection(w, i, s) }},
		{report.Style{}, func(w io.Writer, st report.Style) error { return report.Sealing(w, s, st) }},
		{report.Style{}, func(w io.Writer, s report.Style) error { return report.Environments(w, env, s) }},
		{report.Style{}, func(w io.Writer, s report.Style) error { return report.Lock(w, v, s) }},
		{report.Style{}, func(w io.Writer, _ report.Style) error { return report.JSON(w, r) }},
	}
}

func harmless(t *testing.T, page string) {
	t.Helper()
	words := sgr.ReplaceAllString(page, "")
	if !utf8.ValidString(words) {
		t.Fatalf("no UTF-8: %q", words)
	}
	for _, r := range words {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%U does not show in\n%q", r, words)
		}
	}
	for line := range strings.Lines(words) {
		// what GitHub's runner takes for a command
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Fatalf("a command for a runner: %q in\n%s", line, words)
		}
	}
}

// TestClaimsAreBounded: one text of a server does not push the rest off the
// screen.
func TestClaimsAreBounded(t *testing.T) {
	i := inspected()
	i.Tools[0].Description = strings.Repeat("words without end ", 10000)
	i.Failure = &finding.Failure{Reason: "died", LastWords: strings.Repeat(strings.Repeat("x", 1000)+"\n", 1000)}
	var b bytes.Buffer
	if err := report.Inspection(&b, i, report.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(b.String(), "\n"); lines > 80 {
		t.Errorf("%d lines", lines)
	}
}

func TestJSONIsJSON(t *testing.T) {
	for name, words := range hostile {
		if !utf8.ValidString(words) {
			continue // JSON has no way to say it
		}
		var b bytes.Buffer
		if err := report.JSON(&b, map[string]string{"text": words}); err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back["text"] != words {
			t.Errorf("%s: read back as %q (%v)", name, back["text"], err)
		}
	}
}

func drifted() finding.Report {
	t := target("memory", 4, finding.Drifted)
	words := about(t, "surface/description-changed-minor", finding.Warning, `tool "search_nodes", description: the words changed`)
	words.Change = &finding.ChangeItem{Event: "description-changed", Level: finding.Warning, List: "tools", Item: "search_nodes", Path: "description",
		Old: "Search for nodes in the knowledge graph", New: "Search for nodes in the knowledge graph by name or by observation, and return them with their relations"}
	gone := about(t, "surface/tool-removed", finding.Warning, `tool "read_graph" is gone`)
	gone.Change = &finding.ChangeItem{Event: "removed", Level: finding.Warning, List: "tools", Item: "read_graph"}
	t.Changes = []finding.ChangeItem{*words.Change, *gone.Change}
	r := sample(finding.Drift, 3, []finding.Target{t, target("filesystem", 5, finding.Verified)}, words, gone)
	r.Next = "toolwarrant seal memory   shows the difference and asks"
	return r
}

func escalated() finding.Report {
	t := target("playwright", 12, finding.Escalated)
	var list []finding.Finding
	for n := range 9 {
		f := about(t, "surface/power-added", finding.Error, fmt.Sprintf("tool \"run_code_%d\" is new and can do exec, because of its inputSchema.properties.code: \"code: JavaScript to run in the page\"", n))
		f.Evidence = []finding.Evidence{{Path: "inputSchema.properties.code", Signal: "a parameter that takes code", Quote: "code: JavaScript to run in the page"}}
		f.Change = &finding.ChangeItem{Event: "added", Level: finding.Error, List: "tools", Item: fmt.Sprintf("run_code_%d", n), Gained: []string{"exec"}}
		t.Changes = append(t.Changes, *f.Change)
		list = append(list, f)
	}
	launch := about(t, "launch/changed", finding.Error, `"playwright" is launched otherwise than its lock says: argv was "npx -y @playwright/mcp@0.0.41", is "npx -y @playwright/mcp@0.0.56"`)
	note := about(t, "surface/serializer-noise", finding.Note, "12 items are written another way, with the same meaning")
	r := sample(finding.Escalation, 4, []finding.Target{t}, append(append([]finding.Finding{launch}, list...), note)...)
	r.Next = "toolwarrant seal playwright   shows the difference and asks"
	return r
}

func unread() finding.Report {
	t := target("supabase", 7, finding.StatusUndetermined)
	t.Reason, t.Tools = "timeout: it did not answer initialize within 30s (at initialize)", 0
	f := about(t, "check/undetermined", finding.Error, `"supabase" could not be judged: `+t.Reason).As(finding.Undetermined)
	f.Hint = "--timeout 60s gives it longer; if it waits for a backend or a login it cannot be read here"
	r := sample(finding.Undetermined, 5, []finding.Target{t, target("notes", 3, finding.Verified)}, f)
	r.Next = "toolwarrant inspect --from packages/frontend/.vscode/mcp.json --server supabase   shows what stopped it"
	return r
}

func refused() finding.Report {
	stray, unasked := target("a-server-with-quite-a-long-name", 3, finding.StatusRefused), target("b", 4, finding.StatusRefused)
	stray.Reason, unasked.Reason = "not sealed", "its start is approved neither here nor by an anchor"
	first := about(stray, "launch/not-sealed", finding.Error, "it is declared, and no lock covers it: nothing was started").As(finding.Refused)
	second := about(unasked, "launch/not-approved", finding.Error, "nobody with a say approved its start: nothing was started").As(finding.Refused)
	r := sample(finding.Refused, 6, []finding.Target{stray, unasked}, first, second)
	r.Next = "toolwarrant seal b   shows the launch, starts it and asks"
	return r
}

func unbelieved() finding.Report {
	f := finding.New("lock/invalid", finding.Error, finding.At(".toolwarrant/servers/notes.lock.json", 21, 7),
		"the lock is not believed: a digest is not that of the members beside it")
	f.Hint = "git log -p -- .toolwarrant/servers/notes.lock.json shows who changed it"
	t := target("notes", 3, finding.StatusRefused)
	t.Reason = "not started: a lock here is not believed"
	return sample(finding.Escalation, 4, []finding.Target{t}, f)
}

func inspected() finding.Inspection {
	i := inspections()["read"]
	i.Command = []string{"npx", "-y", "@scope/server@1.2.3", "--root", "/srv/notes"}
	i.Dir = "neutral, not your project"
	i.Environment = finding.Environment{
		Given:    []finding.Variable{{Name: "PATH", Kind: "base"}, {Name: "API_TOKEN", Kind: "placeholder", Length: 24}, {Name: "MODE", Kind: "literal", Length: 4}},
		Withheld: []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"}, Others: 37, Exposed: 2,
	}
	i.Tools = append([]finding.ToolView{{
		Name: "run_command", Capabilities: []string{"exec", "fs.write"}, Notable: true, Description: "Runs a command in a shell.\nReturns what it printed.",
		Inferences: []finding.Inference{{Capability: "exec", Confidence: "high", Evidence: []finding.Evidence{
			{Path: "inputSchema.properties.command", Signal: "a parameter that takes a command", Quote: "command: Shell command to run"},
			{Path: "name", Signal: "a verb of running with a command as its object", Quote: "run_command"}}}},
	}, {
		Name: strings.Repeat("a_very_long_tool_name_", 3), Capabilities: []string{"exec", "fs.read", "fs.write", "net", "send", "service.write"}, Notable: true,
	}, {Name: "think", Capabilities: []string{"unknown"}}, {Name: "add", Capabilities: []string{"pure"}}}, i.Tools...)
	i.Sandbox.Survivors = 2
	return i
}

func sealing() finding.Sealing {
	at := finding.At(".mcp.json", 4, 5)
	change := finding.New("surface/power-added", finding.Error, at, `tool "run_command" is new and can do exec`)
	s := finding.NewSealing([]finding.Sealed{
		{Name: "memory", State: finding.SealWritten, Location: at, File: ".toolwarrant/servers/memory.lock.json", Surface: digest, Tools: 9},
		{Name: "filesystem", State: finding.SealSame, Location: at, File: ".toolwarrant/servers/filesystem.lock.json", Surface: digest, Tools: 1},
		{Name: "remote", State: finding.SealWritten, Location: at, File: ".toolwarrant/servers/remote.lock.json"},
		{Name: "notes", State: finding.SealDiffers, Location: at, Findings: []finding.Finding{change}, Next: "toolwarrant seal sha256:80b4f81797be --accept 9f02ab3c4d5e"},
		{Name: "stray", State: finding.SealRefused, Location: at, Reason: "its start was not approved: --yes approves it, a terminal asks"},
		{Name: "slow", State: finding.SealUnread, Location: at, Reason: "timeout: no answer within 15s", Inspection: &finding.Inspection{
			Failure: &finding.Failure{Reason: "timeout", Detail: "no answer within 15s", LastWords: "connecting to db.example\nretrying", Hint: "--timeout 60s gives it longer"}}},
	})
	s.ExitCode = 6
	return s
}

func listing() finding.Listing {
	bad := finding.New("check/undetermined", finding.Error, finding.At(".vscode/mcp.json", 3, 9), "a comma is missing")
	return finding.Listing{
		Schema: finding.ListSchema, Files: []string{".mcp.json", ".vscode/mcp.json"}, Unread: []finding.Finding{bad},
		Servers: []finding.Listed{
			{Name: "notes", State: "sealed", Pin: "exact", Launch: digest, Surface: digest, Location: finding.At(".mcp.json", 3, 5), Command: []string{"npx", "-y", "@scope/notes@1.2.3"},
				Clients: []finding.Client{{Name: "claude-code", Loads: true}, {Name: "cursor", Why: "it reads .cursor/mcp.json alone"}}},
			{Name: "a-server-with-quite-a-long-name", State: "launch-approved", Pin: "immutable", Launch: digest,
				Location: finding.At("packages/frontend/.vscode/mcp.json", 112, 13), Command: []string{"docker", "run", "-i", "registry.example/notes@sha256:00ff"}},
		},
	}
}

func environments() finding.Environments {
	return finding.Environments{Schema: finding.EnvironmentSchema, Servers: []finding.ServerEnvironment{
		{Name: "notes", Environment: inspected().Environment}, {Name: "quiet"}}}
}

func lockView() finding.LockView {
	i := inspected()
	return finding.LockView{Schema: finding.LockSchema, File: ".toolwarrant/servers/notes.lock.json", State: "approved", LaunchID: digest,
		Places: []string{".mcp.json#/mcpServers/notes"}, Variables: []string{"API_TOKEN"}, Inspection: &i}
}

func launchOnly() finding.LockView {
	v := lockView()
	v.State, v.Inspection = "launch-approved", &finding.Inspection{Name: "notes", Command: []string{"notes"}}
	return v
}

func rules() []finding.Explanation {
	return []finding.Explanation{
		{ID: "surface/power-added", Level: finding.Error, Outcome: "escalation", Title: "A tool was added that can do something dangerous",
			Why: "An update can add a tool that runs commands; every client offers it to the model at once.", Remedy: "Read the tool; seal again if it is wanted.",
			Bad: finding.Sample{Old: json.RawMessage(`{"tools": []}`), New: json.RawMessage(`{"tools": [{"name": "run"}]}`)}, Good: finding.Sample{Text: "none"}},
		{ID: "launch/duplicate-key", Level: finding.Error, Outcome: "escalation", Title: "A key stands twice",
			Bad: finding.Sample{File: ".mcp.json", Manifest: `{"a": 1, "a": 2}`}},
	}
}
