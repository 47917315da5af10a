package github

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	headID = strings.Repeat("a", 40)
	baseID = strings.Repeat("b", 40)
)

// The payloads have what GitHub sends, and members around it that nobody reads.
const (
	ourRepository = `"repository": {"id": 7, "node_id": "R_x", "name": "tool", "full_name": "octo-org/tool", "private": true, "default_branch": "main", "owner": {"login": "octo-org"}}`
	ourPull       = `"pull_request": {"id": 1, "number": 12, "state": "open", "title": "::error::x", "user": {"login": "octocat", "id": 5}, "merge_commit_sha": null,
		"head": {"label": "octocat:feature/x", "ref": "feature/x", "sha": "HEAD", "repo": REPO}, "base": {"ref": "main", "sha": "BASE", "repo": {"id": 7}}}`
)

func text(s, repo string) string {
	return strings.NewReplacer("HEAD", headID, "BASE", baseID, "REPO", repo).Replace(s)
}

func TestReadEvent(t *testing.T) {
	repository := Repository{ID: 7, FullName: "octo-org/tool", DefaultBranch: "main", Private: true}
	pull := func(head int64) *PullRequest {
		return &PullRequest{Number: 12, Author: "octocat", HeadSHA: headID, BaseSHA: baseID, HeadRef: "feature/x", BaseRef: "main", HeadRepoID: head, BaseRepoID: 7}
	}
	gone := pull(0)
	gone.Author = ""
	tests := []struct {
		name, event, payload string
		want                 Event
		fork                 bool
	}{
		{"pull request", "pull_request", text(`{"action": "synchronize", "number": 12, `+ourRepository+`, `+ourPull+`}`, `{"id": 7}`),
			Event{Name: "pull_request", Action: "synchronize", Repository: repository, PullRequest: pull(7)}, false},
		{"a fork's", "pull_request", text(`{"action": "opened", `+ourRepository+`, `+ourPull+`}`, `{"id": 8, "fork": true}`),
			Event{Name: "pull_request", Action: "opened", Repository: repository, PullRequest: pull(8)}, true},
		{"a deleted fork's, of an account that is gone", "pull_request", strings.Replace(text(`{"action": "opened", `+ourRepository+`, `+ourPull+`}`, `null`), `{"login": "octocat", "id": 5}`, `null`, 1),
			Event{Name: "pull_request", Action: "opened", Repository: repository, PullRequest: gone}, true},
		{"review", "pull_request_review", text(`{"action": "submitted", "review": {"state": "approved"}, `+ourRepository+`, `+ourPull+`}`, `{"id": 7}`),
			Event{Name: "pull_request_review", Action: "submitted", Repository: repository, PullRequest: pull(7)}, false},
		{"target", "pull_request_target", text(`{"action": "opened", `+ourRepository+`, `+ourPull+`}`, `{"id": 8}`),
			Event{Name: "pull_request_target", Action: "opened", Repository: repository, PullRequest: pull(8)}, true},
		{"merge group", "merge_group", text(`{"action": "checks_requested", "merge_group": {"head_sha": "HEAD", "head_ref": "refs/heads/gh-readonly-queue/main/pr-12-bbbb", "base_sha": "BASE", "base_ref": "refs/heads/main"}, `+ourRepository+`}`, ""),
			Event{Name: "merge_group", Action: "checks_requested", Repository: repository, MergeGroup: &MergeGroup{HeadSHA: headID, BaseSHA: baseID, HeadRef: "gh-readonly-queue/main/pr-12-bbbb", BaseRef: "main"}}, false},
		{"push", "push", text(`{"ref": "refs/heads/main", "before": "BASE", "after": "HEAD", `+ourRepository+`}`, ""), Event{Name: "push", Repository: repository}, false},
		{"schedule, without a repository", "schedule", `{"schedule": "0 6 * * 1"}`, Event{Name: "schedule"}, false},
		{"dispatch", "workflow_dispatch", `{"inputs": {"pull_request": "x"}, "ref": "refs/heads/main", ` + ourRepository + `}`, Event{Name: "workflow_dispatch", Repository: repository}, false},
		{"an action of no form is none", "push", `{"action": "a\n::error::b", ` + ourRepository + `}`, Event{Name: "push", Repository: repository}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadEvent(tt.event, strings.NewReader(tt.payload))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
			if got.Fork() != tt.fork {
				t.Errorf("Fork is %v", got.Fork())
			}
		})
	}
}

// TestGroupNumber: only a name exactly as GitHub makes it names a pull request.
func TestGroupNumber(t *testing.T) {
	good := "gh-readonly-queue/release/1/pr-12-" + baseID
	for ref, want := range map[string]int{
		good: 12, "gh-readonly-queue/main/pr-12-" + baseID: 0, "gh-readonly-queue/release/1/pr-012-" + baseID: 0, "gh-readonly-queue/release/1/pr-+12-" + baseID: 0,
		"gh-readonly-queue/release/1/pr--12-" + baseID: 0, "gh-readonly-queue/release/1/pr-12": 0, "gh-readonly-queue/release/1/pr-12-main": 0, "x/" + good: 0,
		"gh-readonly-queue/release/1/pr-0-" + baseID: 0, "gh-readonly-queue/release/1/pr-99999999999999999999-" + baseID: 0, good + "/x": 0, "": 0,
	} {
		if got := (MergeGroup{HeadRef: ref, BaseRef: "release/1"}).PullRequest(); got != want {
			t.Errorf("%s: %d, want %d", ref, got, want)
		}
	}
}

