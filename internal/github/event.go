package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Event is what started a run, as far as it decides anything.
type Event struct {
	Name        string // as in GITHUB_EVENT_NAME
	Action      string
	Repository  Repository   // zero where the payload has none (schedule)
	PullRequest *PullRequest // of pull_request, pull_request_target and pull_request_review
	MergeGroup  *MergeGroup  // of merge_group
}

// Repository is the one that the workflow runs in.
type Repository struct {
	ID            int64
	FullName      string // owner/name
	DefaultBranch string
	Private       bool
}

// PullRequest is a request to merge a head into a base.
type PullRequest struct {
	Number           int
	Author           string // login; empty where the account is gone
	HeadSHA, BaseSHA string // the base's may be older than its branch's tip
	HeadRef, BaseRef string // names of branches, without refs/heads/
	HeadRepoID       int64  // 0: deleted
	BaseRepoID       int64
}

// MergeGroup is an entry of a merge queue.
type MergeGroup struct {
	HeadSHA, BaseSHA string
	HeadRef, BaseRef string // names of branches, without refs/heads/
}

// PullRequest is the number in the name that GitHub gives a merge group's branch,
// gh-readonly-queue/BASE/pr-NUMBER-COMMIT: of the last pull request in it. It is 0
// where the name is another. A name proves nothing.
func (m MergeGroup) PullRequest() int {
	rest, ok := strings.CutPrefix(m.HeadRef, "gh-readonly-queue/"+m.BaseRef+"/pr-")
	digits, id, two := strings.Cut(rest, "-")
	n, err := strconv.Atoi(digits)
	if !ok || !two || !isID(id) || err != nil || n <= 0 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// Fork reports whether the event is of a pull request whose head lies in another
// repository, or in none that is known.
func (e Event) Fork() bool {
	p := e.PullRequest
	return p != nil && (p.HeadRepoID == 0 || p.HeadRepoID != p.BaseRepoID)
}

// maxEvent is the most bytes of a payload; GitHub's own bound is 25 MB.
const maxEvent = 32 << 20

// payload is the part of an event that is read.
type payload struct {
	Action      string       `json:"action"`
	Repository  *repository  `json:"repository"`
	PullRequest *pullRequest `json:"pull_request"`
	MergeGroup  *struct {
		HeadSHA string `json:"head_sha"`
		HeadRef string `json:"head_ref"`
		BaseSHA string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
}

type repository struct {
	ID            int64  `json:"id"`
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
	Private       bool   `json:"private"`
}

type pullRequest struct {
	Number int `json:"number"`
	User   *struct {
		Login string `json:"login"`
	} `json:"user"`
	Head side `json:"head"`
	Base side `json:"base"`
}

type side struct {
	SHA  string `json:"sha"`
	Ref  string `json:"ref"`
	Repo *struct {
		ID int64 `json:"id"`
	} `json:"repo"`
}

// The payloads of these events are about a pull request.
var pullEvents = map[string]bool{"pull_request": true, "pull_request_target": true, "pull_request_review": true}

// ReadEvent reads the payload of the event with this name. What the event needs
// must be there and well-formed: ids of commits are full, names of branches are
// such that git takes them.
func ReadEvent(name string, r io.Reader) (Event, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err != nil {
		return Event{}, errors.New("the event's payload cannot be read")
	}
	if len(data) > maxEvent {
		return Event{}, errors.New("the event's payload is too large")
	}
	var p payload
	if json.Unmarshal(data, &p) != nil {
		return Event{}, errors.New("the event's payload does not have the form of one")
	}
	e := Event{Name: name}
	if made(p.Action, "_") {
		e.Action = p.Action
	}
	return e, e.fill(p)
}

func (e *Event) fill(p payload) (err error) {
	if p.Repository != nil {
		if e.Repository, err = p.Repository.checked(); err != nil {
			return err
		}
	}
	switch {
	case pullEvents[e.Name]:
		if err := e.fillPull(p.PullRequest); err != nil {
			return err
		}
		if base := e.PullRequest.BaseRepoID; base != 0 && e.Repository.ID != 0 && base != e.Repository.ID {
			return errors.New("the event: a pull request into another repository than the event's")
		}
		return nil
	case e.Name == "merge_group":
		return e.fillGroup(p)
	}
	return nil
}

func (r repository) checked() (Repository, error) {
	if !isRepository(r.FullName) || !isRef(r.DefaultBranch) || r.ID <= 0 {
		return Repository{}, errors.New("the event's repository is not described as one")
	}
	return Repository(r), nil
}

func (e *Event) fillPull(p *pullRequest) error {
	if p == nil {
		return errors.New("the event's payload has no pull request")
	}
	out := PullRequest{
		Number: p.Number, HeadSHA: p.Head.SHA, BaseSHA: p.Base.SHA, HeadRef: p.Head.Ref, BaseRef: p.Base.Ref,
		HeadRepoID: p.Head.repoID(), BaseRepoID: p.Base.repoID(),
	}
	if p.User != nil {
		out.Author = p.User.Login
	}
	if err := out.check(); err != nil {
		return fmt.Errorf("the event: %w", err)
	}
	e.PullRequest = &out
	return nil
}

func (s side) repoID() int64 {
	if s.Repo == nil {
		return 0
	}
	return s.Repo.ID
}

func (p PullRequest) check() error {
	switch {
	case p.Number <= 0:
		return errors.New("a pull request without a number")
	case p.Author != "" && !isLogin(p.Author):
		return errors.New("a pull request whose author has no login")
	case !isID(p.HeadSHA) || !isID(p.BaseSHA):
		return errors.New("a pull request whose commits are no full ids")
	case !isRef(p.HeadRef) || !isRef(p.BaseRef):
		return errors.New("a pull request between what git takes for no branches")
	case p.HeadRepoID < 0 || p.BaseRepoID < 0:
		return errors.New("a pull request between what is no repository")
	}
	return nil
}

func (e *Event) fillGroup(p payload) error {
	g := p.MergeGroup
	if g == nil {
		return errors.New("the event's payload has no merge group")
	}
	const heads = "refs/heads/"
	out := MergeGroup{HeadSHA: g.HeadSHA, BaseSHA: g.BaseSHA, HeadRef: strings.TrimPrefix(g.HeadRef, heads), BaseRef: strings.TrimPrefix(g.BaseRef, heads)}
	switch {
	case !isID(out.HeadSHA) || !isID(out.BaseSHA):
		return errors.New("the event: a merge group whose commits are no full ids")
	case !isRef(out.HeadRef) || !isRef(out.BaseRef):
		return errors.New("the event: a merge group of what git takes for no branches")
	}
	e.MergeGroup = &out
	return nil
}
