package github

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

const token = "s3ntinel-token-Kq8wZr4Tn1Vb"

// hub is a fake with a client that notes how long it would have waited.
type hub struct {
	*fakegithub.Server
	client *Client
	waits  []time.Duration
}

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{Server: fakegithub.New("octo-org", "tool")}
	h.Demand(token, "github-actions[bot]")
	url, stop := h.Serve()
	t.Cleanup(stop)
	var err error
	h.client, err = New(Config{API: url, Repository: "octo-org/tool", Token: secret.New(token), Sleep: func(ctx context.Context, d time.Duration) error {
		h.waits = append(h.waits, d)
		return ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func mail(login string) string { return login + "@users.noreply.github.com" }

// history makes main with one commit and a pull request of n commits on it.
func (h *hub) history(n int, by string) (base, head string, number int) {
	base = h.Commit(fakegithub.Commit{Author: mail("owner"), Committer: mail("owner"), Message: "base", Files: map[string]fakegithub.File{"a.txt": {Text: "a"}}})
	h.Branch("main", base)
	head = base
	for range n {
		head = h.Commit(fakegithub.Commit{Parents: []string{head}, Author: mail(by), Committer: mail(by), Message: "change"})
	}
	h.Branch("change", head)
	return base, head, h.Open(fakegithub.PullRequest{Author: by, Head: head, Base: base})
}

func TestReads(t *testing.T) {
	h := newHub(t)
	base, head, number := h.history(2, "author")
	h.Branch("main", h.Commit(fakegithub.Commit{Parents: []string{base}, Author: mail("owner"), Committer: mail("owner"), Message: "later"}))
	ctx := t.Context()
	p, err := h.client.PullRequest(ctx, number)
	want := PullRequest{Number: number, Author: "author", HeadSHA: head, BaseSHA: base, HeadRef: "change", BaseRef: "main", HeadRepoID: fakegithub.RepositoryID, BaseRepoID: fakegithub.RepositoryID}
	if diff := cmp.Diff(want, p); diff != "" || err != nil {
		t.Errorf("pull request (-want +got), %v:\n%s", err, diff)
	}
	if got, err := h.client.MergeBase(ctx, "main", head); got != base || err != nil {
		t.Errorf("merge base %s, %v; want %s", got, err, base)
	}
	if got, err := h.client.BranchTip(ctx, "change"); got != head || err != nil {
		t.Errorf("tip %s, %v; want %s", got, err, head)
	}
	if got, err := h.client.DefaultBranch(ctx); got != "main" || err != nil {
		t.Errorf("default branch %s, %v", got, err)
	}
	var log []string
	for _, q := range h.Requests() {
		log = append(log, strings.ReplaceAll(q.String(), head, "HEAD"))
		if !q.Header {
			t.Errorf("%s came without the token", q)
		}
	}
	wantLog := []string{
		"GET /repos/octo-org/tool/pulls/1",
		"GET /repos/octo-org/tool/compare/main...HEAD?per_page=1",
		"GET /repos/octo-org/tool/git/ref/heads/change",
		"GET /repos/octo-org/tool",
	}
	if diff := cmp.Diff(wantLog, log); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestDeletedFork(t *testing.T) {
	h := newHub(t)
	_, head, number := h.history(1, "author")
	base, _ := h.client.MergeBase(t.Context(), "main", head)
	h.Open(fakegithub.PullRequest{Number: number, Author: "author", Head: head, Base: base, Gone: true})
	p, err := h.client.PullRequest(t.Context(), number)
	if err != nil || !(Event{PullRequest: &p}).Fork() {
		t.Errorf("%+v, %v: not a fork's", p, err)
	}
}

func TestFailures(t *testing.T) {
	kind := func(k Kind, status int) *APIError { return &APIError{Kind: k, Status: status} }
	s := time.Second
	tests := []struct {
		name    string
		failure fakegithub.Failure
		want    *APIError // kind and status; nil for an answer in the end
		waits   []time.Duration
	}{
		{"a fork's token", fakegithub.Failure{Status: 403, Message: "Resource not accessible by integration"}, kind(NotAllowed, 403), nil},
		{"no token", fakegithub.Failure{Status: 401}, kind(NotAllowed, 401), nil},
		{"hidden or absent", fakegithub.Failure{Status: 404}, kind(NotThere, 404), nil},
		{"gone", fakegithub.Failure{Status: 410}, kind(NotThere, 410), nil},
		{"validation", fakegithub.Failure{Status: 422, Message: "Validation Failed"}, kind(Broken, 422), nil},
		{"a redirect", fakegithub.Failure{Status: 301, Redirect: "http://127.0.0.1:1/repos/x/y"}, kind(Broken, 301), nil},
		{"secondary limit that asks to wait", fakegithub.Failure{Status: 403, Secondary: true, RetryAfter: 7, Times: 1}, nil, []time.Duration{7 * s}},
		{"secondary limit that does not", fakegithub.Failure{Status: 403, Secondary: true, Times: 2}, nil, []time.Duration{60 * s, 120 * s}},
		{"secondary limit without end", fakegithub.Failure{Status: 403, Secondary: true}, kind(Limited, 403), []time.Duration{60 * s, 120 * s}},
		{"too many requests", fakegithub.Failure{Status: 429, RetryAfter: 3, Times: 1}, nil, []time.Duration{3 * s}},
		{"too many requests, no more said", fakegithub.Failure{Status: 429, Times: 1}, nil, []time.Duration{60 * s}},
		{"an hour is not waited", fakegithub.Failure{Status: 403, Secondary: true, RetryAfter: 3600}, kind(Limited, 403), nil},
		{"primary limit, soon over", fakegithub.Failure{Status: 403, Reset: 30, Times: 1}, nil, []time.Duration{30 * s}},
		{"primary limit", fakegithub.Failure{Status: 403, Reset: 1800}, kind(Limited, 403), nil},
		{"a failure, then an answer", fakegithub.Failure{Status: 500, Times: 1}, nil, []time.Duration{s}},
		{"failures", fakegithub.Failure{Status: 502}, kind(Broken, 502), []time.Duration{s, 4 * s}},
		{"a status that no repeat mends", fakegithub.Failure{Status: 501}, kind(Broken, 501), nil},
		{"no JSON", fakegithub.Failure{Body: []byte("<html>::error::")}, kind(Broken, 200), nil},
		{"another form", fakegithub.Failure{Body: []byte(`{"number": "::error::x"}`)}, kind(Broken, 200), nil},
		{"nothing in it", fakegithub.Failure{Body: []byte(`{}`)}, kind(Broken, 0), nil},
		{"another's head", fakegithub.Failure{Body: []byte(`{"number": 1, "head": {"sha": "HEAD~1", "ref": "x"}}`)}, kind(Broken, 0), nil},
		{"without end", fakegithub.Failure{Body: []byte(`{"title": "` + strings.Repeat("x", maxAnswer) + `"}`)}, kind(Broken, 200), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t)
			_, _, number := h.history(1, "author")
			h.Fail("/pulls/1", tt.failure)
			_, err := h.client.PullRequest(t.Context(), number)
			var got *APIError
			if tt.want == nil && err != nil || tt.want != nil && (!errors.As(err, &got) || got.Kind != tt.want.Kind || got.Status != tt.want.Status) {
				t.Errorf("error %#v, want %+v", err, tt.want)
			}
			if !slices.Equal(h.waits, tt.waits) {
				t.Errorf("waited %v, want %v", h.waits, tt.waits)
			}
			if n := len(h.Requests()); n != len(tt.waits)+1 {
				t.Errorf("%d requests after %d waits", n, len(tt.waits))
			}
			if err != nil && (strings.Contains(err.Error(), "::") || strings.Contains(err.Error(), token)) {
				t.Errorf("the error repeats what it must not: %s", err)
			}
		})
	}
}

func TestNoAnswer(t *testing.T) {
	h := newHub(t)
	h.Fail("", fakegithub.Failure{Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.client.DefaultBranch(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	c, err := New(Config{API: "http://127.0.0.1:1", Repository: "a/b", Token: secret.New(token)})
	if err != nil {
		t.Fatal(err)
	}
	var e *APIError
	if _, err := c.DefaultBranch(t.Context()); !errors.As(err, &e) || e.Kind != Broken || e.Status != 0 {
		t.Errorf("error %#v", err)
	}
}

// TestTokenStays: a redirect to another host is not followed, and nothing but the
// API's origin is ever asked.
func TestTokenStays(t *testing.T) {
	reached := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		h := newHub(t)
		h.Fail("", fakegithub.Failure{Status: status, Redirect: other.URL})
		if _, err := h.client.DefaultBranch(t.Context()); err == nil {
			t.Errorf("%d was followed", status)
		}
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := h.client.http.Do(q); err == nil {
			_ = answer.Body.Close()
			t.Error("a request to another origin was sent")
		}
	}
	if reached != 0 {
		t.Errorf("the other host was reached %d times", reached)
	}
}

func TestPages(t *testing.T) {
	h := newHub(t)
	_, head, number := h.history(1, "author")
	for range 250 {
		h.Review(number, fakegithub.Review{User: "x", State: "COMMENTED", Commit: head})
	}
	j := judgement{client: h.client, number: number, head: head}
	reviews, err := j.reviews(t.Context())
	if err != nil || len(reviews) != 250 {
		t.Fatalf("%d reviews, %v", len(reviews), err)
	}
	var queries []string
	for _, q := range h.Requests() {
		queries = append(queries, q.Query)
	}
	if diff := cmp.Diff([]string{"page=1&per_page=100", "page=2&per_page=100", "page=3&per_page=100"}, queries); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	for range maxPages * 100 {
		h.Review(number, fakegithub.Review{User: "x", State: "COMMENTED", Commit: head})
	}
	var e *APIError
	if _, err := j.reviews(t.Context()); !errors.As(err, &e) || e.Kind != Broken {
		t.Errorf("a list with more pages than are read: %v", err)
	}
}

// TestPagesInCircles: a list that leads back, or away, is not followed.
func TestPagesInCircles(t *testing.T) {
	for _, next := range []string{"1", "3", "-1"} {
		h := newHub(t)
		_, head, number := h.history(1, "author")
		h.Fail("/pulls/1/reviews", fakegithub.Failure{Body: []byte(`[]`), Link: `<http://127.0.0.1:1/x?page=` + next + `>; rel="next"`})
		var e *APIError
		if _, err := (&judgement{client: h.client, number: number, head: head}).reviews(t.Context()); !errors.As(err, &e) || e.Kind != Broken {
			t.Errorf("the next page %s: %v", next, err)
		}
		if n := len(h.Requests()); n != 1 {
			t.Errorf("the next page %s: %d requests", next, n)
		}
	}
}

func TestConfig(t *testing.T) {
	bad := []Config{
		{API: "", Repository: "a/b"}, {API: "api.example.com", Repository: "a/b"}, {API: "http://api.example.com", Repository: "a/b"},
		{API: "https://user@api.example.com", Repository: "a/b"}, {API: "https://api.example.com?x", Repository: "a/b"}, {API: "ftp://127.0.0.1", Repository: "a/b"},
		{API: "https://api.example.com", Repository: "a"}, {API: "https://api.example.com", Repository: "a/b/c"}, {API: "https://api.example.com", Repository: "a/.."},
		{API: "https://api.example.com", Repository: "a/b?x"},
	}
	for _, c := range bad {
		if _, err := New(c); err == nil {
			t.Errorf("%s %s was taken", c.API, c.Repository)
		}
	}
	for _, api := range []string{"https://api.example.com", "https://ghe.example.com/api/v3", "https://ghe.example.com/api/v3/", "http://127.0.0.1:8080", "http://[::1]:80"} {
		c, err := New(Config{API: api, Repository: "a/b"})
		if err != nil || !strings.HasSuffix(c.base.Path, "/") || strings.HasSuffix(c.base.Path, "//") {
			t.Errorf("%s: %v", api, err)
		}
	}
}

func TestArguments(t *testing.T) {
	h := newHub(t)
	ctx := t.Context()
	calls := map[string]func() error{
		"number":    func() error { _, err := h.client.PullRequest(ctx, 0); return err },
		"branch":    func() error { _, err := h.client.BranchTip(ctx, "a/../b"); return err },
		"base":      func() error { _, err := h.client.MergeBase(ctx, "a b", headID); return err },
		"head":      func() error { _, err := h.client.MergeBase(ctx, headID, "-x"); return err },
		"commit":    func() error { _, err := h.client.Tree(ctx, "main"); return err },
		"reviewed":  func() error { _, err := h.client.Approval(ctx, 1, "main", nil); return err },
		"reviewed#": func() error { _, err := h.client.Approval(ctx, -1, headID, nil); return err },
	}
	for name, call := range calls {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(h.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
