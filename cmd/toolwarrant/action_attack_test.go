package main

import (
	"os"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

const notesLock = ".toolwarrant/servers/notes.lock.json"

// codeConfig declares a server that runs code of the repository.
const codeConfig = `{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-file", "server.js"]}}}`

// attacks are changes that each try to have something run, or pass, that nobody
// approved.
var attacks = []struct {
	name    string
	base    string // the configuration at the base; empty for stageConfig
	beside  map[string]string
	do      func(*stage)
	fork    bool
	runs    bool // the launch that the base approves is read
	inputs  map[string]string
	outcome finding.Outcome
	says    []string
}{
	{name: "adds a server", do: func(s *stage) {
		s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"]}, "extra": {"command": "fakemcp", "args": ["-log", "DIR/log"]}}}`))
	}, outcome: finding.Refused, says: []string{"extra", "no lock covers it"}},
	{name: "adds a server and its lock", do: func(s *stage) {
		s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"]}, "extra": {"command": "fakemcp", "args": ["-log", "DIR/log"]}}}`))
		s.seal()
	}, outcome: finding.Escalation, says: []string{"extra", "its launch was not approved before"}},
	{name: "swaps a command under the same name", do: func(s *stage) {
		s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-other"]}}}`))
	}, outcome: finding.Escalation, says: []string{"launched otherwise than its lock says"}},
	{name: "changes NODE_OPTIONS", do: func(s *stage) {
		s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"], "env": {"NODE_OPTIONS": "--require ./evil.js"}}}}`))
	}, outcome: finding.Escalation, says: []string{"NODE_OPTIONS"}},
	{name: "edits a lock by hand to hide a tool", do: func(s *stage) {
		before, tools, _ := strings.Cut(s.text("src/"+notesLock), `"tools": [`)
		s.file("src/"+notesLock, before+`"tools": [`+strings.Replace(tools, `"description": [`, `"description": ["harmless", `, 1))
	}, outcome: finding.Escalation, says: []string{"the lock is not believed"}},
	{name: "seals a surface that the server does not have", do: func(s *stage) {
		s.file("behaviour", "tool-removed")
		s.seal()
		s.file("behaviour", "base")
	}, runs: true, outcome: finding.Escalation, says: []string{"lock/edited"}},
	{name: "loosens the policy", do: func(s *stage) {
		s.file("src/.toolwarrant/policy.yaml", "fail-on: never\n")
	}, outcome: finding.Escalation, says: []string{"fail-on of the policy"}},
	{name: "loosens the workflow's inputs", do: func(s *stage) {
		s.file("src/.github/workflows/gate.yml", "on: pull_request\njobs: {gate: {steps: [{uses: toolwarrant/toolwarrant@v1, with: {fail-on: never}}]}}\n")
	}, inputs: map[string]string{"INPUT_FAIL-ON": "never"}, outcome: finding.Escalation, says: []string{"gate.yml", "input fail-on would loosen the policy"}},
	{name: "deletes a lock", do: func(s *stage) {
		_ = os.Remove(s.path("src/" + notesLock))
	}, outcome: finding.Refused, says: []string{"no lock covers it"}},
	{name: "renames the configuration and swaps a command in it", do: func(s *stage) {
		s.git("src", "mv", ".mcp.json", "mcp.json")
		_ = os.MkdirAll(s.path("src/.cursor"), 0o755)
		s.git("src", "mv", "mcp.json", ".cursor/mcp.json")
		s.file("src/.cursor/mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-other"]}}}`))
	}, outcome: finding.Refused, says: []string{".cursor/mcp.json", "no lock covers it"}},
	{name: "changes the case of the configuration's name", do: func(s *stage) {
		s.git("src", "mv", ".mcp.json", ".MCP.json")
	}, runs: true, outcome: finding.Escalation, says: []string{".MCP.json"}},
	{name: "adds a configuration that is a link out of the tree", do: func(s *stage) {
		_ = os.MkdirAll(s.path("src/.cursor"), 0o755)
		_ = os.Symlink("/etc/passwd", s.path("src/.cursor/mcp.json"))
	}, outcome: finding.Undetermined, says: []string{".cursor/mcp.json", "link"}},
	{name: "adds a second dialect with another command under the same name", do: func(s *stage) {
		s.file("src/.cursor/mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-other"]}}}`))
	}, outcome: finding.Refused, says: []string{".cursor/mcp.json", "no lock covers it"}},
	{name: "edits server.js under an unchanged launch", base: codeConfig, beside: map[string]string{"server.js": "base"}, do: func(s *stage) {
		s.file("src/server.js", "command-added")
	}, outcome: finding.Refused, says: []string{"server.js", "its repository code changed"}},
	{name: "edits package-lock.json under an unchanged launch", base: codeConfig, beside: map[string]string{"server.js": "base", "package.json": "{}", "package-lock.json": `{"lockfileVersion": 3, "packages": {}}`}, do: func(s *stage) {
		s.file("src/package-lock.json", `{"lockfileVersion": 3, "packages": {"": {}}}`)
	}, outcome: finding.Refused, says: []string{"package-lock.json", "its repository code changed"}},
	{name: "edits .npmrc under an unchanged launch", base: codeConfig, beside: map[string]string{"server.js": "base", "package.json": "{}", ".npmrc": "fund=false\n"}, do: func(s *stage) {
		s.file("src/.npmrc", "registry=https://evil.example/\n")
	}, outcome: finding.Refused, says: []string{".npmrc", "its repository code changed"}},
	{name: "hides the lock's difference", do: func(s *stage) {
		s.file("src/.gitattributes", ".toolwarrant/** linguist-generated\n")
	}, outcome: finding.Escalation, says: []string{".gitattributes"}},
	{name: "hides the workflow's difference", do: func(s *stage) {
		s.file("src/.gitattributes", ".github/** linguist-generated\n")
	}, outcome: finding.Escalation, says: []string{"hides or converts part of the gate"}},
	{name: "takes the code owners away", beside: map[string]string{"CODEOWNERS": ".toolwarrant/ @owner\n"}, base: stageConfig, do: func(s *stage) {
		s.file("src/CODEOWNERS", "")
	}, outcome: finding.Escalation, says: []string{"CODEOWNERS"}},
	{name: "edits a workflow that calls the one with the gate", beside: map[string]string{".github/workflows/all.yaml": "jobs: {a: {uses: ./.github/workflows/gate.yml}}\n"}, base: stageConfig, do: func(s *stage) {
		s.file("src/.github/workflows/all.yaml", "jobs: {}\n")
	}, outcome: finding.Escalation, says: []string{"all.yaml"}},
	{name: "sets a lock to disabled", do: func(s *stage) {
		if code, out, errs := s.exec("src", s.person(), "toolwarrant", "review", "notes", "disable"); code != 0 {
			s.t.Fatalf("review exits %d\n%s%s", code, out, errs)
		}
	}, outcome: finding.Escalation, says: []string{"disabled"}},
	{name: "comes from a fork and swaps a command", fork: true, do: func(s *stage) {
		s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-other"]}}}`))
	}, outcome: finding.Escalation, says: []string{"launched otherwise than its lock says"}},
}

