package action

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/internal/tree"
)

// API is what is asked of GitHub.
type API interface {
	MergeBase(ctx context.Context, base, head string) (string, error)
	BranchTip(ctx context.Context, branch string) (string, error)
	DefaultBranch(ctx context.Context) (string, error)
	Tree(ctx context.Context, commit string) (fs.FS, error)
	PullRequest(ctx context.Context, number int) (github.PullRequest, error)
}

// Ground is what a run is judged on: commits, by id.
type Ground struct {
	Kind           string // of the anchor: base, merge-base or head
	Anchor, Head   string
	Tip            string            // of the default branch, for revocations; empty where the anchor is it
	Change         bool              // the head is judged as a change of the anchor
	SameRepository bool              // the change does not come from a fork
	Static         string            // why nothing is started and files alone are compared; empty for a run that starts
	Stores         map[string]string // by commit: the folder of what was fetched
	Lent           []string          // commits whose files the conductor reads over the API
	Number         int               // of the pull request; 0 for none
	HeadSHA        string            // that a review is about
	Newest         string            // tip of the branch that a change goes into: its policy has a word on what fails the job
}

// Refusal says why a run judges nothing.
type Refusal struct{ Why, Advice string }

func (r *Refusal) Error() string { return r.Why }

// Hint says what to do.
func (r *Refusal) Hint() string { return r.Advice }

func refuse(why, advice string) error { return &Refusal{why, advice} }

// finder looks for the ground of one event.
type finder struct {
	ctx    context.Context
	runner Runner
	repo   *tree.Repository
	api    API // nil where there is none
	note   func(string)
	views  map[string]*tree.Repository // of commits that were fetched
	lent   map[string]fs.FS            // of commits that only the API has

	branch string        // the default one
	tip    string        // its commit
	policy policy.Policy // at the tip
}

// refusedEvents run with the rights of the default branch over what a stranger
// may have written, so nothing is ever started under them.
var refusedEvents = []string{"pull_request_target", "workflow_run"}

// Events are those that are judged.
var Events = []string{"pull_request", "pull_request_review", "merge_group", "push", "schedule", "workflow_dispatch"}

// allowed refuses an event by its name, before anything is read.
func allowed(event string) error {
	switch {
	case slices.Contains(refusedEvents, event):
		return refuse("the event "+event+" runs with the rights of the default branch over what a stranger may have written, so nothing is started under it",
			"run this workflow on pull_request, pull_request_review, merge_group and push instead")
	case !slices.Contains(Events, event):
		return refuse("this event is not one that is judged", "run this workflow on "+strings.Join(Events, ", "))
	}
	return nil
}

// find is the ground of an event.
func (f *finder) find(e github.Event) (Ground, error) {
	head, err := f.repo.Head()
	if err != nil {
		return Ground{}, refuse("the checkout has no commit", "actions/checkout stands before this step")
	}
	if err := f.defaultTip(e); err != nil {
		return Ground{}, err
	}
	g := Ground{Head: head, Stores: map[string]string{}}
	switch {
	case e.PullRequest != nil:
		err = f.pullRequest(&g, *e.PullRequest, e.Fork())
	case e.MergeGroup != nil:
		err = f.mergeGroup(&g, *e.MergeGroup)
	default:
		err = f.pushed(&g)
	}
	if err != nil {
		return g, err
	}
	return g, f.bring(&g)
}

// defaultTip finds the tip of the default branch, and the policy there.
func (f *finder) defaultTip(e github.Event) (err error) {
	if f.branch = e.Repository.DefaultBranch; f.branch == "" && f.api != nil {
		f.branch, _ = f.api.DefaultBranch(f.ctx)
	}
	if f.branch == "" {
		return refuse("the name of the default branch cannot be read", "give the step a github-token that may read the contents")
	}
	if f.tip, err = f.tipOf(f.branch); err != nil {
		return err
	}
	files, err := f.have(f.tip)
	if err != nil {
		return err
	}
	f.policy = policyOf(files)
	return nil
}

// newest is the policy at the tip of the branch that a change goes into; elsewhere
// that of the anchor, whose files are given.
func (f *finder) newest(g Ground, anchor fs.FS) (policy.Policy, error) {
	if g.Newest == "" || g.Newest == g.Anchor {
		return policyOf(anchor), nil
	}
	files, err := f.have(g.Newest)
	if err != nil {
		return policy.Policy{}, err
	}
	return policyOf(files), nil
}

// policyOf reads the policy of a tree; without one it is the default.
func policyOf(fsys fs.FS) policy.Policy {
	data, err := fs.ReadFile(fsys, policy.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p, _ := policy.Unreadable(policy.File)
		return p
	}
	p, _ := policy.Parse(data, policy.File)
	return p
}

// tipOf is the commit of a branch of the repository: as the API has it, else as it
// was last fetched from there. A checkout of a fork has the fork's branches, which
// their owner puts where they like.
func (f *finder) tipOf(branch string) (string, error) {
	if f.api != nil {
		if id, err := f.api.BranchTip(f.ctx, branch); err == nil {
			return id, nil
		}
	}
	if id, err := f.repo.RemoteBranch(branch, f.address(), strings.TrimSuffix(f.address(), ".git")); err == nil {
		return id, nil
	}
	return "", refuse("it cannot be read where the branch is that this change goes into", "give the step a github-token that may read the contents, or check out with fetch-depth: 0")
}

