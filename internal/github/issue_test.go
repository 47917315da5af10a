package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// sees is what a run reports: an outcome and the targets it is about.
func sees(run int64, o finding.Outcome, targets ...string) IssueOrder {
	r := finding.Report{Outcome: o}
	for _, t := range targets {
		f := finding.New("surface/changed", finding.Warning, finding.Location{File: ".mcp.json", Line: 1}, "differs").As(o)
		f.Target = t
		r.Findings = append(r.Findings, f)
	}
	return IssueOrder{Key: report.MarkerKey("", ""), Report: r, Run: Run{run, 1}}
}

func TestIssueLife(t *testing.T) {
	type turn struct {
		order IssueOrder
		did   Deed
		state string
	}
	c, d, e := finding.Clean, finding.Drift, finding.Escalation
	for name, turns := range map[string][]turn{
		"nothing":             {{sees(1, c), Unneeded, ""}, {sees(2, c), Unneeded, ""}},
		"an escalation":       {{sees(1, e, "a"), Posted, "open"}, {sees(2, e, "a"), Untouched, "open"}, {sees(3, c), Edited, "open"}, {sees(4, c), Edited, "closed"}, {sees(5, c), Untouched, "closed"}},
		"drift in two runs":   {{sees(1, d, "a"), Posted, "closed"}, {sees(2, d, "a", "b"), Edited, "open"}, {sees(3, d, "b"), Edited, "open"}},
		"drift that goes":     {{sees(1, d, "a"), Posted, "closed"}, {sees(2, c), Edited, "closed"}, {sees(3, d, "a"), Edited, "closed"}, {sees(4, d, "a"), Edited, "open"}},
		"other drift":         {{sees(1, d, "a"), Posted, "closed"}, {sees(2, d, "b"), Edited, "closed"}, {sees(3, e, "b"), Edited, "open"}},
		"clean once":          {{sees(1, e, "a"), Posted, "open"}, {sees(2, c), Edited, "open"}, {sees(3, e, "a"), Edited, "open"}, {sees(4, c), Edited, "open"}, {sees(5, c), Edited, "closed"}, {sees(6, e, "a"), Edited, "open"}},
		"outdated":            {{sees(5, e, "a"), Posted, "open"}, {sees(4, c), NotPosted, "open"}},
		"undetermined, twice": {{sees(1, finding.Undetermined), Posted, "closed"}, {sees(2, finding.Undetermined), Edited, "open"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(t)
			for i, turn := range turns {
				if got := h.client.KeepIssue(t.Context(), turn.order); got.Did != turn.did {
					t.Errorf("%d: %s (%d), want %d", i, got, got.Did, turn.did)
				}
				all := h.Issues()
				if turn.state == "" && len(all) != 0 || turn.state != "" && (len(all) != 1 || all[0].State != turn.state) {
					t.Errorf("%d: %v, want one that is %s", i, all, turn.state)
				}
			}
		})
	}
}

// What a person closed stays closed, until something worse comes.
func TestIssueClosedByPerson(t *testing.T) {
	h := newHub(t)
	h.client.KeepIssue(t.Context(), sees(1, finding.Escalation, "a"))
	body := h.Issues()[0].Body
	other := newHub(t)
	other.AddIssue(fakegithub.Issue{Title: "t", Body: body, State: "closed", Author: actionsLogin})
	for _, turn := range []struct {
		order IssueOrder
		state string
	}{
		{sees(2, finding.Escalation, "a"), "closed"},
		{sees(3, finding.Drift, "b"), "closed"},
		{sees(4, finding.Drift, "b"), "closed"},
		{sees(5, finding.Escalation, "b"), "open"},
	} {
		if got := other.client.KeepIssue(t.Context(), turn.order); got.Did != Edited || other.Issues()[0].State != turn.state {
			t.Errorf("run %d: %s, %s, want %s", turn.order.Run.ID, got, other.Issues()[0].State, turn.state)
		}
	}
}

func TestIssuesOfOthers(t *testing.T) {
	h := newHub(t)
	h.client.KeepIssue(t.Context(), sees(1, finding.Escalation, "a"))
	body := h.Issues()[0].Body
	forged := newHub(t)
	forged.AddIssue(fakegithub.Issue{Title: "t", Body: body, Author: "mallory"})
	forged.AddIssue(fakegithub.Issue{Title: "t", Body: body, Author: actionsLogin})
	forged.AddIssue(fakegithub.Issue{Title: "t", Body: body, Author: actionsLogin})
	forged.client.KeepIssue(t.Context(), sees(2, finding.Escalation, "b"))
	var states []string
	for _, i := range forged.Issues() {
		states = append(states, i.State)
	}
	if want := []string{"open", "open", "closed"}; !slices.Equal(states, want) || forged.Issues()[0].Body != body || forged.Issues()[1].Body == body {
		t.Errorf("states %v, want %v, and the first one as it was", states, want)
	}
}

func TestIssueRequests(t *testing.T) {
	h := newHub(t)
	const list = "GET /issues?creator=github-actions%5Bbot%5D&page=1&per_page=100&state=all"
	h.client.KeepIssue(t.Context(), sees(1, finding.Drift, "a"))
	if diff := cmp.Diff([]string{"GET /user", list, "POST /issues", "PATCH /issues/1"}, h.log()); diff != "" {
		t.Errorf("first sight (-want +got):\n%s", diff)
	}
	h.client.KeepIssue(t.Context(), sees(2, finding.Drift, "a"))
	if diff := cmp.Diff([]string{"GET /user", list, "PATCH /issues/1"}, h.log()); diff != "" {
		t.Errorf("second sight (-want +got):\n%s", diff)
	}
	h.Fail("PATCH /issues/1", fakegithub.Failure{Status: 403})
	if got := h.client.KeepIssue(t.Context(), sees(3, finding.Escalation, "b")); got.Did != NotPosted || !strings.Contains(got.Fix, "issues: write") {
		t.Errorf("%s; %s", got, got.Fix)
	}
}

func TestLongIssue(t *testing.T) {
	h := newHub(t)
	o := sees(1, finding.Escalation)
	for range 2000 {
		more := sees(1, finding.Escalation, strings.Repeat("long", 60)+fmt.Sprint(len(o.Report.Findings))).Report.Findings
		o.Report.Findings = append(o.Report.Findings, more...)
	}
	if got := h.client.KeepIssue(t.Context(), o); got.Did != Posted {
		t.Errorf("%s", got)
	}
	if body := h.Issues()[0].Body; !strings.HasSuffix(body, "has the rest.\n") {
		t.Errorf("it is not said that the issue is cut: %d bytes", len(body))
	}
}

func FuzzIssueState(f *testing.F) {
	s := (&issuer{IssueOrder: sees(1, finding.Drift, "a"), things: digests([]string{"a", "b"})}).state(true, 1)
	f.Add(s.String() + "\r\nbody")
	f.Add("<!-- toolwarrant-issue:1 -->")
	f.Fuzz(func(t *testing.T, body string) {
		s, ok := parseIssueState(body)
		if !ok {
			return
		}
		again, ok := parseIssueState(s.String())
		if diff := cmp.Diff(s, again, cmp.AllowUnexported(issueState{}, Run{})); !ok || diff != "" {
			t.Errorf("%s", diff)
		}
	})
}