// TestActionAttacks: each is blocked, only what the base approves is started, and the summary says what it is about.
func TestActionAttacks(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			if a.base != "" {
				for name, text := range a.beside {
					s.file("src/"+name, text)
				}
				s.file("src/.mcp.json", s.config(a.base))
				s.seal()
				s.commit("code")
			}
			s.branch()
			a.do(s)
			p := s.open(fakegithub.PullRequest{Fork: a.fork})
			for name, value := range a.inputs {
				s.env[name] = value
			}
			r := s.pullRequest("pull_request", p)
			r.wants(t, exitCodes[a.outcome], a.outcome)
			r.says(t, a.says...)
			if s.started() != a.runs {
				t.Errorf("started: %t, want %t\n%s", s.started(), a.runs, s.text("log"))
			}
			wants(t, r.summary, a.says[0])
		})
	}
}

// TestActionRefused: events that run with the rights of the default branch over
// what a stranger wrote, and those that nobody knows, start nothing.
func TestActionRefused(t *testing.T) {
	s := newStage(t)
	s.branch()
	s.file("src/.github/workflows/gate.yml", "on: pull_request_target\njobs: {gate: {steps: [{uses: toolwarrant/toolwarrant@v1}]}}\n")
	p := s.open(fakegithub.PullRequest{Fork: true})
	for _, event := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
		r := s.pullRequest(event, p)
		r.wants(t, 6, finding.Refused)
		r.says(t, "run this workflow on")
		if s.started() {
			t.Errorf("%s: something was started", event)
		}
		if !strings.Contains(s.text("work/toolwarrant.sarif"), `"executionSuccessful": false`) {
			t.Errorf("%s: the log for code scanning would close alerts", event)
		}
	}
}

