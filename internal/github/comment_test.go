package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rest "github.com/google/go-github/v62/github"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// order is a comment of a run about a head: a real one, where it is clean, else
// one with these words.
func order(number int, head string, run int64, v finding.Outcome, words string) CommentOrder {
	body := report.Comment(finding.Report{Outcome: v}, report.CommentOptions{Path: "a", Category: "b", Head: head})
	if v != finding.Clean {
		m, _ := report.ParseMarker(body)
		m.Digest = fmt.Sprintf("%032x", words)
		body = m.String() + "\n" + words + "\n"
	}
	return CommentOrder{Number: number, Head: head, Body: body, Verdict: v, Run: Run{run, 1}}
}

// log are the requests that came.
func (h *hub) log() []string {
	var out []string
	for _, q := range h.Requests() {
		out = append(out, strings.ReplaceAll(q.String(), "/repos/octo-org/tool", ""))
	}
	h.Forget()
	return out
}

func TestCommentLife(t *testing.T) {
	h := newHub(t)
	_, head, n := h.history(1, "author")
	for i, tt := range []struct {
		run     int64
		verdict finding.Outcome
		more    string
		did     Deed
		log     []string
	}{
		{1, finding.Clean, "", Unneeded, []string{}},
		{2, finding.Drift, "one", Posted, []string{"POST /issues/1/comments", "GET /issues/1/comments?page=1&per_page=100"}},
		{3, finding.Drift, "one", Untouched, []string{}},
		{4, finding.Drift, "two", Edited, []string{"PATCH /issues/comments/ID"}},
		{5, finding.Escalation, "two", Posted, []string{"POST /issues/1/comments", "DELETE /issues/comments/ID", "GET /issues/1/comments?page=1&per_page=100"}},
		{4, finding.Drift, "late", NotPosted, []string{}},
		{6, finding.Clean, "", Edited, []string{"PATCH /issues/comments/ID"}},
		{7, finding.Clean, "", Untouched, []string{}},
	} {
		h.Forget()
		got := h.client.PostComment(t.Context(), order(n, head, tt.run, tt.verdict, tt.more))
		if got.Did != tt.did {
			t.Errorf("%d: %s (%d), want %d", i, got, got.Did, tt.did)
		}
		want := append([]string{"GET /user", "GET /pulls/1", "GET /issues/1/comments?page=1&per_page=100"}, tt.log...)
		log := h.log()
		for i, l := range log {
			if verb, _, ok := strings.Cut(l, "/issues/comments/"); ok {
				log[i] = verb + "/issues/comments/ID"
			}
		}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Errorf("%d: requests (-want +got):\n%s", i, diff)
		}
		if n := len(h.Comments(n)); n > 1 || n == 0 && i > 0 {
			t.Errorf("%d: %d comments stand there", i, n)
		}
	}
	if body := h.Comments(n)[0].Body; strings.Count(body, "\n") > 4 {
		t.Errorf("a clean comment is not one line:\n%s", body)
	}
}

func TestForgedMarker(t *testing.T) {
	h := newHub(t)
	_, head, n := h.history(1, "author")
	o := order(n, head, 1, finding.Drift, "one")
	forged := said{Run{999, 1}, finding.Clean}.sign(o.Body)
	h.AddComment(n, "author", forged)
	h.AddComment(n, "another[bot]", forged)
	h.AddComment(n, "github-actions[bot]", "quoted:\n"+forged)
	h.AddComment(n, "github-actions[bot]", order(n, head, 1, finding.Drift, "one").Body[:20])
	if got := h.client.PostComment(t.Context(), o); got.Did != Posted {
		t.Errorf("%s", got)
	}
	all := h.Comments(n)
	if len(all) != 5 || all[0].Body != forged || all[1].Body != forged {
		t.Errorf("the comments of others changed: %v", all)
	}
}

func TestCommentBehindManyPages(t *testing.T) {
	for _, tt := range []struct {
		others int
		did    Deed
	}{{2999, Edited}, {3000, NotPosted}} {
		h := newHub(t)
		_, head, n := h.history(1, "author")
		for i := range tt.others {
			h.AddComment(n, "author", fmt.Sprint(i))
		}
		h.AddComment(n, "github-actions[bot]", said{Run{1, 1}, finding.Drift}.sign(order(n, head, 1, finding.Drift, "one").Body))
		if got := h.client.PostComment(t.Context(), order(n, head, 2, finding.Drift, "two")); got.Did != tt.did {
			t.Errorf("%d others: %s", tt.others, got)
		}
		if got := len(h.Comments(n)); got != tt.others+1 {
			t.Errorf("%d comments, want %d", got, tt.others+1)
		}
	}
}

func TestMovedHead(t *testing.T) {
	h := newHub(t)
	_, head, n := h.history(1, "author")
	old := strings.Repeat("a", len(head))
	if got := h.client.PostComment(t.Context(), order(n, old, 1, finding.Escalation, "one")); got.Did != NotPosted || !strings.Contains(got.Why, "moved") {
		t.Errorf("%s", got)
	}
	if len(h.Comments(n)) != 0 {
		t.Error("a comment about a head that is gone")
	}
}

