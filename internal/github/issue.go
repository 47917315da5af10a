package github

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	rest "github.com/google/go-github/v62/github"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// IssueOrder is what a scheduled run has to say.
type IssueOrder struct {
	Key    string // as [report.MarkerKey] makes it; which issue this is
	Report finding.Report
	Run    Run
}

// cleanRuns in a row close the issue.
const cleanRuns = 2

const issueTitle = "toolwarrant: what was approved has moved"

// KeepIssue keeps one issue about what a scheduled run sees, for as long as the
// repository lives: it is found by the state in its first line and by its author,
// opened, closed and opened again.
//
// An escalation opens it at once. Anything else does when two runs in a row see
// it: the first one writes it into the closed issue, and where there is none yet
// makes one and closes it. Two clean runs close it. An issue that a person closed
// stays closed until an escalation has something that was not there before.
func (c *Client) KeepIssue(ctx context.Context, o IssueOrder) Posting {
	k := &issuer{Client: c, IssueOrder: o, text: issueText(o.Report), things: digests(issueThings(o.Report))}
	if o.Run.ID <= 0 {
		return Posting{Why: noRun}
	}
	if _, ok := parseIssueState(k.state(false, 0).String()); !ok {
		return Posting{Why: "the issue does not say which one it is"}
	}
	did, err := k.keep(ctx)
	if err == nil {
		return Posting{Did: did}
	}
	out := stopped(err)
	out.Did = did
	return out
}

// issuer carries out one order.
type issuer struct {
	*Client
	IssueOrder
	text   string
	things []string
}

// tracked is an issue of ours that is there.
type tracked struct {
	number int
	open   bool
	issueState
}

// issueThings are what counts in a report, as far as two runs can agree on it.
func issueThings(r finding.Report) (out []string) {
	for _, f := range r.Findings {
		if !f.Known && f.Outcome != finding.Clean {
			out = append(out, f.Rule+"\x00"+f.Target+"\x00"+f.Location.File+"\x00"+f.Outcome.String())
		}
	}
	if len(out) == 0 && r.Outcome != finding.Clean {
		out = append(out, r.Outcome.String())
	}
	return out
}

// issueText is the report, cut after a line where it is longer than an issue.
func issueText(r finding.Report) string {
	var b strings.Builder
	_ = report.Markdown(&b, r) // a builder takes everything
	const room = report.CommentLimit - 64 - mostSeen*17 - 256
	var out strings.Builder
	left := room
	for line := range strings.Lines(b.String()) {
		if left -= len(utf16.Encode([]rune(line))); left < 0 {
			out.WriteString("\nCut here: the job summary of the run has the rest.\n")
			break
		}
		out.WriteString(line)
	}
	return out.String()
}

func (k *issuer) state(open bool, clean int) issueState {
	return issueState{k.Key, k.Run, open, clean, digest(k.text), k.things}
}

func (k *issuer) keep(ctx context.Context) (Deed, error) {
	mine, err := k.list(ctx)
	if err != nil {
		return NotPosted, err
	}
	clean, urgent := k.Report.Outcome == finding.Clean, k.Report.Outcome == finding.Escalation
	switch {
	case len(mine) == 0 && clean:
		return Unneeded, nil
	case len(mine) == 0:
		return k.open(ctx, urgent)
	case mine[0].run.after(k.Run):
		return NotPosted, errOutdated
	}
	for _, double := range mine[1:] {
		if double.open {
			if _, err := k.write(ctx, double.number, &rest.IssueRequest{State: rest.String("closed")}); err != nil {
				return NotPosted, err
			}
		}
	}
	if clean {
		return k.calm(ctx, mine[0])
	}
	return k.tell(ctx, mine[0], urgent)
}

// calm counts a clean run.
func (k *issuer) calm(ctx context.Context, was tracked) (Deed, error) {
	if !was.open && !was.issueState.open && len(was.seen) == 0 {
		return Untouched, nil
	}
	runs := min(was.clean+1, cleanRuns)
	over := !was.open || runs == cleanRuns
	return k.write(ctx, was.number, k.request(!over, runs))
}

// tell writes what was seen, and opens the issue where it is time to.
func (k *issuer) tell(ctx context.Context, was tracked, urgent bool) (Deed, error) {
	open := was.open || urgent || shares(k.things, was.seen)
	muted := was.issueState.open && !was.open
	if muted {
		open = urgent && !within(k.things, was.seen)
	}
	if was.open && was.clean == 0 && was.body == digest(k.text) && slices.Equal(was.seen, k.things) {
		return Untouched, nil
	}
	q := k.request(open, 0)
	if muted && !open {
		s := k.state(true, 0) // still closed by a person
		q.Body = rest.String(s.String() + "\n" + k.text)
	}
	return k.write(ctx, was.number, q)
}

func (k *issuer) request(open bool, clean int) *rest.IssueRequest {
	state := "closed"
	if open {
		state = "open"
	}
	return &rest.IssueRequest{State: &state, Body: rest.String(k.state(open, clean).String() + "\n" + k.text)}
}

// open makes the issue; the API makes none that is closed.
func (k *issuer) open(ctx context.Context, urgent bool) (Deed, error) {
	q := k.request(urgent, 0)
	number := 0
	err := k.create(ctx, step{"opening an issue", writeIssues}, func(api *rest.Client) (*rest.Response, error) {
		i, answer, err := api.Issues.Create(ctx, k.owner, k.name, &rest.IssueRequest{Title: rest.String(issueTitle), Body: q.Body})
		number = i.GetNumber()
		return answer, err
	}, func() (bool, error) {
		mine, err := k.list(ctx)
		if len(mine) > 0 {
			number = mine[0].number
		}
		return len(mine) > 0, err
	})
	if err != nil {
		return NotPosted, err
	}
	if !urgent && number > 0 {
		if _, err := k.write(ctx, number, &rest.IssueRequest{State: q.State}); err != nil {
			return Posted, err
		}
	}
	return Posted, nil
}

func (k *issuer) write(ctx context.Context, number int, q *rest.IssueRequest) (Deed, error) {
	_, err := k.read(ctx, step{"editing the issue", writeIssues}, func(api *rest.Client) (*rest.Response, error) {
		_, answer, err := api.Issues.Edit(ctx, k.owner, k.name, number, q)
		return answer, err
	})
	if err != nil {
		return NotPosted, err
	}
	return Edited, nil
}

// list are the issues of ours with this key, the oldest first.
func (k *issuer) list(ctx context.Context) ([]tracked, error) {
	self, err := k.Self(ctx)
	if err != nil {
		return nil, err
	}
	all, err := pages(ctx, k.Client, step{"reading the issues", "issues: read"}, func(api *rest.Client, o rest.ListOptions) ([]*rest.Issue, *rest.Response, error) {
		return api.Issues.ListByRepo(ctx, k.owner, k.name, &rest.IssueListByRepoOptions{State: "all", Creator: self, ListOptions: o})
	})
	if err != nil {
		return nil, err
	}
	var out []tracked
	for _, i := range all {
		s, ok := parseIssueState(i.GetBody())
		if ok && s.key == k.Key && i.GetUser().GetLogin() == self && !i.IsPullRequest() && i.GetNumber() > 0 {
			out = append(out, tracked{i.GetNumber(), i.GetState() == "open", s})
		}
	}
	slices.SortFunc(out, func(a, b tracked) int { return cmp.Compare(a.number, b.number) })
	return out, nil
}
