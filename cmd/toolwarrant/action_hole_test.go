package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/action"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

// extended adds a server and its lock, which somebody has to approve.
func (s *stage) extended() {
	s.t.Helper()
	s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"]}, "extra": {"command": "fakemcp", "args": ["-log", "DIR/log"]}}}`))
	s.seal()
}

// group runs the action for a merge group that ends in a commit.
func (s *stage) group(number, head string) actionRun {
	s.t.Helper()
	base := s.git("src", "rev-parse", "main")
	ref := "gh-readonly-queue/main/pr-" + number + "-" + base
	s.git("src", "update-ref", "refs/heads/"+ref, head)
	s.checkout(ref)
	return s.run("merge_group", map[string]any{"action": "checks_requested", "repository": s.fake.Described(), "merge_group": map[string]any{
		"head_sha": head, "head_ref": "refs/heads/" + ref, "base_sha": base, "base_ref": "refs/heads/main",
	}}, head, "refs/heads/"+ref)
}

// merged is a merge of these heads into main, one after the other, with a tree.
func (s *stage) merged(tree string, heads ...string) string {
	s.t.Helper()
	at := s.git("src", "rev-parse", "main")
	for _, head := range heads {
		at = s.git("src", "commit-tree", tree+"^{tree}", "-p", at, "-p", head, "-m", "queue")
	}
	return at
}

// TestActionQueueApproved: what was approved on its pull request is approved in the
// queue, where the group holds that pull request and nothing else.
func TestActionQueueApproved(t *testing.T) {
	s := newStage(t)
	s.depth = ""
	s.fake.Permit("reviewer", "write")
	s.branch()
	s.extended()
	p := s.open(fakegithub.PullRequest{})
	s.group("1", p.merge).wants(t, 4, finding.Escalation) // nobody approved it
	s.fake.Review(p.number, fakegithub.Review{User: "reviewer", State: "APPROVED", Commit: p.head})
	r := s.group("1", p.merge)
	r.wants(t, 0, finding.Escalation)
	if r.output("approved-by") != "reviewer" {
		t.Errorf("approved by %q", r.output("approved-by"))
	}
	s.depth = "--depth=1"
	s.group("1", p.merge).wants(t, 0, finding.Escalation)
	s.depth = ""
	s.git("src", "checkout", "-q", "-B", "other", "main")
	s.file("src/readme", "hello")
	other := s.commit("another change")
	number := s.fake.Open(fakegithub.PullRequest{Author: "author", Head: other, Base: s.git("src", "rev-parse", "main"), HeadRef: "other"})
	s.fake.Review(number, fakegithub.Review{User: "reviewer", State: "APPROVED", Commit: other})
	for name, head := range map[string]string{
		"it names another pull request, which is approved": p.merge,
		"of two":                    s.merged(p.head, other, p.head),
		"of two, the other way":     s.merged(p.head, p.head, other),
		"squashed":                  s.git("src", "commit-tree", p.head+"^{tree}", "-p", "main", "-m", "squash"),
		"merged with one more":      s.git("src", "commit-tree", p.head+"^{tree}", "-p", "main", "-p", p.head, "-p", other, "-m", "octopus"),
		"merged the other way":      s.git("src", "commit-tree", p.head+"^{tree}", "-p", p.head, "-p", "main", "-m", "turned"),
		"with a commit on top":      s.git("src", "commit-tree", p.head+"^{tree}", "-p", p.merge, "-m", "on top"),
		"the pull request's itself": p.head,
	} {
		named := "1"
		if strings.Contains(name, "names another") {
			named = "2"
		}
		if r := s.group(named, head); r.code == 0 {
			t.Errorf("%s: it passes\n%s", name, r.out)
		}
	}
	s.fake.Open(fakegithub.PullRequest{Number: p.number, Author: "author", Head: other, Base: s.git("src", "rev-parse", "main")}) // it moved on
	s.group("1", p.merge).wants(t, 4, finding.Escalation)
	if s.started() {
		t.Error("something was started")
	}
}

// TestActionTakesBack: a commit that holds the head and takes its change back is
// not what the event is about, also where a careless checkout has it.
func TestActionTakesBack(t *testing.T) {
	s := newStage(t)
	s.depth = ""
	p := s.swap(fakegithub.PullRequest{})
	for name, made := range map[string]string{
		"a later commit":   s.git("src", "commit-tree", "main^{tree}", "-p", p.head, "-m", "take it back"),
		"a merge":          s.git("src", "commit-tree", "main^{tree}", "-p", "main", "-p", p.head, "-m", "take it back"),
		"a merge, crossed": s.git("src", "commit-tree", "main^{tree}", "-p", p.head, "-p", "main", "-m", "take it back"),
	} {
		s.git("src", "update-ref", "refs/heads/change", made)
		s.checkout("change")
		if r := s.pullEvent("pull_request", p); r.code != 4 {
			t.Errorf("%s: the job exits %d\n%s%s", name, r.code, r.out, r.errs)
		}
	}
}

