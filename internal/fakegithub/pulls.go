package fakegithub

import (
	"net/http"
	"slices"
	"strings"
)

// PullRequest is one. Its commits are those of its head that its base lacks.
type PullRequest struct {
	Number           int    // 0: the next
	Author           string // login; empty for an account that is gone
	Head, Base       string // commits
	HeadRef, BaseRef string // change and main where empty
	Fork             bool
	Gone             bool // the head's repository was deleted
	Closed           bool
}

// Review is one of a pull request.
type Review struct {
	User   string // login; empty for an account that is gone
	State  string // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING
	Commit string
}

type pull struct {
	PullRequest
	reviews []Review
	ids     []int64
}

// Open makes a pull request, or replaces it but for its reviews, and returns its
// number.
func (s *Server) Open(p PullRequest) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Number == 0 {
		s.number++
		p.Number = s.number
	}
	s.number = max(s.number, p.Number)
	if p.HeadRef == "" {
		p.HeadRef = "change"
	}
	if p.BaseRef == "" {
		p.BaseRef = s.standard
	}
	if s.pulls[p.Number] == nil {
		s.pulls[p.Number] = &pull{}
	}
	s.pulls[p.Number].PullRequest = p
	return p.Number
}

// Review adds a review.
func (s *Server) Review(number int, r Review) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pulls[number]
	p.reviews, p.ids = append(p.reviews, r), append(p.ids, s.id())
}

func (s *Server) describe(p *pull) map[string]any {
	const fork = RepositoryID + 1
	head := map[string]any{"ref": p.HeadRef, "sha": p.Head, "repo": s.repository(0)}
	switch {
	case p.Gone:
		head["repo"] = nil
	case p.Fork:
		head["repo"] = s.repository(fork)
	}
	state := "open"
	if p.Closed {
		state = "closed"
	}
	return map[string]any{
		"number": p.Number, "state": state, "user": s.account(p.Author), "head": head,
		"base": map[string]any{"ref": p.BaseRef, "sha": p.Base, "repo": s.repository(0)}, "commits": len(s.commits(p)),
	}
}

// Payload is the pull request as the payload of an event has it.
func (s *Server) Payload(number int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describe(s.pulls[number])
}

// Described is the repository as the payload of an event has it.
func (s *Server) Described() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repository(0)
}

// commits are those of a pull request, the oldest first.
func (s *Server) commits(p *pull) (out []Commit) {
	merged := s.past(p.Base)
	for _, id := range s.past(p.Head) {
		if c, ok := s.store.commit(id); ok && !slices.Contains(merged, id) {
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return out
}

func (s *Server) find(c *call) *pull {
	p := s.pulls[c.number("number")]
	if p == nil {
		c.none()
	}
	return p
}

func (s *Server) getPulls(c *call) {
	q := c.r.URL.Query()
	var all []map[string]any
	for number := s.number; number > 0; number-- {
		p := s.pulls[number]
		if p == nil || q.Get("state") != "all" && p.Closed != (q.Get("state") == "closed") {
			continue
		}
		if head := q.Get("head"); head != "" && head != s.owner+":"+p.HeadRef {
			continue
		}
		all = append(all, s.describe(p))
	}
	list(c, all)
}

func (s *Server) getPull(c *call) {
	if p := s.find(c); p != nil {
		c.answer(http.StatusOK, s.describe(p))
	}
}

func (s *Server) getReviews(c *call) {
	p := s.find(c)
	if p == nil {
		return
	}
	var all []map[string]any
	for i, r := range p.reviews {
		all = append(all, map[string]any{"id": p.ids[i], "user": s.account(r.User), "state": r.State, "commit_id": r.Commit})
	}
	list(c, all)
}

// mostCommits is how many commits of a pull request the API lists.
const mostCommits = 250

func (s *Server) getPullCommits(c *call) {
	p := s.find(c)
	if p == nil {
		return
	}
	var all []map[string]any
	for _, x := range s.commits(p) {
		all = append(all, map[string]any{
			"sha": x.ID, "author": s.mailed(x.Author), "committer": s.mailed(x.Committer),
			"commit": map[string]any{"message": x.Message, "author": map[string]string{"email": x.Author}, "committer": map[string]string{"email": x.Committer}},
		})
	}
	list(c, all[:min(len(all), mostCommits)])
}

// mailed is the account of an address: LOGIN@users.noreply.github.com has one, and
// noreply@github.com is web-flow's.
func (s *Server) mailed(address string) *Account {
	if address == "noreply@github.com" {
		return s.account("web-flow")
	}
	login, ok := strings.CutSuffix(address, "@users.noreply.github.com")
	if !ok {
		return nil
	}
	return s.account(login)
}

func (s *Server) getPermission(c *call) {
	login := c.path("login")
	level, ok := s.levels[strings.ToLower(login)]
	if !ok {
		level = "read"
	}
	c.answer(http.StatusOK, map[string]any{"permission": level, "role_name": level, "user": s.account(login)})
}