// Two runs saw no comment and both posted; whichever comes last settles.
func TestRace(t *testing.T) {
	for _, tt := range []struct {
		name        string
		first, next int64
		mine        int64 // the run that settles
		left        []int64
	}{
		{"the newer posted first", 2, 1, 1, []int64{2}},
		{"the newer posted last", 1, 2, 2, []int64{2}},
		{"the older settles before the newer", 1, 2, 1, []int64{1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t)
			_, head, n := h.history(1, "author")
			var ids []int64
			for _, run := range []int64{tt.first, tt.next} {
				o := order(n, head, run, finding.Drift, fmt.Sprint("run", run))
				ids = append(ids, h.AddComment(n, "github-actions[bot]", said{o.Run, o.Verdict}.sign(o.Body)))
			}
			o := order(n, head, tt.mine, finding.Drift, fmt.Sprint("run", tt.mine))
			m, _ := report.ParseMarker(o.Body)
			k := &keeper{h.client, o, m, said{o.Run, o.Verdict}.sign(o.Body), "github-actions[bot]"}
			if err := k.settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			var left []int64
			for _, c := range h.Comments(n) {
				left = append(left, parseSaid(c.Body).run.ID)
			}
			if !slices.Equal(left, tt.left) || h.Comments(n)[0].ID != ids[0] {
				t.Errorf("runs %v are left, want %v, the oldest kept", left, tt.left)
			}
		})
	}
}

func TestCommentDegrades(t *testing.T) {
	const post = "POST /issues/1/comments"
	for _, tt := range []struct {
		name  string
		on    string
		f     fakegithub.Failure
		did   Deed
		why   string
		posts int
		waits []time.Duration
	}{
		{"a fork", post, fakegithub.Failure{Status: 403}, NotPosted, "the token may not", 1, nil},
		{"no pull request", "/pulls/1", fakegithub.Failure{Status: 404}, NotPosted, "hidden", 0, nil},
		{"gone", post, fakegithub.Failure{Status: 404}, NotPosted, "hidden", 1, nil},
		{"too long or spam", post, fakegithub.Failure{Status: 422}, NotPosted, "does not take", 1, nil},
		{"limit that says how long", post, fakegithub.Failure{Status: 403, Secondary: true, RetryAfter: 7, Times: 1}, Posted, "", 2, []time.Duration{7 * time.Second}},
		{"limit that does not", post, fakegithub.Failure{Status: 403, Secondary: true, Times: 1}, Posted, "", 2, []time.Duration{time.Minute}},
		{"limit for long", post, fakegithub.Failure{Status: 429, RetryAfter: 900}, NotPosted, "15m0s", 1, nil},
		{"limit that stays", post, fakegithub.Failure{Status: 429, RetryAfter: 1}, NotPosted, "too many", 3, []time.Duration{time.Second, time.Second}},
		{"failure", post, fakegithub.Failure{Status: 502}, NotPosted, "the API failed", 1, []time.Duration{time.Second}},
		{"no list", "GET /issues/1/comments", fakegithub.Failure{Status: 403}, NotPosted, "the token may not", 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t)
			_, head, n := h.history(1, "author")
			h.Fail(tt.on, tt.f)
			got := h.client.PostComment(t.Context(), order(n, head, 1, finding.Drift, "one"))
			if got.Did != tt.did || !strings.Contains(got.Why, tt.why) || !slices.Equal(h.waits, tt.waits) {
				t.Errorf("%s; waited %v, want %v", got, h.waits, tt.waits)
			}
			posts := 0
			for _, l := range h.log() {
				if l == post {
					posts++
				}
			}
			if posts != tt.posts {
				t.Errorf("sent %d times, want %d", posts, tt.posts)
			}
			if want := tt.f.Status == 403 && tt.did == NotPosted; want != (got.Fix != "") && tt.f.Status != 404 {
				t.Errorf("fix %q", got.Fix)
			}
		})
	}
}

// A person's token has a name of its own, and what a bot wrote is not that person's.
func TestPersonalToken(t *testing.T) {
	h := newHub(t)
	_, head, n := h.history(1, "author")
	h.Demand(token, "keeper")
	h.AddComment(n, "github-actions[bot]", order(n, head, 1, finding.Drift, "one").Body)
	for _, want := range []Deed{Posted, Untouched} {
		if got := h.client.PostComment(t.Context(), order(n, head, 2, finding.Drift, "one")); got.Did != want {
			t.Errorf("%s, want %d", got, want)
		}
	}
}

func FuzzSaid(f *testing.F) {
	f.Add("x\n" + said{Run{1, 2}, finding.Drift}.String() + "\r\nz")
	f.Add("x\n<!-- toolwarrant-run:1 id=1 attempt=2 verdict=none -->")
	f.Fuzz(func(t *testing.T, body string) {
		s := parseSaid(body)
		if again := parseSaid(s.sign("m\nrest")); again != s {
			t.Errorf("%v became %v", s, again)
		}
	})
}

// An answer that is lost says nothing of the comment: a look finds it.
func TestLostAnswer(t *testing.T) {
	for _, there := range []bool{true, false} {
		h := newHub(t)
		h.Fail("/issues", fakegithub.Failure{Status: 500})
		sent := 0
		err := h.client.create(t.Context(), step{"posting", writePulls}, func(api *rest.Client) (*rest.Response, error) {
			sent++
			_, answer, err := api.Issues.Create(t.Context(), "octo-org", "tool", &rest.IssueRequest{})
			return answer, err
		}, func() (bool, error) { return there, nil })
		if (err == nil) != there || sent != 1 {
			t.Errorf("there %t: %v, sent %d times", there, err, sent)
		}
	}
}