// TestActionLies: an event that does not fit its run has nothing started and does not
// pass: a base that holds the head, another pull request's merge, another
// repository's base.
func TestActionLies(t *testing.T) {
	s := newStage(t)
	s.branch()
	s.file("src/readme", "hello")
	p := s.open(fakegithub.PullRequest{})
	main := s.git("src", "rev-parse", "main")
	s.env["INPUT_LIVE"] = "all"
	event := func(edit func(pull map[string]any)) map[string]any {
		payload := s.fake.Payload(p.number)
		edit(payload)
		return map[string]any{"pull_request": payload, "repository": s.fake.Described()}
	}
	side := func(pull map[string]any, name string) map[string]any { return pull[name].(map[string]any) }
	for name, edit := range map[string]func(map[string]any){
		"the head is in the base":        func(pull map[string]any) { side(pull, "head")["sha"] = main },
		"the head is nowhere":            func(pull map[string]any) { side(pull, "head")["sha"] = strings.Repeat("a", 40) },
		"the head is an option":          func(pull map[string]any) { side(pull, "head")["sha"] = "--upload-pack=x" },
		"the base is an option":          func(pull map[string]any) { side(pull, "base")["ref"] = "--upload-pack=x" },
		"the base has a line":            func(pull map[string]any) { side(pull, "base")["ref"] = "main\n::error::x" },
		"the base is nowhere":            func(pull map[string]any) { side(pull, "base")["ref"] = "nowhere" },
		"the base is another's":          func(pull map[string]any) { side(pull, "base")["repo"] = map[string]any{"id": 1} },
		"the number is a text":           func(pull map[string]any) { pull["number"] = "1" },
		"there is no head":               func(pull map[string]any) { delete(pull, "head") },
		"the head is a list":             func(pull map[string]any) { pull["head"] = []string{main} },
		"the base is the change's merge": func(pull map[string]any) { side(pull, "base")["ref"] = "pull/1/merge" },
	} {
		s.checkout(pullRef(p.number))
		r := s.run("pull_request", event(edit), p.merge, pullRef(p.number))
		if name == "the base is nowhere" || name == "the base is the change's merge" { // no anchor branch: files alone, against the default branch
			r.wants(t, 0, finding.Clean)
		} else if r.code != 6 {
			t.Errorf("%s: the job exits %d\n%s%s", name, r.code, r.out, r.errs)
		}
		if s.started() {
			t.Errorf("%s: something was started", name)
		}
	}
	s.checkout(pullRef(p.number)) // of a merge by another name only the head counts, and it is not here
	s.run("pull_request", event(func(map[string]any) {}), p.merge, "refs/pull/2/merge").wants(t, 6, finding.Refused)
}

// TestActionForeignOrigin: without the API the branches of a checkout count only
// where they are the repository's own.
func TestActionForeignOrigin(t *testing.T) {
	s := newStage(t)
	s.depth = ""
	p := s.swap(fakegithub.PullRequest{})
	s.checkout(pullRef(p.number))
	s.env["GITHUB_API_URL"] = "http://127.0.0.1:1"
	r := s.pullEvent("pull_request", p)
	r.wants(t, 4, finding.Escalation)
	s.git("work", "remote", "set-url", "origin", "file://"+s.path("src"))
	r = s.pullEvent("pull_request", p)
	r.wants(t, 6, finding.Refused)
	s.git("work", "remote", "set-url", "origin", "file://"+s.path(stageOwner+"/"+stageName))
	s.git("work", "update-ref", "-d", "refs/remotes/origin/main")
	s.git("work", "update-ref", "refs/tags/refs/remotes/origin/main", p.merge)
	s.pullEvent("pull_request", p).wants(t, 6, finding.Refused)
}

// TestActionOldWord: an old commit, from which a change begins, has no milder word
// on what passes than the branch has now.
func TestActionOldWord(t *testing.T) {
	s := newStage(t)
	s.file("src/.toolwarrant/policy.yaml", "fail-on: never\napproval: codeowners\n")
	s.commit("a mild policy")
	p := s.swap(fakegithub.PullRequest{})
	s.git("src", "checkout", "-q", "main")
	s.file("src/.toolwarrant/policy.yaml", "fail-on: drift\n")
	s.commit("a strict policy")
	for _, depth := range []string{"--depth=1", ""} {
		s.depth = depth
		s.checkout(p.head)
		s.pullEvent("pull_request", p).wants(t, 4, finding.Escalation)
	}
}

