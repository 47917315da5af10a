package github

import (
	"context"
	"errors"
	"fmt"

	rest "github.com/google/go-github/v62/github"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// CommentOrder is a comment to keep on a pull request.
type CommentOrder struct {
	Number  int    // of the pull request
	Head    string // the commit that was judged
	Body    string // as [report.Comment] writes it; its marker says which comment it is
	Verdict finding.Outcome
	Run     Run
}

// Deed is what became of an order.
type Deed uint8

// The deeds.
const (
	NotPosted Deed = iota // Why says why; the summary and the annotations say the same
	Unneeded              // nothing to say, and nothing was said before
	Untouched             // it stands there already
	Posted
	Edited
)

// Posting is the result of an order. None of them changes a verdict.
type Posting struct {
	Did Deed
	Why string // of NotPosted, and of what is posted but not cleared up; our words
	Fix string // the permission that may be missing
}

func (p Posting) String() string {
	if p.Did == NotPosted {
		return "not posted, because: " + p.Why
	}
	return [...]string{Unneeded: "nothing to post", Untouched: "posted before", Posted: "posted", Edited: "edited"}[p.Did]
}

// Told is the result with all that there is to say of it.
func (p Posting) Told() string {
	text := p.String()
	if p.Did != NotPosted && p.Why != "" {
		text += ", but " + p.Why
	}
	if p.Fix != "" {
		text += "; " + p.Fix
	}
	return text
}

// stopped is an order that met an error.
func stopped(err error) Posting {
	out := Posting{Why: err.Error()}
	if e, ok := failed(err); ok {
		out.Fix = e.Hint()
	}
	return out
}

// PostComment keeps one comment of a folder and category on a pull request. It is
// found by its marker and its author, who is whoever the token stands for, and
// edited in place. A verdict that rose is posted anew, since an edit notifies
// nobody, and the old comment is deleted: a pointer left in its place would be one
// more comment to read past at every rise. Nothing is written where the head has
// moved or a newer run wrote.
func (c *Client) PostComment(ctx context.Context, o CommentOrder) Posting {
	marker, ok := report.ParseMarker(o.Body)
	if o.Run.ID <= 0 {
		return Posting{Why: noRun}
	}
	if !ok || !isID(o.Head) || marker.Head != o.Head || o.Number <= 0 {
		return Posting{Why: "the comment does not say which one it is"}
	}
	self, err := c.Self(ctx)
	if err != nil {
		return stopped(err)
	}
	k := &keeper{c, o, marker, said{o.Run, o.Verdict}.sign(o.Body), self}
	did, err := k.keep(ctx)
	if err == nil {
		return Posting{Did: did}
	}
	out := stopped(err)
	out.Did = did
	return out
}

const noRun = "it is not known which run this is: GITHUB_RUN_ID is not set"

// keeper carries out one order.
type keeper struct {
	*Client
	CommentOrder
	marker report.Marker
	body   string
	self   string
}

// remark is a comment of ours that stands there.
type remark struct {
	id     int64
	marker report.Marker
	said
}

var (
	errMoved    = errors.New("the head of the pull request has moved; its own run will tell")
	errOutdated = errors.New("a newer run has written")
)

func (k *keeper) keep(ctx context.Context) (Deed, error) {
	if err := k.current(ctx); err != nil {
		return NotPosted, err
	}
	mine, err := k.list(ctx)
	if err != nil {
		return NotPosted, err
	}
	if len(mine) == 0 {
		if k.Verdict == finding.Clean {
			return Unneeded, nil
		}
		return k.post(ctx, nil)
	}
	last := newest(mine)
	switch {
	case last.run.after(k.Run):
		return NotPosted, errOutdated
	case k.rose(last):
		return k.post(ctx, mine)
	case len(mine) == 1 && last.marker.Digest == k.marker.Digest:
		return Untouched, nil
	}
	return k.edit(ctx, mine)
}

// current reports whether the pull request is still at the head that was judged.
func (k *keeper) current(ctx context.Context) error {
	p, err := k.PullRequest(ctx, k.Number)
	if err != nil {
		return err
	}
	if p.HeadSHA != k.Head {
		return errMoved
	}
	return nil
}

// rose reports whether the verdict is worse than the one that was told last.
func (k *keeper) rose(last remark) bool {
	return last.run != Run{} && last.verdict != k.Verdict && last.verdict.Worse(k.Verdict) == k.Verdict
}

// list are the comments of ours about this folder and category, the oldest first.
func (k *keeper) list(ctx context.Context) ([]remark, error) {
	s := step{"reading the comments", readPulls}
	all, err := pages(ctx, k.Client, s, func(api *rest.Client, o rest.ListOptions) ([]*rest.IssueComment, *rest.Response, error) {
		return api.Issues.ListComments(ctx, k.owner, k.name, k.Number, &rest.IssueListCommentsOptions{ListOptions: o})
	})
	if err != nil {
		return nil, err
	}
	var out []remark
	for _, x := range all {
		m, ok := report.ParseMarker(x.GetBody())
		if ok && m.Key == k.marker.Key && x.GetUser().GetLogin() == k.self && x.GetID() > 0 {
			out = append(out, remark{x.GetID(), m, parseSaid(x.GetBody())})
		}
	}
	return out, nil
}

// newest is the one that was written last.
func newest(list []remark) remark {
	out := list[0]
	for _, r := range list[1:] {
		if r.run.after(out.run) {
			out = r
		}
	}
	return out
}

// edit writes the oldest comment anew and deletes the others. The others go first:
// a run that ends midway leaves what the next one mends.
func (k *keeper) edit(ctx context.Context, mine []remark) (Deed, error) {
	for _, r := range mine[1:] {
		if err := k.delete(ctx, r.id); err != nil {
			return NotPosted, err
		}
	}
	s := step{"editing the comment", writePulls}
	_, err := k.read(ctx, s, func(api *rest.Client) (*rest.Response, error) {
		_, answer, err := api.Issues.EditComment(ctx, k.owner, k.name, mine[0].id, &rest.IssueComment{Body: &k.body})
		return answer, err
	})
	if err != nil {
		return NotPosted, err
	}
	return Edited, nil
}

func (k *keeper) delete(ctx context.Context, id int64) error {
	return k.remove(ctx, step{"deleting an old comment", writePulls}, func(api *rest.Client) (*rest.Response, error) {
		return api.Issues.DeleteComment(ctx, k.owner, k.name, id)
	})
}

// post makes a comment in place of old ones, and settles with a run that did the
// same at the same time.
func (k *keeper) post(ctx context.Context, old []remark) (Deed, error) {
	s := step{"posting the comment", writePulls}
	err := k.create(ctx, s, func(api *rest.Client) (*rest.Response, error) {
		x, answer, err := api.Issues.CreateComment(ctx, k.owner, k.name, k.Number, &rest.IssueComment{Body: &k.body})
		if login := x.GetUser().GetLogin(); err == nil && isLogin(login) {
			k.self = login // an app is told its name only here
		}
		return answer, err
	}, func() (bool, error) { return k.stands(ctx) })
	if err != nil {
		return NotPosted, err
	}
	for _, r := range old {
		if err := k.delete(ctx, r.id); err != nil {
			return Posted, fmt.Errorf("an old comment stays: %w", err)
		}
	}
	return Posted, k.settle(ctx)
}

// stands reports whether this run's comment is there.
func (k *keeper) stands(ctx context.Context) (bool, error) {
	mine, err := k.list(ctx)
	for _, r := range mine {
		if r.run == k.Run && r.marker == k.marker {
			return true, nil
		}
	}
	return false, err
}

// settle leaves one comment, the oldest, with what the newest run says. The newest
// run settles; an older one that finds it there takes back its own.
func (k *keeper) settle(ctx context.Context) error {
	mine, err := k.list(ctx)
	if err != nil || len(mine) < 2 {
		return nil // it is posted; what stands twice is mended by the next run
	}
	if newest(mine).run.after(k.Run) {
		return k.yield(ctx, mine)
	}
	_, err = k.edit(ctx, mine)
	return err
}

// yield takes back this run's comment, unless it is the oldest: that one the newer
// run writes anew.
func (k *keeper) yield(ctx context.Context, mine []remark) error {
	for _, r := range mine[1:] {
		if r.run == k.Run {
			return k.delete(ctx, r.id)
		}
	}
	return nil
}
