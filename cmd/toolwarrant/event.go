package main

import (
	"encoding/json"
	"io"
	"os"
)

// maxEvent is the most bytes of the file in which GitHub describes an event; its
// own bound on a payload is 25 MB.
const maxEvent = 32 << 20

// sameRepository reports whether the pipeline itself says that a change comes
// from the repository and not from a fork. What nobody says is a fork's.
func (a *app) sameRepository() bool {
	if target := a.getenv("CI_MERGE_REQUEST_PROJECT_ID"); target != "" {
		return target == a.getenv("CI_MERGE_REQUEST_SOURCE_PROJECT_ID")
	}
	switch a.getenv("GITHUB_EVENT_NAME") {
	case "push":
		return true
	case "pull_request":
		return a.ownPullRequest(a.getenv("GITHUB_EVENT_PATH"))
	}
	return false
}

// ownPullRequest reads the payload of a pull_request event: the head's repository
// is null once a fork is deleted.
func (a *app) ownPullRequest(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	type side struct {
		Repo struct {
			ID int64 `json:"id"`
		} `json:"repo"`
	}
	var event struct {
		PullRequest struct {
			Head side `json:"head"`
			Base side `json:"base"`
		} `json:"pull_request"`
	}
	data, err := io.ReadAll(io.LimitReader(f, maxEvent))
	if err != nil || json.Unmarshal(data, &event) != nil {
		return false
	}
	head, base := event.PullRequest.Head.Repo.ID, event.PullRequest.Base.Repo.ID
	return head != 0 && head == base
}