// TestActionNarrowed: a change that edits the workflow does not choose what of it is
// looked at.
func TestActionNarrowed(t *testing.T) {
	s := newStage(t)
	s.branch()
	s.file("src/.github/workflows/gate.yml", "on: pull_request\njobs: {gate: {steps: [{uses: toolwarrant/toolwarrant@v1, with: {path: docs}}]}}\n")
	s.file("src/docs/readme", "hello")
	s.extended()
	p := s.open(fakegithub.PullRequest{})
	s.env["INPUT_PATH"], s.env["INPUT_LIVE"] = "docs", "none"
	r := s.pullRequest("pull_request", p)
	r.wants(t, 4, finding.Escalation)
	r.says(t, "extra", "gate.yml", "edits the workflow")
}

// TestActionComposite: a workflow may reach the gate through an action of the
// repository, wherever that lies.
func TestActionComposite(t *testing.T) {
	s := newStage(t)
	s.file("src/.github/workflows/gate.yml", "on: pull_request\njobs: {gate: {steps: [{uses: ./ci/gate}]}}\n")
	s.file("src/ci/gate/action.yml", "runs: {using: composite, steps: [{uses: toolwarrant/toolwarrant@v1}]}\n")
	s.commit("an action of its own")
	s.branch()
	s.file("src/ci/gate/action.yml", "runs: {using: composite, steps: [{uses: toolwarrant/toolwarrant@v1, with: {live: none}}]}\n")
	r := s.pullRequest("pull_request", s.open(fakegithub.PullRequest{}))
	r.wants(t, 4, finding.Escalation)
	r.says(t, "ci/gate/action.yml", "part of the gate")
	s.git("src", "checkout", "-q", "-B", "second", "main")
	s.file("src/.github/workflows/gate.yml", "on: pull_request\njobs: {}\n")
	r = s.pullRequest("pull_request", s.open(fakegithub.PullRequest{HeadRef: "second"}))
	r.wants(t, 4, finding.Escalation)
	r.says(t, ".github/workflows/gate.yml")
}