func TestReadEventRefuses(t *testing.T) {
	whole := text(`{`+ourRepository+`, `+ourPull+`}`, `{"id": 7}`)
	group := text(`{"merge_group": {"head_sha": "HEAD", "head_ref": "refs/heads/q", "base_sha": "BASE", "base_ref": "refs/heads/main"}}`, "")
	tests := []struct{ name, event, payload string }{
		{"no JSON", "push", `{`},
		{"a list", "push", `[]`},
		{"too large", "push", `{"a": "` + strings.Repeat("x", maxEvent) + `"}`},
		{"nested without end", "push", strings.Repeat(`{"a":`, 200_000)},
		{"no pull request", "pull_request", `{` + ourRepository + `}`},
		{"no merge group", "merge_group", whole},
		{"a short id", "pull_request", strings.Replace(whole, headID, headID[:12], 1)},
		{"an id in capitals", "pull_request", strings.Replace(whole, headID, strings.ToUpper(headID), 1)},
		{"an id that is an option", "pull_request", strings.Replace(whole, headID, "--upload-pack=x", 1)},
		{"a branch that is an option", "pull_request", strings.Replace(whole, `"ref": "feature/x"`, `"ref": "-x"`, 1)},
		{"a branch with a line", "pull_request", strings.Replace(whole, `"ref": "feature/x"`, `"ref": "x\n::error::y"`, 1)},
		{"a branch that goes up", "pull_request", strings.Replace(whole, `"ref": "feature/x"`, `"ref": "a/../b"`, 1)},
		{"a branch that hides its direction", "pull_request", strings.Replace(whole, `"ref": "feature/x"`, `"ref": "a\u202eb"`, 1)},
		{"a number in quotes", "pull_request", strings.Replace(whole, `"number": 12`, `"number": "12"`, 1)},
		{"a number with a part", "pull_request", strings.Replace(whole, `"number": 12`, `"number": 1.5`, 1)},
		{"a number without end", "pull_request", strings.Replace(whole, `"number": 12`, `"number": 1e30`, 1)},
		{"an id that is a list", "pull_request", strings.Replace(whole, `"`+headID+`"`, `["`+headID+`"]`, 1)},
		{"a base in another repository", "pull_request", strings.Replace(whole, `"repo": {"id": 7}}}`, `"repo": {"id": 9}}}`, 1)},
		{"no number", "pull_request", strings.Replace(whole, `"number": 12`, `"number": 0`, 1)},
		{"a login of no form", "pull_request", strings.Replace(whole, `"login": "octocat"`, `"login": "a b"`, 1)},
		{"a repository of no form", "push", strings.Replace(whole, `octo-org/tool`, `octo-org/../x`, 1)},
		{"a repository without an id", "push", strings.Replace(whole, `"id": 7, "node_id"`, `"node_id"`, 1)},
		{"a group with a short id", "merge_group", strings.Replace(group, baseID, "bbbb", 1)},
		{"a group of no branch", "merge_group", strings.Replace(group, "refs/heads/q", "a..b", 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ReadEvent(tt.event, strings.NewReader(tt.payload)); err == nil {
				t.Error("no error")
			}
		})
	}
}

// FuzzReadEvent: whatever the bytes, what comes out is well-formed, and no error
// repeats what went in.
func FuzzReadEvent(f *testing.F) {
	f.Add("pull_request", []byte(text(`{"action": "opened", `+ourRepository+`, `+ourPull+`}`, `{"id": 7}`)))
	f.Add("merge_group", []byte(text(`{"merge_group": {"head_sha": "HEAD", "head_ref": "refs/heads/q", "base_sha": "BASE", "base_ref": "refs/heads/main"}}`, "")))
	f.Add("schedule", []byte(`{"schedule": "0 6 * * 1"}`))
	f.Add("pull_request_review", []byte(`{"pull_request": {"number": 1, "head": {"ref": "\n::error::"}}}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		e, err := ReadEvent(name, bytes.NewReader(data))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\"") || strings.Contains(err.Error(), "::") {
				t.Errorf("the error quotes: %q", err)
			}
			return
		}
		for _, s := range []string{e.Action, e.Repository.FullName, e.Repository.DefaultBranch} {
			if strings.ContainsAny(s, "\n\r %:\x1b`") {
				t.Errorf("not checked: %q", s)
			}
		}
		if p := e.PullRequest; p != nil && p.check() != nil {
			t.Errorf("a pull request that does not hold: %+v", *p)
		}
		if g := e.MergeGroup; g != nil && (!isID(g.HeadSHA) || !isID(g.BaseSHA) || !isRef(g.HeadRef) || !isRef(g.BaseRef)) {
			t.Errorf("a merge group that does not hold: %+v", *g)
		}
		if e.Fork() && e.PullRequest == nil {
			t.Error("a fork without a pull request")
		}
	})
}
