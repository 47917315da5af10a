package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
)

// TestInitWorkflow: every action is named by a commit, and the one job may write
// a comment and alerts, and nothing else.
func TestInitWorkflow(t *testing.T) {
	var w struct {
		On          map[string]any
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Uses, Run string }
		}
	}
	text := workflowText(strings.Repeat("a", 40), "release/1.0")
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Permissions) != 0 || len(w.Jobs) != 1 || w.On["pull_request_target"] != nil || w.On["workflow_run"] != nil {
		t.Errorf("%+v", w)
	}
	job := w.Jobs["toolwarrant"]
	if len(job.Steps) != 3 {
		t.Errorf("%d steps", len(job.Steps))
	}
	for _, s := range job.Steps {
		if !regexp.MustCompile(`^[a-z-]+(/[a-z-]+)+@[0-9a-f]{40}$`).MatchString(s.Uses) || s.Run != "" {
			t.Errorf("step %+v", s)
		}
	}
	want := map[string]string{"contents": "read", "actions": "read", "security-events": "write", "pull-requests": "write"}
	if !maps.Equal(job.Permissions, want) {
		t.Errorf("permissions %v", job.Permissions)
	}
	if push, ok := w.On["push"].(map[string]any); !ok || !slices.Equal(push["branches"].([]any), []any{"release/1.0"}) {
		t.Errorf("push %v", w.On["push"])
	}
	if !ourAction.MatchString(text) {
		t.Error("a second run does not know the workflow again")
	}
}

// TestInitPolicy: what is written is a policy that says what it should, whatever
// a server is called.
func TestInitPolicy(t *testing.T) {
	for _, name := range []string{"notes", "a: b", `"quoted" \ 'name'`, "{}", "#", "- x", "ünï", "<&>", "yes", "1"} {
		waivers := []finding.Waiver{
			{Server: name, Reason: "needs-auth", Why: `a "login"`, Until: "2026-08-30", Accepted: true},
			{Server: "other", Reason: "needs-auth", Why: "x", Until: "2026-08-30"},
		}
		text := policyText(true, waivers)
		p, found := policy.Parse([]byte(text), policyPath)
		if len(found) > 0 {
			t.Fatalf("%q: %v\n%s", name, found, text)
		}
		if _, ok := p.Waives(name, "needs-auth", "2026-08-30"); !ok || p.FailOn != policy.FailNever || len(p.Servers) != 1 {
			t.Errorf("%q: %+v", name, p)
		}
	}
	if p, found := policy.Parse([]byte(policyText(false, nil)), policyPath); len(found) > 0 || len(p.Differences(policy.Default())) > 0 {
		t.Errorf("without a trial it is not the default: %v", found)
	}
}
