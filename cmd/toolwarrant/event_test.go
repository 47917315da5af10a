package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSameRepository(t *testing.T) {
	payload := func(text string) string {
		file := filepath.Join(t.TempDir(), "event.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	own := payload(`{"pull_request":{"head":{"repo":{"id":7}},"base":{"repo":{"id":7}}}}`)
	fork := payload(`{"pull_request":{"head":{"repo":{"id":8}},"base":{"repo":{"id":7}}}}`)
	for _, test := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"nothing is known", nil, false},
		{"a push", map[string]string{"GITHUB_EVENT_NAME": "push"}, true},
		{"an own pull request", map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": own}, true},
		{"a fork's", map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": fork}, false},
		{"a deleted fork's", map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": payload(`{"pull_request":{"head":{"repo":null},"base":{"repo":{"id":7}}}}`)}, false},
		{"no payload", map[string]string{"GITHUB_EVENT_NAME": "pull_request"}, false},
		{"no JSON", map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": payload("{")}, false},
		{"an empty payload", map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": payload("{}")}, false},
		{"pull_request_target", map[string]string{"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_EVENT_PATH": own}, false},
		{"GitLab, own", map[string]string{"CI_MERGE_REQUEST_PROJECT_ID": "7", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "7"}, true},
		{"GitLab, a fork's", map[string]string{"CI_MERGE_REQUEST_PROJECT_ID": "7", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "8"}, false},
		{"GitLab, unsaid", map[string]string{"CI_MERGE_REQUEST_PROJECT_ID": "7"}, false},
	} {
		a := app{environ: environ(test.env)}
		if got := a.sameRepository(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func environ(of map[string]string) (out []string) {
	for name, value := range of {
		out = append(out, name+"="+value)
	}
	return out
}
