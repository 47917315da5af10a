package main

import (
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/toolwarrant/toolwarrant/internal/fakegit"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

var update = flag.Bool("update", false, "rewrite the expected files of scripts")

// sentinel stands in places where credentials stand. It must never come out.
const sentinel = "s3ntinel-Kq8wZr4Tn1Vb7Xd9Lp5"

// TestMain is also the programs that the tests start. They leave by
// syscall.Exit, because os.Exit waits a second under the race detector.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args, childRoles...); ok {
		syscall.Exit(code)
	}
	testscript.Main(m, map[string]func(){
		"toolwarrant": func() {
			// What these servers received is read from files that they write: where a
			// test does not ask for a profile, there is none.
			defaultSandbox = sandbox.None
			syscall.Exit(recorded(run))
		},
		"fakemcp":  func() { syscall.Exit(fakeServer()) },
		"measured": func() { syscall.Exit(measured()) },
	})
}

// recorded runs the program and keeps a copy of all that it prints, which is
// searched for the sentinel when the script is over.
func recorded(program func([]string) int) int {
	if code, ok := sandbox.Child(os.Args, childRoles...); ok {
		return code
	}
	log := os.Getenv("TEST_OUTPUT")
	if log == "" {
		return program(os.Args[1:])
	}
	_ = os.Unsetenv("TEST_OUTPUT")
	copies, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	var ends []*os.File
	for _, stream := range []**os.File{&os.Stdout, &os.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		real := *stream
		*stream = w
		ends = append(ends, w)
		wg.Go(func() { _, _ = io.Copy(io.MultiWriter(real, copies), r) })
	}
	code := program(os.Args[1:])
	for _, w := range ends {
		_ = w.Close()
	}
	wg.Wait()
	return code
}

// inputs may hold the sentinel: scripts plant it there.
var inputs = regexp.MustCompile(`(^|/)(\.mcp\.json|settings\.json|config\.json|log)$`)

// TestScripts runs every script. Whatever a script checks itself: in none of them
// does a server receive more than list methods, and the sentinel, which stands in
// the environment of each, comes out.
func TestScripts(t *testing.T) {
	t.Cleanup(func() { onlyLists(t) })
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			for _, name := range e.Vars {
				k, _, _ := strings.Cut(name, "=")
				if k == "CI" || strings.HasPrefix(k, "GITHUB_") || strings.HasPrefix(k, "XDG_") {
					e.Setenv(k, "")
				}
			}
			for _, dir := range []string{"home", "repo", "tmp"} {
				if err := os.MkdirAll(filepath.Join(e.WorkDir, dir), 0o755); err != nil {
					return err
				}
			}
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "home", ".cache"))
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, "tmp"))
			e.Setenv("TEST_OUTPUT", filepath.Join(e.WorkDir, "tmp", "output"))
			e.Setenv("SENTINEL", sentinel)
			e.Setenv("AWS_SECRET_ACCESS_KEY", sentinel)
			e.Setenv("CI", "")
			e.Setenv("NO_COLOR", "")
			e.Setenv("COLUMNS", "100")
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Defer(func() {
				for _, leak := range leaks(e.WorkDir) {
					t.Errorf("%s: %s", filepath.Base(e.WorkDir), leak)
				}
			})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "expand": expand, "nosecret": noSecret, "methods": methods, "mkcase": writeCase,
			"accept": accept, "setfrom": setFrom, "commit": commit, "unrevoke": unrevoke, "plain": plainOutput, "breaks": breaks, "same": same, "gone": gone, "tamper": tamper, "longname": longName, "mkplugin": makePlugin, "servearchives": serveArchives, "servegit": serveGit, "head": head, "lockfiles": lockFiles,
			"registry": registry, "publish": publish, "publishwith": publishWith, "misbehave": misbehave, "demand": demand, "requested": requested,
			"flip": flipByte, "evil": evil, "evilrequests": evilRequests, "rmcache": removeCache, "rmtrees": removeTrees, "exits4once": exits4Once,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "full" || cond == "restricted" {
				return sandbox.Try(sandbox.Profile(cond)) == "", nil
			}
			if cond == "githttp" {
				_, err := fakegit.Program()
				return err == nil, nil
			}
			_, err := exec.LookPath(cond)
			return err == nil, nil
		},
	})
}