// anchors reports whether what was merged into a branch counts as approved.
func (f *finder) anchors(branch string) bool {
	if strings.HasPrefix(strings.ToLower(branch), "toolwarrant/") {
		return false
	}
	return branch == f.branch || slices.Contains(f.policy.AnchorBranches, branch)
}

// pullRequest finds the base of a pull request.
func (f *finder) pullRequest(g *Ground, p github.PullRequest, fork bool) error {
	g.Change, g.SameRepository, g.Number, g.HeadSHA = true, !fork, p.Number, p.HeadSHA
	parents, err := f.judged(g, p)
	if err != nil {
		return err
	}
	if fork && !f.runner.Hosted {
		g.Static = "a pull request from a fork, on a runner that is not GitHub's: files alone are compared"
	}
	if !f.anchors(p.BaseRef) {
		g.Kind, g.Anchor = "base", f.tip
		g.Static = "the pull request goes into a branch that approves nothing: files alone are compared with the default branch"
		return f.apart(p.HeadSHA, g.Anchor)
	}
	tip, err := f.tipOf(p.BaseRef)
	if err != nil {
		return err
	}
	g.Newest = tip
	if parents != nil {
		g.Kind, g.Anchor = "base", parents[0]
	} else {
		g.Kind = "merge-base"
		if g.Anchor, err = f.mergeBase(tip, g.Head); err != nil {
			return err
		}
	}
	if err := f.reachable(g.Anchor, tip); err != nil {
		return err
	}
	return f.apart(p.HeadSHA, g.Anchor)
}

// judged settles what is judged: the merge that GitHub made to try the pull request,
// whose parents are returned, else exactly the head that the event and its reviews
// are about. Another commit that holds the head, a merge by hand or a later one of
// the same branch, was made by nobody knows whom, and may take everything back.
func (f *finder) judged(g *Ground, p github.PullRequest) (parents []string, err error) {
	if parents, err = f.repo.Parents(g.Head); err != nil {
		return nil, refuse("the commit that is checked out cannot be read", "")
	}
	if g.Head == f.runner.SHA && f.runner.Ref == pullRef(p.Number) && len(parents) == 2 && parents[1] == p.HeadSHA {
		return parents, nil
	}
	if holds, err := f.contains(p.HeadSHA, g.Head); err != nil || !holds {
		return nil, refuse("what is checked out does not hold the head of the pull request, so it is not what would be merged", "check out with actions/checkout without a ref")
	}
	if _, err := f.repo.Tree(p.HeadSHA); err != nil {
		return nil, refuse("the head of the pull request is not among what is checked out", "check out with actions/checkout without a ref")
	}
	g.Head = p.HeadSHA
	return nil, nil
}

func pullRef(number int) string { return "refs/pull/" + itoa(number) + "/merge" }

// mergeGroup finds the base of an entry of a merge queue.
func (f *finder) mergeGroup(g *Ground, m github.MergeGroup) (err error) {
	g.Change = true // whose changes a group holds nobody says, so they count as a fork's
	if g.Head != m.HeadSHA {
		return refuse("what is checked out is not the head of the merge group", "check out with actions/checkout without a ref")
	}
	if !f.anchors(m.BaseRef) {
		g.Kind, g.Anchor = "base", f.tip
		g.Static = "the merge group goes into a branch that approves nothing: files alone are compared with the default branch"
		return f.apart(g.Head, g.Anchor)
	}
	tip, err := f.tipOf(m.BaseRef)
	if err != nil {
		return err
	}
	g.Kind, g.Newest = "merge-base", tip
	if g.Anchor, err = f.mergeBase(tip, g.Head); err != nil {
		return err
	}
	f.queued(g, m)
	if err := f.reachable(g.Anchor, tip); err != nil {
		return err
	}
	return f.apart(g.Head, g.Anchor)
}

// queued finds the pull request of a merge group that holds exactly one: what was
// approved there is approved here. The name of the group's branch says which one to
// ask for and decides nothing: the group must be the merge of that pull request's
// head, as the API has it, into the very commit that it is judged against. A group
// of several, or one that was squashed or rebased, has no pull request here, and
// what it proposes stays red.
func (f *finder) queued(g *Ground, m github.MergeGroup) {
	number := m.PullRequest()
	parents, err := f.repo.Parents(g.Head)
	if number == 0 || f.api == nil || err != nil || len(parents) != 2 || parents[0] != g.Anchor {
		f.note("the merge group is not the merge of one pull request into what it is compared with, so no approval of a pull request counts for it")
		return
	}
	switch p, err := f.api.PullRequest(f.ctx, number); {
	case err != nil:
		f.note("no approval counts for the merge group: " + err.Error())
	case p.HeadSHA != parents[1] || p.BaseRef != m.BaseRef:
		f.note("the merge group is not the merge of the pull request that its branch is named after, so no approval of that one counts for it")
	default:
		g.Number, g.HeadSHA = number, p.HeadSHA
	}
}

