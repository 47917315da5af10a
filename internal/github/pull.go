package github

import (
	"context"
	"errors"
	"strings"

	rest "github.com/google/go-github/v62/github"
)

// The permissions, as workflows write them.
const (
	readContents = "contents: read"
	readPulls    = "pull-requests: read"
)

func (s step) odd(reason string) error {
	return &APIError{Step: s.what, Needs: s.needs, Reason: reason}
}

// PullRequest reads a pull request as it is now.
func (c *Client) PullRequest(ctx context.Context, number int) (PullRequest, error) {
	p, err := c.pull(ctx, number)
	return p.PullRequest, err
}

// pull is a pull request with what an approval needs besides.
type pull struct {
	PullRequest
	authorID int64
	commits  int
}

func (c *Client) pull(ctx context.Context, number int) (pull, error) {
	if number <= 0 {
		return pull{}, errors.New("a pull request without a number")
	}
	s := step{"reading the pull request", readPulls}
	var p *rest.PullRequest
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		p, answer, err = api.PullRequests.Get(ctx, c.owner, c.name, number)
		return answer, err
	})
	if err != nil {
		return pull{}, err
	}
	out := pull{PullRequest{
		Number: p.GetNumber(), Author: p.GetUser().GetLogin(), HeadSHA: p.GetHead().GetSHA(), BaseSHA: p.GetBase().GetSHA(),
		HeadRef: p.GetHead().GetRef(), BaseRef: p.GetBase().GetRef(), HeadRepoID: p.GetHead().GetRepo().GetID(), BaseRepoID: p.GetBase().GetRepo().GetID(),
	}, p.GetUser().GetID(), p.GetCommits()}
	in := p.GetBase().GetRepo().GetFullName()
	if err := out.check(); err != nil || out.Number != number || in != "" && !strings.EqualFold(in, c.owner+"/"+c.name) {
		return pull{}, s.odd("the answer is not the pull request that was asked for")
	}
	return out, nil
}

// DefaultBranch is the name of the repository's default branch.
func (c *Client) DefaultBranch(ctx context.Context) (string, error) {
	s := step{"reading the repository", readContents}
	var r *rest.Repository
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		r, answer, err = api.Repositories.Get(ctx, c.owner, c.name)
		return answer, err
	})
	if err != nil {
		return "", err
	}
	if !isRef(r.GetDefaultBranch()) {
		return "", s.odd("the default branch has a name that git does not take")
	}
	return r.GetDefaultBranch(), nil
}

// BranchTip is the id of the commit that a branch is at now; the name is without
// refs/heads/.
func (c *Client) BranchTip(ctx context.Context, branch string) (string, error) {
	if !isRef(branch) {
		return "", errors.New("a branch with a name that git does not take")
	}
	s := step{"reading the tip of a branch", readContents}
	var r *rest.Reference
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		r, answer, err = api.Git.GetRef(ctx, c.owner, c.name, "heads/"+branch)
		return answer, err
	})
	if err != nil {
		return "", err
	}
	if r.GetRef() != "refs/heads/"+branch || r.GetObject().GetType() != "commit" || !isID(r.GetObject().GetSHA()) {
		return "", s.odd("the answer is not the branch that was asked for")
	}
	return r.GetObject().GetSHA(), nil
}

// MergeBase is the id of the commit that two revisions, ids or names of branches,
// have in common. Where they have none it is an error.
func (c *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	for _, revision := range []string{base, head} {
		if !isRef(revision) {
			return "", errors.New("a revision that is neither an id nor a branch")
		}
	}
	s := step{"comparing two commits", readContents}
	var r *rest.CommitsComparison
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		r, answer, err = api.Repositories.CompareCommits(ctx, c.owner, c.name, base, head, &rest.ListOptions{PerPage: 1})
		return answer, err
	})
	if err != nil {
		return "", err
	}
	if !isID(r.GetMergeBaseCommit().GetSHA()) {
		return "", s.odd("the answer names no commit that they have in common")
	}
	return r.GetMergeBaseCommit().GetSHA(), nil
}
