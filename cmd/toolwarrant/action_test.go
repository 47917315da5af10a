package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

// stage is a repository on a GitHub for tests, a runner's folders, and a server
// whose log tells that it was started.
type stage struct {
	t     *testing.T
	dir   string
	fake  *fakegithub.Server
	url   string
	depth string // of checkouts; empty for all of the history
	env   map[string]string
}

const (
	stageOwner, stageName = "octo", "tools"
	stageToken            = sentinel
)

// stageConfig declares one server, which writes to a log when it is started.
const stageConfig = `{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"]}}}`

// newStage has a main branch on which the server is sealed and approved.
func newStage(t *testing.T) *stage {
	t.Helper()
	needs(t, "git")
	needsLinux(t)
	s := &stage{t: t, dir: t.TempDir(), fake: fakegithub.New(stageOwner, stageName), depth: "--depth=1", env: map[string]string{}}
	for _, dir := range []string{"src", "home", "tmp", "runner/file_commands", "runner/temp", stageOwner} {
		if err := os.MkdirAll(s.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.file("behaviour", "base")
	s.git("src", "init", "-q", "-b", "main")
	for _, name := range []string{stageName, stageName + ".git"} {
		if err := os.Symlink(s.path("src"), s.path(stageOwner+"/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	s.file("src/.mcp.json", s.config(stageConfig))
	s.file("src/.github/workflows/gate.yml", "on: pull_request\njobs: {gate: {steps: [{uses: toolwarrant/toolwarrant@v1}]}}\n")
	s.seal()
	s.commit("approve")
	s.fake.Git(needs(t, "git"), s.path("src"))
	s.fake.Demand(stageToken, "github-actions[bot]")
	url, stop := s.fake.Serve()
	t.Cleanup(stop)
	s.url = url
	s.fresh()
	return s
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// config names the stage's folder in a text.
func (s *stage) config(text string) string { return strings.ReplaceAll(text, "DIR", s.dir) }

func (s *stage) file(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) text(name string) string {
	data, err := os.ReadFile(s.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	return string(data)
}

// fresh forgets that the server ever ran.
func (s *stage) fresh() { _ = os.Remove(s.path("log")) }

// started reports whether the server ran since.
func (s *stage) started() bool { return s.text("log") != "" }

// person is the environment of somebody at a terminal.
func (s *stage) person() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.path("home"), "TMPDIR=" + s.path("tmp"), "NO_COLOR=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
}

func (s *stage) exec(dir string, env []string, argv ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = s.path(dir), env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func (s *stage) git(dir string, args ...string) string {
	s.t.Helper()
	code, out, errs := s.exec(dir, s.person(), append([]string{"git", "-c", "user.name=author", "-c", "user.email=author@users.noreply.github.com", "-c", "advice.detachedHead=false"}, args...)...)
	if code != 0 {
		s.t.Fatalf("git %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return strings.TrimSpace(out)
}

// commit commits everything in the source.
func (s *stage) commit(message string) string {
	s.t.Helper()
	s.git("src", "add", "-A")
	s.git("src", "commit", "-q", "--allow-empty", "-m", message)
	return s.git("src", "rev-parse", "HEAD")
}

// seal seals everything in the source, as its author does.
func (s *stage) seal() {
	s.t.Helper()
	if code, out, errs := s.exec("src", s.person(), "toolwarrant", "seal", "--all", "--yes", "--force"); code != 0 {
		s.t.Fatalf("seal exits %d\n%s%s", code, out, errs)
	}
	s.fresh()
}

// branch begins a change of main.
func (s *stage) branch() {
	s.t.Helper()
	s.git("src", "checkout", "-q", "-B", "change", "main")
}

// pull is one pull request, as its event tells of it.
type pull struct {
	number      int
	head, merge string
}

// open commits what the source holds as a pull request, and merges it as GitHub
// does to try it.
func (s *stage) open(p fakegithub.PullRequest) pull {
	s.t.Helper()
	p.Author, p.Head, p.Base = "author", s.commit("change"), s.git("src", "rev-parse", "main")
	s.git("src", "checkout", "-q", "--detach", "main")
	s.git("src", "merge", "-q", "--no-ff", "-m", "try", p.Head)
	out := pull{head: p.Head, merge: s.git("src", "rev-parse", "HEAD")}
	out.number = s.fake.Open(p)
	s.git("src", "update-ref", pullRef(out.number), out.merge)
	s.git("src", "update-ref", "refs/heads/change", p.Head)
	s.git("src", "checkout", "-q", "main")
	return out
}

func pullRef(n int) string { return "refs/pull/" + string(rune('0'+n)) + "/merge" }

// checkout does what actions/checkout does.
func (s *stage) checkout(ref string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path("work")); err != nil {
		s.t.Fatal(err)
	}
	s.file("work/x", "")
	_ = os.Remove(s.path("work/x"))
	s.git("work", "init", "-q", "-b", "none")
	s.git("work", "remote", "add", "origin", "file://"+s.path(stageOwner+"/"+stageName))
	args := []string{"fetch", "-q", "--no-tags"}
	if s.depth != "" {
		args = append(args, s.depth)
	} else {
		s.git("work", "fetch", "-q", "origin")
	}
	s.git("work", append(args, "origin", ref)...)
	s.git("work", "checkout", "-q", "FETCH_HEAD")
}

// outcome is what a run of the action came to.
type actionRun struct {
	code                        int
	out, errs, summary, outputs string
	report                      finding.Report
}

// run runs the action for an event.
func (s *stage) run(event string, payload map[string]any, sha, ref string) actionRun {
	s.t.Helper()
	list := s.runner(event, payload, sha, ref)
	r := actionRun{}
	r.code, r.out, r.errs = s.exec("work", list, "toolwarrant", "action")
	r.read(s)
	return r
}

// runner lays out what a runner does for an event, and returns its environment.
func (s *stage) runner(event string, payload map[string]any, sha, ref string) []string {
	s.t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		s.t.Fatal(err)
	}
	s.file("runner/event.json", string(text))
	for _, name := range []string{"runner/file_commands/output", "runner/file_commands/summary", "runner/file_commands/env", "work/toolwarrant.json", "work/toolwarrant.sarif"} {
		_ = os.Remove(s.path(name))
	}
	s.file("runner/file_commands/env", "")
	if err := os.Chmod(s.path("runner/file_commands/env"), 0o666); err != nil { // open to everybody: only a sandbox is in the way
		s.t.Fatal(err)
	}
	env := map[string]string{
		"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": s.path("runner/event.json"), "GITHUB_SHA": sha, "GITHUB_REF": ref,
		"GITHUB_WORKSPACE": s.path("work"), "GITHUB_REPOSITORY": stageOwner + "/" + stageName, "GITHUB_API_URL": s.url, "GITHUB_SERVER_URL": "file://" + s.dir,
		"GITHUB_OUTPUT": s.path("runner/file_commands/output"), "GITHUB_STEP_SUMMARY": s.path("runner/file_commands/summary"), "GITHUB_ENV": s.path("runner/file_commands/env"),
		"GITHUB_WORKFLOW_REF": stageOwner + "/" + stageName + "/.github/workflows/gate.yml@" + ref,
		"RUNNER_ENVIRONMENT":  "github-hosted", "RUNNER_TEMP": s.path("runner/temp"), "INPUT_GITHUB-TOKEN": stageToken, "ACTIONS_RUNTIME_TOKEN": stageToken,
	}
	maps.Copy(env, s.env)
	list := s.person()
	for _, k := range slices.Sorted(maps.Keys(env)) {
		list = append(list, k+"="+env[k])
	}
	return list
}

// read takes in what a run left, in which the token must not stand.
func (r *actionRun) read(s *stage) {
	s.t.Helper()
	var err error
	r.summary, r.outputs = s.text("runner/file_commands/summary"), s.text("runner/file_commands/output")
	if saved := s.text("work/toolwarrant.json"); saved != "" {
		if r.report, err = finding.ParseReport([]byte(saved)); err != nil {
			s.t.Fatalf("%v\n%s", err, saved)
		}
	}
	for what, text := range map[string]string{"stdout": r.out, "stderr": r.errs, "the summary": r.summary, "the outputs": r.outputs, "the log for code scanning": s.text("work/toolwarrant.sarif"), "the report": s.text("work/toolwarrant.json")} {
		if strings.Contains(text, sentinel) {
			s.t.Errorf("the token stands in %s\n%s", what, text)
		}
	}
}

// pullRequest runs the action for a pull request, checked out as GitHub does.
func (s *stage) pullRequest(event string, p pull) actionRun {
	s.t.Helper()
	s.checkout(pullRef(p.number))
	return s.pullEvent(event, p)
}

func (s *stage) pullEvent(event string, p pull) actionRun {
	s.t.Helper()
	payload := map[string]any{"action": "synchronize", "number": p.number, "pull_request": s.fake.Payload(p.number), "repository": s.fake.Described()}
	return s.run(event, payload, p.merge, pullRef(p.number))
}

// wants checks the job's exit code, the outcome that is put out, and its exit code.
func (r actionRun) wants(t *testing.T, job int, outcome finding.Outcome) {
	t.Helper()
	said := r.output("outcome")
	if r.code != job || said != outcome.String() || r.output("exit-code") != string(rune('0'+exitCodes[outcome])) {
		t.Errorf("the job exits %d, want %d; outcome %q (%s), want %s\n%s\n%s\n%s", r.code, job, said, r.output("exit-code"), outcome, r.out, r.errs, r.summary)
	}
	if r.summary == "" {
		t.Error("there is no summary")
	}
}

// output is one of the step's outputs.
func (r actionRun) output(name string) string {
	lines := strings.Split(r.outputs, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, name+"<<") && i+1 < len(lines) {
			return lines[i+1]
		}
	}
	return ""
}

func (r actionRun) says(t *testing.T, phrases ...string) {
	t.Helper()
	wants(t, r.out+r.errs+r.summary, phrases...)
}

// TestActionPush: on an anchor branch the checkout itself decides.
func TestActionPush(t *testing.T) {
	s := newStage(t)
	main := s.git("src", "rev-parse", "main")
	push := map[string]any{"repository": s.fake.Described()}
	s.checkout("main")
	r := s.run("push", push, main, "refs/heads/main")
	r.wants(t, 0, finding.Clean)
	if !s.started() {
		t.Errorf("what is approved was not read\n%s%s", r.out, r.errs)
	}
	s.fresh()
	r = s.run("schedule", map[string]any{}, main, "refs/heads/main")
	r.wants(t, 0, finding.Clean)
	s.file("behaviour", "command-added")
	r = s.run("workflow_dispatch", push, main, "refs/heads/main")
	r.wants(t, 4, finding.Escalation)
}

// TestActionPull: a pull request that changes nothing of ours is clean, with a
// checkout of one commit and with the whole history, of the merge and of the head.
func TestActionPull(t *testing.T) {
	s := newStage(t)
	s.branch()
	s.file("src/readme", "hello")
	p := s.open(fakegithub.PullRequest{})
	for _, depth := range []string{"--depth=1", ""} {
		s.depth = depth
		s.pullRequest("pull_request", p).wants(t, 0, finding.Clean)
		s.checkout(p.head)
		s.pullEvent("pull_request_review", p).wants(t, 0, finding.Clean)
	}
	s.checkout("main")
	r := s.pullEvent("pull_request", p)
	r.wants(t, 6, finding.Refused)
	r.says(t, "does not hold the head of the pull request")
}