// exits CODE COMMAND ARGS... runs the program in the formats json and, where its
// result is a report, sarif, and last as it is, and wants one exit code from all.
// The last run's output stays.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want := args[0]
	command := args[1:]
	formats := []string{"json", ""}
	if slices.Contains([]string{"scan", "verify", "diff", "report"}, command[1]) && !slices.Contains(command, "--") {
		formats = []string{"json", "sarif", ""}
	}
	for _, format := range formats {
		argv, at := slices.Clone(command), 2
		if command[1] == "plugin" && len(argv) > at { // a command of commands
			at = 3
		}
		if format != "" {
			argv = slices.Insert(argv, at, "-o", format)
		}
		if got := code(ts, argv); got != want {
			ts.Fatalf("%v exits %s, want %s\n%s%s", argv, got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		}
	}
}

func code(ts *testscript.TestScript, argv []string) string {
	err := ts.Exec(argv[0], argv[1:]...)
	if err == nil {
		return "0"
	}
	if _, status, ok := strings.Cut(err.Error(), "exit status "); ok {
		return status
	}
	return err.Error()
}

// expand FILE... replaces $VARIABLES in files.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		text := os.Expand(ts.ReadFile(file), func(name string) string {
			if v := ts.Getenv(name); v != "" {
				return v
			}
			return "${" + name + "}"
		})
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o644))
	}
}

// mkcase FILE WORD writes a word to a file: the behaviour of the fake server.
func writeCase(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]), 0o644))
}

// nosecret wants the sentinel in no file but the planted ones, and in nothing
// that was printed. Every script that plants it ends with it.
func noSecret(ts *testscript.TestScript, neg bool, args []string) {
	searched := 0
	err := filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || inputs.MatchString(filepath.ToSlash(path)) {
			return err
		}
		searched++
		if strings.Contains(ts.ReadFile(path), sentinel) {
			ts.Fatalf("the sentinel stands in %s:\n%s", path, ts.ReadFile(path))
		}
		return nil
	})
	ts.Check(err)
	if searched == 0 || len(ts.ReadFile(ts.Getenv("WORK")+"/tmp/output")) == 0 {
		ts.Fatalf("nothing was searched")
	}
}

// allowed is everything that a server may ever receive.
var allowed = []string{
	"method server/discover", "method initialize", "method notifications/initialized",
	"method tools/list", "method resources/list", "method resources/templates/list", "method prompts/list",
	"answer result {}", "answer error -32601",
}

// methods LOG wants only list methods and their answers in the fake server's
// log, and no sign of a call.
func methods(ts *testscript.TestScript, neg bool, args []string) {
	seen := 0
	for _, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if strings.HasPrefix(line, "method ") || strings.HasPrefix(line, "answer ") {
			seen++
			if !slices.Contains(allowed, line) {
				ts.Fatalf("the server received %q", line)
			}
		}
	}
	if seen == 0 {
		ts.Fatalf("%s tells of no method", args[0])
	}
	if _, err := os.Stat(ts.MkAbs(filepath.Join(filepath.Dir(args[0]), "called"))); err == nil {
		ts.Fatalf("a tool was called")
	}
}

// breaks BEHAVIOUR REASON [LIMIT] wants exit 5 from seal and verify, with the lock left
// as it was. Only where the reason may be the time is there little of it.
func breaks(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs("../behaviour"), []byte(args[0]), 0o644))
	limit := "2m"
	if strings.Contains(args[1], "timeout") {
		limit = "1500ms"
	}
	for _, argv := range [][]string{
		{"toolwarrant", "seal", "notes", "--yes", "--force", "--timeout", limit},
		{"toolwarrant", "verify", "--timeout", limit, "-o", "json"},
	} {
		if got := code(ts, argv); got != "5" {
			ts.Fatalf("%s: %v exits %s, want 5\n%s%s", args[0], argv, got, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		}
		if out := ts.ReadFile("stdout"); !regexp.MustCompile(args[1]).MatchString(out) {
			ts.Fatalf("%s: %v does not say %s\n%s", args[0], argv, args[1], out)
		}
	}
	if ts.ReadFile("../before") != ts.ReadFile(".toolwarrant/servers/notes.lock.json") {
		ts.Fatalf("%s: the old lock was touched", args[0])
	}
}

