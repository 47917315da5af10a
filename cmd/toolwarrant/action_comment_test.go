package main

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

// TestActionComment: a proposal gets one comment, which a run that may not write
// one does without.
func TestActionComment(t *testing.T) {
	s := newStage(t)
	p := s.swap(fakegithub.PullRequest{})
	s.env["GITHUB_RUN_ID"], s.env["GITHUB_RUN_ATTEMPT"] = "7", "1"
	s.fake.Fail("POST /issues/1/comments", fakegithub.Failure{Status: 403, Times: 1})
	first := s.pullRequest("pull_request", p)
	first.says(t, "comment: not posted, because", "pull-requests: write")
	if n := len(s.fake.Comments(p.number)); n != 0 {
		t.Errorf("%d comments", n)
	}
	second := s.pullEvent("pull_request", p)
	second.says(t, "comment: posted")
	if second.code != first.code {
		t.Errorf("the job exits %d with a comment and %d without", second.code, first.code)
	}
	all := s.fake.Comments(p.number)
	if len(all) != 1 || !strings.HasPrefix(all[0].Body, "<!-- toolwarrant:1 ") || strings.Contains(all[0].Body, sentinel) {
		t.Fatalf("comments %v", all)
	}
	s.pullEvent("pull_request", p).says(t, "comment: posted before")
	s.env["INPUT_COMMENT"] = "false"
	s.fake.Forget()
	s.pullEvent("pull_request", p)
	for _, q := range s.fake.Requests() {
		if strings.Contains(q.Path, "/comments") {
			t.Errorf("no comment is wanted, but %s", q)
		}
	}
}

// TestActionSchedule: a scheduled run keeps an issue, unless it is told not to.
func TestActionSchedule(t *testing.T) {
	s := newStage(t)
	s.checkout("main")
	main := s.git("src", "rev-parse", "main")
	s.file("behaviour", "command-added")
	s.env["GITHUB_RUN_ID"], s.env["INPUT_ON-DRIFT"] = "7", "none"
	s.run("schedule", map[string]any{}, main, "refs/heads/main").wants(t, 4, finding.Escalation)
	if len(s.fake.Issues()) != 0 {
		t.Error("an issue though none is wanted")
	}
	delete(s.env, "INPUT_ON-DRIFT")
	r := s.run("schedule", map[string]any{}, main, "refs/heads/main")
	r.wants(t, 4, finding.Escalation)
	r.says(t, "issue: posted")
	if all := s.fake.Issues(); len(all) != 1 || all[0].State != "open" {
		t.Errorf("issues %v", all)
	}
}