// TestActionApproval: what a proposal asks for is red until somebody who may says
// yes to exactly this commit; its outcome stays what it is.
func TestActionApproval(t *testing.T) {
	s := newStage(t)
	s.fake.Permit("reviewer", "write")
	s.branch()
	s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-file", "DIR/behaviour", "-log", "DIR/log"]}, "extra": {"command": "fakemcp", "args": ["-log", "DIR/log"]}}}`))
	s.seal()
	p := s.open(fakegithub.PullRequest{})
	r := s.pullRequest("pull_request", p)
	r.wants(t, 4, finding.Escalation)
	if !r.report.Proposal || r.output("approved") != "false" {
		t.Errorf("proposal %t, approved %q", r.report.Proposal, r.output("approved"))
	}
	s.fake.Review(p.number, fakegithub.Review{User: "author", State: "APPROVED", Commit: p.head})
	s.pullRequest("pull_request_review", p).wants(t, 4, finding.Escalation)
	s.fake.Review(p.number, fakegithub.Review{User: "reviewer", State: "APPROVED", Commit: p.head})
	r = s.pullRequest("pull_request_review", p)
	r.wants(t, 0, finding.Escalation)
	if r.output("approved") != "true" || r.output("approved-by") != "reviewer" || !r.report.Approved {
		t.Errorf("approved %q by %q", r.output("approved"), r.output("approved-by"))
	}
	s.git("src", "checkout", "-q", "change")
	s.file("src/readme", "one more")
	p = s.open(fakegithub.PullRequest{Number: p.number})
	s.pullRequest("pull_request", p).wants(t, 4, finding.Escalation)
	if s.started() {
		t.Error("what waits for an approval was started")
	}
}

// TestActionOwners: where branch protection asks the code owners, the job is green
// with the proposal shown.
func TestActionOwners(t *testing.T) {
	s := newStage(t)
	s.file("src/.toolwarrant/policy.yaml", "approval: codeowners\n")
	s.commit("code owners approve")
	s.branch()
	s.file("src/.mcp.json", s.config(swapped))
	s.seal()
	r := s.pullRequest("pull_request", s.open(fakegithub.PullRequest{}))
	r.wants(t, 0, finding.Escalation)
	if r.output("approved") != "false" {
		t.Error("nobody approved it")
	}
}

// TestActionStale: a lock of another launch is for its author to mend, whoever
// approves.
func TestActionStale(t *testing.T) {
	s := newStage(t)
	s.fake.Permit("reviewer", "write")
	s.branch()
	s.file("src/.mcp.json", s.config(`{"mcpServers": {"notes": {"command": "fakemcp", "args": ["-log", "DIR/log", "-other"]}}}`))
	p := s.open(fakegithub.PullRequest{})
	s.fake.Review(p.number, fakegithub.Review{User: "reviewer", State: "APPROVED", Commit: p.head})
	s.pullRequest("pull_request_review", p).wants(t, 4, finding.Escalation)
}
