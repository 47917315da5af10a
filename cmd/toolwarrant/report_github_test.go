package main

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

// TestReportGitHub: a plain step posts a saved report, and on events with rights
// that the report's author lacks it posts nothing.
func TestReportGitHub(t *testing.T) {
	s := newStage(t)
	p := s.swap(fakegithub.PullRequest{})
	r := s.pullRequest("pull_request", p)
	s.env["GITHUB_RUN_ID"] = "8"
	payload := map[string]any{"pull_request": s.fake.Payload(p.number), "repository": s.fake.Described()}
	for _, tt := range []struct {
		event            string
		says             string
		code             int
		comments, issues int
	}{
		{"workflow_run", "may be anybody's", 2, 0, 0},
		{"pull_request_target", "may be anybody's", 2, 0, 0},
		{"push", "none of them", 2, 0, 0},
		{"pull_request", "toolwarrant: posted\n", exitCodes[r.report.Outcome], 1, 0},
		{"pull_request", "posted before", exitCodes[r.report.Outcome], 1, 0},
		{"schedule", "toolwarrant: posted\n", exitCodes[r.report.Outcome], 1, 1},
	} {
		saved := s.text("work/toolwarrant.json")
		env := append(s.runner(tt.event, payload, p.merge, pullRef(p.number)), "GITHUB_TOKEN="+stageToken)
		s.file("work/toolwarrant.json", saved)
		s.fake.Forget()
		code, out, errs := s.exec("work", env, "toolwarrant", "report", "--from", "toolwarrant.json", "--github")
		if code != tt.code || !strings.Contains(errs, tt.says) || strings.Contains(out+errs, sentinel) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", tt.event, code, tt.code, tt.says, out, errs)
		}
		if c, i := len(s.fake.Comments(p.number)), len(s.fake.Issues()); c != tt.comments || i != tt.issues {
			t.Errorf("%s: %d comments and %d issues, want %d and %d", tt.event, c, i, tt.comments, tt.issues)
		}
		if tt.code == 2 && len(s.fake.Requests()) != 0 {
			t.Errorf("%s: asked %v", tt.event, s.fake.Requests())
		}
	}
	if r.report.Outcome == finding.Clean {
		t.Error("the report has nothing to tell")
	}
}