// pushed is for what is in a branch already: of an anchor branch the checkout
// itself decides, of any other one where it left the default branch.
func (f *finder) pushed(g *Ground) (err error) {
	g.SameRepository = true
	branch, isBranch := strings.CutPrefix(f.runner.Ref, "refs/heads/")
	if isBranch && f.anchors(branch) {
		tip, err := f.tipOf(branch)
		if err != nil {
			return err
		}
		g.Kind, g.Anchor = "head", g.Head
		return f.reachable(g.Anchor, tip)
	}
	g.Kind, g.Change, g.Newest = "merge-base", true, f.tip
	if g.Anchor, err = f.mergeBase(f.tip, g.Head); err != nil {
		return err
	}
	return f.reachable(g.Anchor, f.tip)
}

// reachable wants a commit in the history of a branch that approves: any other one
// was written by somebody whom nobody reviewed.
func (f *finder) reachable(commit, tip string) error {
	in, err := f.contains(commit, tip)
	switch {
	case err != nil:
		return refuse("it cannot be read whether the base is part of the branch", "check out with fetch-depth: 0, or give the step a github-token that may read the contents")
	case !in:
		return refuse("the commit to compare with is not part of the branch any more", "run the workflow again on the newest commit")
	}
	return nil
}

// apart wants the head outside of the anchor's history: it would approve itself.
func (f *finder) apart(head, anchor string) error {
	in, err := f.contains(head, anchor)
	switch {
	case err != nil:
		return refuse("it cannot be read whether the base holds the change already", "check out with fetch-depth: 0, or give the step a github-token that may read the contents")
	case in:
		return refuse("the commit to compare with holds the change already, so it cannot judge it", "run the workflow again on the newest commit")
	}
	return nil
}

// contains reports whether the history of commit includes ancestor: as the
// checkout has it, else as the API does.
func (f *finder) contains(ancestor, commit string) (bool, error) {
	if ancestor == commit {
		return true, nil
	}
	in, err := f.repo.Contains(ancestor, commit)
	if err == nil || f.api == nil {
		return in, err
	}
	base, err := f.api.MergeBase(f.ctx, ancestor, commit)
	return base == ancestor, err
}

// mergeBase is where heads, the first that is known, left a branch.
func (f *finder) mergeBase(tip string, heads ...string) (string, error) {
	for _, head := range heads {
		if id, err := f.repo.MergeBase(tip, head); err == nil {
			return id, nil
		}
	}
	if f.api != nil {
		for _, head := range slices.Backward(heads) {
			if id, err := f.api.MergeBase(f.ctx, tip, head); err == nil && id != "" {
				return id, nil
			}
		}
	}
	return "", refuse("it cannot be read where this change left the branch", "check out with fetch-depth: 0, or give the step a github-token that may read the contents")
}

// bring makes sure that the files of every commit are here.
func (f *finder) bring(g *Ground) error {
	if f.tip != g.Anchor {
		g.Tip = f.tip
	}
	for _, id := range []string{g.Anchor, g.Tip} {
		if id == "" {
			continue
		}
		if _, err := f.have(id); err != nil {
			return err
		}
		if view := f.views[id]; view != nil {
			g.Stores[id] = view.Store()
		}
		if f.lent[id] != nil {
			g.Lent = append(g.Lent, id)
		}
	}
	return nil
}

// have is the tree of a commit: as the checkout has it, else fetched as the one
// commit, else read over the API.
func (f *finder) have(id string) (fs.FS, error) {
	if t := f.lent[id]; t != nil {
		return t, nil
	}
	r := f.repo
	if view := f.views[id]; view != nil {
		r = view
	}
	if t, err := r.Tree(id); err == nil {
		return t, nil
	}
	f.note("fetching the commit " + id[:12])
	if view, err := f.fetch(id); err == nil {
		f.views[id] = view
		return view.Tree(id)
	}
	if f.api != nil {
		f.note("reading the commit " + id[:12] + " over the API")
		if t, err := f.api.Tree(f.ctx, id); err == nil {
			f.lent[id] = t
			return t, nil
		}
	}
	return nil, refuse("the commit "+id[:12]+", which this run is judged against, is not here and cannot be fetched", "check out with fetch-depth: 0, or give the step a github-token that may read the contents")
}

// fetch asks the runner's own server as the token's bearer, then whatever remote
// the checkout names: the id says what came.
func (f *finder) fetch(id string) (*tree.Repository, error) {
	address := f.address()
	if f.runner.Server != "" {
		for _, token := range []secret.Value{f.runner.Token, {}} {
			if view, err := f.repo.FetchAs(f.ctx, address, token, id); err == nil {
				return view, nil
			}
			if f.runner.Token.Len() == 0 {
				break
			}
		}
	}
	return f.repo.Fetch(f.ctx, id)
}

// address is where git finds the repository.
func (f *finder) address() string {
	return strings.TrimSuffix(f.runner.Server, "/") + "/" + f.runner.Repository + ".git"
}

func (f *finder) close() {
	for _, view := range f.views {
		_ = view.Close()
	}
}
