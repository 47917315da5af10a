package fetch

import (
	"context"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Reach asks for branches and tags, and where none is the commit itself, for the
// commits between it and them. That is the repository's own word. The error is the
// context's.
func (c *Commit) Reach(ctx context.Context) (finding.Reach, error) {
	tips, whole := c.tips(ctx)
	switch {
	case ctx.Err() != nil:
		return finding.Unknown, ctx.Err()
	case strings.Contains(tips, c.id+"\t"):
		return finding.Reached, nil
	case !whole:
		return finding.Unknown, nil
	case strings.TrimSpace(tips) == "":
		return finding.Unreached, nil
	}
	return c.descend(ctx)
}

// tips lists branches and tags with what they stand for, one a line, and whether
// that is all of them.
func (c *Commit) tips(ctx context.Context) (lines string, whole bool) {
	c.gateway.allow(maxAnswer)
	said, err := c.store.run(ctx, historyTime, "ls-remote", "--quiet", "--heads", "--tags", "origin")
	return string(said.out), err == nil && said.exit.Code == 0 && len(said.out) < maxAnswer
}

// descend fetches commits without trees, as far down as the one that is here. A
// repository that sends more than those, or too many, does not tell.
func (c *Commit) descend(ctx context.Context) (finding.Reach, error) {
	err := c.fetch(ctx, maxGitHistory, historyTime, "--filter=tree:0", "--negotiation-tip="+c.id, "origin",
		"+refs/heads/*:refs/reach/heads/*", "+refs/tags/*:refs/reach/tags/*")
	if err != nil {
		return finding.Unknown, ctx.Err()
	}
	said, err := c.store.run(ctx, historyTime, "for-each-ref", "--count=1", "--contains="+c.id, "refs/reach")
	switch {
	case err != nil || said.exit.Code != 0:
		return finding.Unknown, ctx.Err()
	case len(said.out) > 0:
		return finding.Reached, nil
	}
	return finding.Unreached, nil
}