// same BEHAVIOUR wants verify to find nothing.
func same(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs("../behaviour"), []byte(args[0]), 0o644))
	if got := code(ts, []string{"toolwarrant", "verify"}); got != "0" {
		ts.Fatalf("%s: exits %s, want 0\n%s%s", args[0], got, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// gone LOG wants no process that the log names to be alive.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	pids := regexp.MustCompile(`(?m)^pid (\d+)$`).FindAllStringSubmatch(ts.ReadFile(args[0]), -1)
	if len(pids) == 0 {
		ts.Fatalf("%s names no process", args[0])
	}
	for _, p := range pids {
		if stat, err := os.ReadFile("/proc/" + p[1] + "/cmdline"); err == nil && strings.Contains(string(stat), "fakemcp") {
			ts.Fatalf("process %s is still there", p[1])
		}
	}
}

// tamper GOOD TARGET OLD NEW... copies a file with words replaced; without a
// new word the file is cut where the old one stands.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	for i := 2; i+1 < len(args); i += 2 {
		before, after, ok := strings.Cut(text, args[i])
		if !ok {
			ts.Fatalf("%q does not stand in %s", args[i], args[0])
		}
		text = before
		if args[i+1] != "" {
			text += args[i+1] + after
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// longname FILE replaces LONGNAME by 300 bytes.
func longName(ts *testscript.TestScript, neg bool, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "LONGNAME", strings.Repeat("long-name-", 30))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// lockfiles N wants N locks whose names are safe and stay distinct where case
// is folded.
func lockFiles(ts *testscript.TestScript, neg bool, args []string) {
	names, err := os.ReadDir(ts.MkAbs(".toolwarrant/servers"))
	ts.Check(err)
	folded := map[string]bool{}
	for _, n := range names {
		if !regexp.MustCompile(`^[a-z0-9._%~A-F-]{1,100}$`).MatchString(n.Name()) {
			ts.Fatalf("%q is no safe name", n.Name())
		}
		folded[strings.ToLower(n.Name())] = true
	}
	if got := len(folded); args[0] != strconv.Itoa(got) {
		ts.Fatalf("%d locks, want %s", got, args[0])
	}
}

// accept NAME FLAGS... seals again with the digest that the difference shows.
func accept(ts *testscript.TestScript, neg bool, args []string) {
	argv := append([]string{"toolwarrant", "seal"}, args...)
	if got := code(ts, argv); got != "6" {
		ts.Fatalf("%v exits %s, want 6\n%s%s", argv, got, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
	m := regexp.MustCompile(`--accept\s+([0-9a-f]{12})`).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no digest is offered:\n%s", ts.ReadFile("stdout"))
	}
	if got := code(ts, append(argv, "--accept", m[1])); got != "0" {
		ts.Fatalf("accepting %s exits %s\n%s", m[1], got, ts.ReadFile("stdout"))
	}
}

// plain wants nothing in the last output that moves a cursor, hides, or starts
// a line as a command for a runner.
func plainOutput(ts *testscript.TestScript, neg bool, args []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		text := ts.ReadFile(stream)
		for _, r := range text {
			if r != '\n' && !unicode.IsGraphic(r) {
				ts.Fatalf("%s holds %U:\n%q", stream, r, text)
			}
		}
		if regexp.MustCompile(`(?m)^\s*::`).MatchString(text) {
			ts.Fatalf("a line of %s starts with ::\n%s", stream, text)
		}
	}
}

// commit MESSAGE commits everything with git.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", args[0]))
}

// unrevoke NAME leads a lock out of revoked by naming its launch.
func unrevoke(ts *testscript.TestScript, neg bool, args []string) {
	_ = code(ts, []string{"toolwarrant", "review", args[0], "approve-launch"})
	m := regexp.MustCompile(`--launch\s+([0-9a-f]{12})`).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no digest is offered:\n%s", ts.ReadFile("stdout"))
	}
	if got := code(ts, []string{"toolwarrant", "review", args[0], "approve-launch", "--launch", m[1]}); got != "0" {
		ts.Fatalf("naming the launch exits %s\n%s", got, ts.ReadFile("stdout"))
	}
}

// setfrom NAME FILE sets a variable to the word in a file.
func setFrom(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}