// TestActionPath: a program of the checkout is not run in place of the machine's,
// also where an earlier step has put it first.
func TestActionPath(t *testing.T) {
	s := newStage(t)
	s.branch()
	s.file("src/bin/git", s.config("#!/bin/sh\necho git >> DIR/ran\nexit 1\n"))
	s.file("src/bin/fakemcp", s.config("#!/bin/sh\necho fakemcp >> DIR/ran\nexit 1\n"))
	for _, name := range []string{"git", "fakemcp"} {
		if err := os.Chmod(s.path("src/bin/"+name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := s.open(fakegithub.PullRequest{})
	s.env["HOME"] = s.path("work")
	s.env["PATH"], s.env["INPUT_LIVE"] = s.path("work/bin")+":"+os.Getenv("PATH"), "all"
	r := s.pullRequest("pull_request", p)
	r.wants(t, 0, finding.Clean)
	r.says(t, "fetching the commit", "is left out")
	if text := s.text("ran"); text != "" || !s.started() {
		t.Errorf("of the checkout ran %q; what is approved was read: %t", text, s.started())
	}
}

// TestActionRooms: results go through no link, into no git folder, and a place that
// takes nothing is an error.
func TestActionRooms(t *testing.T) {
	s := newStage(t)
	main := s.git("src", "rev-parse", "main")
	push := map[string]any{"repository": s.fake.Described()}
	s.checkout("main")
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		for _, to := range []string{"/dev/full", s.path("runner/nowhere/x"), s.path("runner/link")} {
			list := s.runner("push", push, main, "refs/heads/main")
			_ = os.Remove(s.path("runner/link"))
			if err := os.Symlink(s.path("runner/file_commands/env"), s.path("runner/link")); err != nil {
				t.Fatal(err)
			}
			if code, out, errs := s.exec("work", append(list, name+"="+to), "toolwarrant", "action"); code != 1 {
				t.Errorf("%s=%s: the job exits %d\n%s%s", name, to, code, out, errs)
			}
		}
	}
	if text := s.text("runner/file_commands/env"); text != "" {
		t.Errorf("the runner's file holds %q", text)
	}
	for name, value := range map[string]string{"INPUT_SARIF-FILE": "a/.GIT/config", "INPUT_TIMEOUT": "soon", "INPUT_PATH": "/"} {
		s.env[name] = value
		s.run("push", push, main, "refs/heads/main").wants(t, 6, finding.Refused)
		delete(s.env, name)
	}
	if strings.Contains(s.git("work", "status", "--short"), ".GIT") {
		t.Error("something was written into a git folder")
	}
}

// TestActionDies: a run of which a part dies while a server is read is broken, and
// never green.
func TestActionDies(t *testing.T) {
	s := newStage(t)
	main := s.git("src", "rev-parse", "main")
	s.checkout("main")
	s.file("behaviour", "hang-in-list")
	for name, end := range map[string]func(conductor, scanner *os.Process) error{
		"the scanner is killed":      func(_, scanner *os.Process) error { return scanner.Kill() },
		"the scanner is interrupted": func(_, scanner *os.Process) error { return scanner.Signal(os.Interrupt) },
		"the run is cancelled":       func(conductor, _ *os.Process) error { return conductor.Signal(os.Interrupt) },
	} {
		s.fresh()
		var out bytes.Buffer
		cmd := exec.CommandContext(t.Context(), "toolwarrant", "action")
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.path("work"), s.runner("push", map[string]any{"repository": s.fake.Described()}, main, "refs/heads/main"), &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for !s.started() {
			runtime.Gosched()
		}
		scanner := childOf(t, cmd.Process.Pid, "action-scan")
		if err := end(cmd.Process, scanner); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		r := actionRun{code: cmd.ProcessState.ExitCode(), out: out.String()}
		r.read(s)
		if r.code != 1 || r.output("outcome") != "" || r.output("exit-code") != "1" || !strings.Contains(r.summary, "no complete report") {
			t.Errorf("%s: the job exits %d, outcome %q\n%s%s", name, r.code, r.output("outcome"), r.out, r.summary)
		}
	}
}

// childOf finds a process by its parent and a word of its command line.
func childOf(t *testing.T, parent int, word string) *os.Process {
	t.Helper()
	names, err := filepath.Glob("/proc/[1-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		status, _ := os.ReadFile(name)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && strings.Contains(string(status), fmt.Sprintf("PPid:\t%d\n", parent)) && strings.Contains(string(line), "\x00"+word) {
			p, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
	}
	t.Fatalf("there is no process %s", word)
	return nil
}

// TestActionElsewhere: a system on which nothing can be judged is refused.
func TestActionElsewhere(t *testing.T) {
	var errs bytes.Buffer
	o, err := entered(&app{stderr: &errs}, action.ErrSystem)
	if codeOf(o, err) != 6 || !strings.Contains(errs.String(), "run the action on Linux") {
		t.Errorf("%d\n%s", codeOf(o, err), errs.String())
	}
	if codeOf(entered(&app{stderr: &errs}, errors.New("other"))) != 1 {
		t.Error("another error is taken for a refusal")
	}
}

// TestActionScanner: the process that reads a change has no token and none of the
// runner's variables.
func TestActionScanner(t *testing.T) {
	s := newStage(t)
	s.checkout("main")
	s.file("behaviour", "hang-in-list")
	cmd := s.begin(s.runner("push", map[string]any{"repository": s.fake.Described()}, s.git("src", "rev-parse", "main"), "refs/heads/main"), "/git/ref/heads/main")
	for !s.started() {
		runtime.Gosched()
	}
	dir := fmt.Sprintf("/proc/%d/", childOf(t, cmd.Process.Pid, "action-scan").Pid)
	for _, name := range []string{"environ", "cmdline"} {
		text, err := os.ReadFile(dir + name)
		if err != nil || strings.Contains(string(text), sentinel) {
			t.Errorf("%s: %v\n%q", name, err, text)
		}
		for _, v := range strings.Split(string(text), "\x00") {
			if strings.HasPrefix(v, "GITHUB_") || strings.HasPrefix(v, "RUNNER_") || strings.HasPrefix(v, "INPUT_") || strings.HasPrefix(v, "ACTIONS_") {
				t.Errorf("it has %s", v)
			}
		}
	}
}

// TestActionClosed: root without the rights to trace and to profile, as it is in a container, does
// not look into the process that has the token.
func TestActionClosed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be kept out in this way")
	}
	needs(t, "setpriv")
	s := newStage(t)
	s.checkout("main")
	s.fake.Fail("/git/ref/heads/main", fakegithub.Failure{Hang: true})
	cmd := s.begin(s.runner("push", map[string]any{"repository": s.fake.Described()}, "", "refs/heads/main"), "/git/ref/heads/main")
	for _, name := range []string{"environ", "mem", "maps", "fd/0"} {
		look := exec.Command("setpriv", "--inh-caps=-sys_ptrace,-perfmon,-sys_admin", "--bounding-set=-sys_ptrace,-perfmon,-sys_admin", "head", "-c1", fmt.Sprintf("/proc/%d/%s", cmd.Process.Pid, name))
		if out, err := look.CombinedOutput(); err == nil || !strings.Contains(string(out), "denied") {
			t.Errorf("%s: %v %s", name, err, out)
		}
		same := exec.Command("setpriv", "--inh-caps=-sys_ptrace,-perfmon,-sys_admin", "--bounding-set=-sys_ptrace,-perfmon,-sys_admin", "head", "-c1", "/proc/self/"+name)
		if out, err := same.CombinedOutput(); err != nil && name != "mem" && name != "fd/0" {
			t.Errorf("nobody can look at all: %s", out)
		}
	}
}
