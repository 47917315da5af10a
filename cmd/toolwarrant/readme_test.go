package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// moduleRoot is where README.md lies, seen from this package.
var moduleRoot = filepath.Join("..", "..")

// fence is one code block of README.md.
type fence struct{ language, text string }

func readme(t *testing.T) (string, []fence) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []fence
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(data), -1) {
		out = append(out, fence{m[1], m[2]})
	}
	return string(data), out
}

// TestReadmeCommands runs every command that README.md shows, in order, in a
// repository that declares one server. A comment may name the exit code; else it
// is 0.
func TestReadmeCommands(t *testing.T) {
	_, fences := readme(t)
	r := newReader(t)
	for _, f := range fences {
		switch f.language {
		case "sh":
			for line := range strings.Lines(f.text) {
				r.command(strings.TrimSpace(line))
			}
		case "console":
			r.picture(f.text)
		case "yaml": // TestWorkflows of the module's root reads it
		default:
			t.Errorf("a block in %q is checked by nobody: use sh or console", f.language)
		}
	}
	for _, want := range []string{"go run ./cmd/toolwarrant demo", "go test ./..."} {
		if !r.seen[want] {
			t.Errorf("README.md does not show %q", want)
		}
	}
	if r.commands < 8 || r.pictures == 0 {
		t.Errorf("only %d commands and %d pictures were found", r.commands, r.pictures)
	}
}

// reader does what a reader of README.md would do.
type reader struct {
	scratch
	seen               map[string]bool
	commands, pictures int
}

func newReader(t *testing.T) *reader {
	r := &reader{scratch: newScratch(t, t.TempDir()), seen: map[string]bool{}}
	r.write(".mcp.json", `{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-behaviour", "base"]}}}`)
	needs(t, "git")
	for _, args := range [][]string{
		{"init", "-q"}, {"config", "user.name", "Reader"}, {"config", "user.email", "reader@example.com"},
		{"add", "-A"}, {"commit", "-q", "-m", "one server"},
	} {
		if code, out, errs := r.try("git", args...); code != 0 {
			t.Fatalf("git %v exits %d\n%s%s", args, code, out, errs)
		}
	}
	return r
}

var exitComment = regexp.MustCompile(`#.*\bexit (\d)\b`)

func (r *reader) command(line string) {
	r.t.Helper()
	want := 0
	if m := exitComment.FindStringSubmatch(line); m != nil {
		want, _ = strconv.Atoi(m[1])
	}
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimSpace(line)
	words := strings.Fields(line)
	r.seen[line] = true
	r.commands++
	switch {
	case strings.HasPrefix(line, "go run ./cmd/toolwarrant "):
		r.run(want, words[3:]...)
	case strings.HasPrefix(line, "go test ./"): // would run this test, or for long
		if dir := strings.TrimSuffix(words[2], "/..."); !isDir(filepath.Join(moduleRoot, dir)) {
			r.t.Errorf("%s: there is no folder %s", line, dir)
		}
	case line == "go install ./cmd/toolwarrant":
		r.install()
	case words[0] == "toolwarrant":
		r.run(want, words[1:]...)
	case words[0] == "git":
		if code, out, errs := r.try("git", words[1:]...); code != want {
			r.t.Errorf("%s exits %d, want %d\n%s%s", line, code, want, out, errs)
		}
	default:
		r.t.Errorf("nobody knows how to run %q", line)
	}
}

// install builds the program from the module's root, with the caches of whoever
// runs the tests.
func (r *reader) install() {
	r.t.Helper()
	needs(r.t, "go")
	cmd := exec.CommandContext(r.t.Context(), "go", "install", "-buildvcs=false", "./cmd/toolwarrant")
	cmd.Dir, cmd.Env = moduleRoot, append(os.Environ(), "GOBIN="+r.t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Errorf("go install: %v\n%s", err, out)
	}
}

// picture wants a terminal picture to stand in what the demo prints, word for
// word.
func (r *reader) picture(text string) {
	r.t.Helper()
	r.pictures++
	if out := r.run(0, "demo"); !strings.Contains(out, text) {
		r.t.Errorf("the demo does not print\n%s\nbut\n%s", text, out)
	}
}

// TestReadmeSources: every file that README.md links to is there, and so is
// every test that it names beside one.
func TestReadmeSources(t *testing.T) {
	text, _ := readme(t)
	named := 0
	for line := range strings.Lines(text) {
		source := ""
		for _, m := range regexp.MustCompile("\\]\\(([^)#:]+)\\)|`(Test\\w+|Fuzz\\w+)`").FindAllStringSubmatch(line, -1) {
			if m[1] != "" {
				source = m[1]
				if _, err := os.Stat(filepath.Join(moduleRoot, filepath.FromSlash(source))); err != nil {
					t.Errorf("README.md links to %s, which is not there", source)
				}
				continue
			}
			named++
			data, err := os.ReadFile(filepath.Join(moduleRoot, filepath.FromSlash(source)))
			if err != nil || !strings.Contains(string(data), "\nfunc "+m[2]+"(") {
				t.Errorf("README.md names %s, which is not in %s", m[2], source)
			}
		}
	}
	if named == 0 {
		t.Error("README.md names no test")
	}
}

// TestReadmeExitCodes: the table of exit codes has each code once.
func TestReadmeExitCodes(t *testing.T) {
	text, _ := readme(t)
	told := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9, ]+) \|`).FindAllStringSubmatch(text, -1) {
		for _, code := range strings.Split(m[1], ", ") {
			told[code]++
		}
	}
	for _, code := range []int{exitClean, exitUnexpected, exitUsage, exitDrift, exitEscalation, exitUndetermined, exitRefused} {
		if told[strconv.Itoa(code)] != 1 {
			t.Errorf("exit code %d is told %d times", code, told[strconv.Itoa(code)])
		}
	}
	if len(told) != 7 {
		t.Errorf("%d codes are told: %v", len(told), told)
	}
}
