package fakegithub

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Issue is one.
type Issue struct {
	Number int
	Title  string
	Body   string
	State  string // open or closed
	Author string // login
	Labels []string
}

// Comment is one of an issue or a pull request.
type Comment struct {
	ID     int64
	Number int // of the issue or pull request
	Author string
	Body   string
}

// AddIssue makes an issue and returns its number.
func (s *Server) AddIssue(i Issue) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addIssue(i).Number
}

func (s *Server) addIssue(i Issue) *Issue {
	s.number++
	i.Number = s.number
	if i.State == "" {
		i.State = "open"
	}
	s.issues[i.Number] = &i
	return &i
}

// AddComment makes a comment and returns its id.
func (s *Server) AddComment(number int, author, body string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addComment(number, author, body).ID
}

func (s *Server) addComment(number int, author, body string) *Comment {
	c := &Comment{s.id(), number, author, body}
	s.comments = append(s.comments, c)
	return c
}

// Issues are all issues, by number.
func (s *Server) Issues() (out []Issue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for number := 1; number <= s.number; number++ {
		if i := s.issues[number]; i != nil {
			out = append(out, *i)
		}
	}
	return out
}

// Comments are all comments of an issue or pull request, in order.
func (s *Server) Comments(number int) (out []Comment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.comments {
		if c.Number == number {
			out = append(out, *c)
		}
	}
	return out
}

// mostCharacters is how long a body may be.
const mostCharacters = 65_536

// fits refuses what GitHub refuses.
func (c *call) fits(body string) bool {
	if utf8.RuneCountInString(body) > mostCharacters {
		c.refuse(http.StatusUnprocessableEntity, "Body is too long (maximum is 65536 characters)")
		return false
	}
	return true
}

func (s *Server) describeIssue(i *Issue) map[string]any {
	labels := []map[string]string{}
	for _, l := range i.Labels {
		labels = append(labels, map[string]string{"name": l})
	}
	return map[string]any{"number": i.Number, "title": i.Title, "body": i.Body, "state": i.State, "user": s.account(i.Author), "labels": labels}
}

func (s *Server) describeComment(x *Comment) map[string]any {
	return map[string]any{"id": x.ID, "body": x.Body, "user": s.account(x.Author)}
}

func (s *Server) getIssues(c *call) {
	q := c.r.URL.Query()
	var all []map[string]any
	for number := s.number; number > 0; number-- {
		i := s.issues[number]
		if i == nil {
			continue
		}
		state := q.Get("state")
		if state == "" {
			state = "open"
		}
		labelled := q.Get("labels") == "" || !slices.ContainsFunc(strings.Split(q.Get("labels"), ","), func(l string) bool { return !slices.Contains(i.Labels, l) })
		if (state == "all" || state == i.State) && labelled {
			all = append(all, s.describeIssue(i))
		}
	}
	list(c, all)
}

// change is what a request sets of an issue.
type change struct {
	Title, Body, State *string
	Labels             *[]string
}

func (x change) apply(i *Issue) {
	for _, f := range []struct{ to, from *string }{{&i.Title, x.Title}, {&i.Body, x.Body}, {&i.State, x.State}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if x.Labels != nil {
		i.Labels = *x.Labels
	}
}

func (s *Server) postIssue(c *call) {
	var x change
	if !c.body(&x) {
		return
	}
	i := Issue{Author: s.self}
	x.apply(&i)
	if i.Title == "" {
		c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
		return
	}
	if c.fits(i.Body) {
		c.answer(http.StatusCreated, s.describeIssue(s.addIssue(i)))
	}
}

func (s *Server) getIssue(c *call) {
	if i := s.issues[c.number("number")]; i != nil {
		c.answer(http.StatusOK, s.describeIssue(i))
		return
	}
	c.none()
}

func (s *Server) patchIssue(c *call) {
	i := s.issues[c.number("number")]
	var x change
	switch {
	case i == nil:
		c.none()
	case c.body(&x) && (x.Body == nil || c.fits(*x.Body)):
		x.apply(i)
		c.answer(http.StatusOK, s.describeIssue(i))
	}
}

func (s *Server) postIssueLabels(c *call) {
	i := s.issues[c.number("number")]
	var names []string
	switch {
	case i == nil:
		c.none()
	case c.body(&names):
		for _, name := range names {
			if !slices.Contains(i.Labels, name) {
				i.Labels = append(i.Labels, name)
			}
		}
		c.answer(http.StatusOK, s.describeIssue(i)["labels"])
	}
}

func (s *Server) commented(number int) bool { return s.issues[number] != nil || s.pulls[number] != nil }

// getOfIssue answers /issues/N/comments and /issues/comments/ID, which a mux cannot
// tell apart.
func (s *Server) getOfIssue(c *call) {
	switch {
	case c.path("number") == "comments":
		c.r.SetPathValue("id", c.path("of"))
		s.getComment(c)
	case c.path("of") == "comments":
		s.getComments(c)
	default:
		c.none()
	}
}

func (s *Server) getComments(c *call) {
	number := c.number("number")
	if !s.commented(number) {
		c.none()
		return
	}
	var all []map[string]any
	for _, x := range s.comments {
		if x.Number == number {
			all = append(all, s.describeComment(x))
		}
	}
	list(c, all)
}

func (s *Server) postComment(c *call) {
	number := c.number("number")
	var x struct{ Body string }
	switch {
	case !s.commented(number):
		c.none()
	case c.body(&x) && c.fits(x.Body):
		c.answer(http.StatusCreated, s.describeComment(s.addComment(number, s.self, x.Body)))
	}
}

func (s *Server) comment(c *call) int {
	i := slices.IndexFunc(s.comments, func(x *Comment) bool { return x.ID == int64(c.number("id")) })
	if i < 0 {
		c.none()
	}
	return i
}

func (s *Server) getComment(c *call) {
	if i := s.comment(c); i >= 0 {
		c.answer(http.StatusOK, s.describeComment(s.comments[i]))
	}
}

func (s *Server) patchComment(c *call) {
	i := s.comment(c)
	var x struct{ Body string }
	switch {
	case i < 0:
	case s.comments[i].Author != s.self:
		c.refuse(http.StatusForbidden, "Resource not accessible by integration")
	case c.body(&x) && c.fits(x.Body):
		s.comments[i].Body = x.Body
		c.answer(http.StatusOK, s.describeComment(s.comments[i]))
	}
}

func (s *Server) deleteComment(c *call) {
	if i := s.comment(c); i >= 0 {
		s.comments = slices.Delete(s.comments, i, i+1)
		c.w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) getLabels(c *call) {
	var all []map[string]string
	for _, l := range s.labels {
		all = append(all, map[string]string{"name": l})
	}
	list(c, all)
}

func (s *Server) postLabel(c *call) {
	var x struct{ Name string }
	switch {
	case !c.body(&x):
	case slices.Contains(s.labels, x.Name):
		c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
	default:
		s.labels = append(s.labels, x.Name)
		c.answer(http.StatusCreated, map[string]string{"name": x.Name})
	}
}
