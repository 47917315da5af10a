package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// anchorFlags say whose record decides.
type anchorFlags struct {
	Base   string `placeholder:"REV" help:"Judge a change: this revision decides every comparison."`
	Anchor string `enum:",head" default:"" help:"head: trust this checkout's own locks, as a pipeline owner's word."`
}

// gitlabBase is the variable in which GitLab names the base of a merge request.
const gitlabBase = "CI_MERGE_REQUEST_DIFF_BASE_SHA"

// setAnchor finds the anchor and the head that belongs to it: the work tree for
// a person, git objects in a pipeline.
func (f anchorFlags) setAnchor(a *app, o *scanner.Options) error {
	ci := a.getenv("CI") != ""
	base := f.Base
	if base == "" && ci && f.Anchor == "" {
		base = a.getenv(gitlabBase)
	}
	if f.Base != "" && f.Anchor != "" {
		return usage("--base judges a change, --anchor head a checkout that you trust", "--base and --anchor exclude each other")
	}
	repo, err := tree.OpenRepository(o.Root)
	if errors.Is(err, tree.ErrNoRepository) || err == nil && !sameFolder(repo.Root(), o.Root) {
		return f.outside(ci, base, o)
	} else if err != nil {
		return fmt.Errorf("read the git repository: %w", err)
	}
	head, err := repo.Head()
	if errors.Is(err, tree.ErrUnborn) {
		return f.outside(ci, base, o)
	} else if err != nil {
		return fmt.Errorf("find HEAD: %w", err)
	}
	headTree, err := repo.Tree(head)
	if err != nil {
		return fmt.Errorf("read the tree of HEAD: %w", err)
	}
	if ci {
		o.Head, o.Root, o.WriteOut = headTree, "", writeOut
		o.Tracked, o.Staged = headTree, nil
		o.SameRepository = a.sameRepository()
	}
	return f.choose(a, repo, head, base, ci, o)
}

// outside is for a folder that is no repository or has no commit.
func (f anchorFlags) outside(ci bool, base string, o *scanner.Options) error {
	o.Anchor = scanner.Anchor{Kind: "none", StandIn: !ci}
	switch {
	case base != "":
		return usage("git init, and commit", "there is no revision %q: this is no git repository with a commit", base)
	case f.Anchor == "head":
		o.Anchor = scanner.Anchor{Kind: "head", FS: o.Head}
	case ci:
		o.NoStart, o.NoStartHint = noAnchor, noAnchorHint
	}
	return nil
}

const (
	noAnchor     = "a pipeline without an anchor starts nothing"
	noAnchorHint = "--base REV judges a change, --anchor head trusts this checkout"
)

func (f anchorFlags) choose(a *app, repo *tree.Repository, head, base string, ci bool, o *scanner.Options) error {
	set := func(kind, commit string) error {
		fsys, err := repo.Tree(commit)
		if err != nil {
			return fmt.Errorf("read the anchor %.12s: %w", commit, err)
		}
		o.Anchor.Kind, o.Anchor.Commit, o.Anchor.FS = kind, commit, fsys
		return nil
	}
	switch {
	case base != "":
		commit, err := repo.Resolve(base)
		if missing, ok := errors.AsType[*tree.MissingError](err); err == nil || ok && missing.ID == base {
			o.Anchor.Change = true
		}
		switch {
		case err == nil:
			return errors.Join(set("base", commit), f.setTip(repo, commit, o))
		case o.Anchor.Change:
			return f.fetched(a, repo, base, o)
		}
		return usage("git fetch it first, or name another", "there is no revision %q here", base)
	case f.Anchor == "head":
		return set("head", head)
	case ci:
		o.Anchor.Kind = "none"
		o.NoStart, o.NoStartHint = noAnchor, noAnchorHint
		return nil
	}
	o.Anchor.StandIn = true
	return f.mergeBase(a, repo, head, o, set)
}

// fetched brings the one commit that a shallow checkout lacks. The store that
// holds it lives as long as the run.
func (f anchorFlags) fetched(a *app, repo *tree.Repository, id string, o *scanner.Options) error {
	a.note("fetching the base commit " + id[:12])
	more, err := repo.Fetch(a.ctx, id)
	if err != nil {
		return usage("git fetch origin "+id, "the base commit %.12s is not here and cannot be fetched", id)
	}
	a.atEnd(func() { _ = more.Close() })
	fsys, err := more.Tree(id)
	if err != nil {
		return fmt.Errorf("read the anchor %.12s: %w", id, err)
	}
	o.Anchor.Kind, o.Anchor.Commit, o.Anchor.FS = "base", id, fsys
	return nil
}

// mergeBase is a person's anchor: where HEAD left the remote's default branch.
func (f anchorFlags) mergeBase(a *app, repo *tree.Repository, head string, o *scanner.Options, set func(kind, commit string) error) error {
	tip, err := repo.RemoteDefault()
	switch {
	case errors.Is(err, tree.ErrNoRemote):
		return set("head", head)
	case errors.Is(err, tree.ErrRemoteUnknown):
		o.Anchor.Kind = "none"
		a.note("the remote's default branch is not known here, so no lock is approved by it: " + hintOf(err))
		return nil
	case err != nil:
		return fmt.Errorf("find the remote's default branch: %w", err)
	}
	if err := f.setTip(repo, "", o); err != nil {
		return err
	}
	commit, err := repo.MergeBase(head, tip)
	if err != nil {
		o.Anchor.Kind = "none"
		a.note("HEAD and the remote's default branch have no common commit here (a shallow clone?): git fetch --unshallow")
		return nil
	}
	return set("merge-base", commit)
}

// setTip loads the remote's default branch where it is known and not older than
// the base: what it revoked since is revoked.
func (f anchorFlags) setTip(repo *tree.Repository, base string, o *scanner.Options) error {
	tip, err := repo.RemoteDefault()
	if err != nil {
		return nil // a checkout that does not know the branch has the base's word alone
	}
	if base != "" {
		if older, err := repo.Contains(tip, base); err != nil || older {
			return nil
		}
	}
	if o.Tip, err = repo.Tree(tip); err != nil {
		return fmt.Errorf("read the remote's default branch: %w", err)
	}
	return nil
}

// hintOf is the advice that an error carries.
func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// note tells something on the side that shapes the result.
func (a *app) note(text string) {
	_, _ = fmt.Fprintf(a.stderr, "toolwarrant: %s\n", finding.Claim(text))
}

// writeOut puts a folder of git objects on disk; without a folder an empty one.
func writeOut(fsys fs.FS, dir string) (string, func(), error) {
	if dir == "" {
		return tree.EmptyDir()
	}
	return tree.WriteOut(fsys, dir)
}
