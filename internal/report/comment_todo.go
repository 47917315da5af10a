package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// todo is what reviewers do, who run nothing, and what authors run.
func (c *comment) todo() {
	seal := c.sealable()
	if c.r.Outcome == finding.Clean {
		return
	}
	c.line("")
	switch {
	case c.o.Approval == ApprovalGiven:
		c.line("**Reviewers:** nothing more. A new push needs a new approval.")
	case c.o.Approval == ByReview:
		c.line("**Reviewers:** read this, then approve the pull request. There is nothing to run.")
	case c.o.Approval == ByCodeOwners:
		c.line("**Reviewers:** a code owner of `.toolwarrant/` reads this, then approves. There is nothing to run.")
	case c.o.Fails:
		c.line("**Reviewers:** an approval does not change this.")
	default:
		c.line("**Reviewers:** read this as you read the rest. There is nothing to run.")
	}
	if len(seal) > 0 {
		c.commands(seal)
	} else if c.o.Fails && c.o.Approval == NoApproval {
		c.line("**Author:** %s", c.advice())
	}
}

// advice is for what no seal mends.
func (c *comment) advice() string {
	worst, ok := c.worst()
	switch {
	case ok && strings.HasPrefix(worst.Rule, "lock/"):
		return "run `toolwarrant list` to see which lock is not believed, restore it, and commit."
	case c.r.Outcome == finding.Undetermined:
		return "run `toolwarrant scan` to see what stopped it; the policy can waive what cannot be read."
	}
	return "run `toolwarrant scan` to see the same on your machine."
}

// mostCommands is how many targets are named before --all is simpler.
const mostCommands = 6

func (c *comment) commands(digests []string) {
	c.line("**Author:** seal, then commit `.toolwarrant/`.")
	c.line("```sh")
	for _, d := range digests[:min(len(digests), mostCommands)] {
		c.line("toolwarrant seal %s", d)
	}
	if len(digests) > mostCommands {
		c.line("# and %d more: toolwarrant list shows them", len(digests)-mostCommands)
	}
	c.line("```")
}

// sealable are the targets that need a lock or another one, by the digests of
// their launches: a command to copy holds no foreign name.
func (c *comment) sealable() []string {
	var out []string
	for _, t := range c.r.Targets {
		needs := slices.ContainsFunc(c.of(t), func(f finding.Finding) bool {
			return f.Rule == "launch/not-sealed" || f.Rule == "lock/edited" || f.Rule == "launch/changed" && strings.HasPrefix(f.Hint, "toolwarrant seal ")
		})
		if short := launchDigest.FindString(t.Launch); short != "" && (needs || c.edited(t)) && !slices.Contains(out, short) {
			out = append(out, short)
		}
	}
	return out
}

// edited reports whether the lock of a target is told to be another than the
// server's words; that finding stands in the lock.
func (c *comment) edited(t finding.Target) bool {
	return slices.ContainsFunc(c.r.Findings, func(f finding.Finding) bool {
		return f.Rule == "lock/edited" && !f.Known && f.Target == t.Name && slices.Contains(f.Related, t.Location)
	})
}

// launchDigest is a digest in the shortest form that commands take.
var launchDigest = regexp.MustCompile(`^sha256:[0-9a-f]{12}`)

// judged says against what this was judged and what was started for it.
func (c *comment) judged() {
	started := 0
	for _, t := range c.r.Targets {
		if t.Attempts > 0 {
			started++
		}
	}
	text := "Judged against " + c.anchor()
	switch {
	case started == 0:
		text += ". Nothing was started."
	default:
		text += fmt.Sprintf(". Started: %d of %s.", started, count(len(c.r.Targets), "target"))
	}
	if started > 0 && c.changedUnstarted() {
		text += " Nothing that this pull request changed was started."
	}
	c.line("\n%s", text)
	if c.r.Outcome != finding.Clean {
		c.line("▲ has to be decided or mended. △ changed, without a new dangerous power.")
	}
	if c.less {
		c.line("Some detail is left out here; the report of this run has all of it.")
	}
}

func (c *comment) anchor() string {
	var parts []string
	if c.o.Branch != "" {
		parts = append(parts, span(c.o.Branch, 60))
	}
	if commitID.MatchString(c.r.Anchor.Commit) {
		parts = append(parts, c.r.Anchor.Commit[:7])
	}
	if len(parts) == 0 {
		return "no earlier approval"
	}
	return strings.Join(parts, " at ")
}

// changedUnstarted reports whether no target with a change that counts was
// started.
func (c *comment) changedUnstarted() bool {
	any := false
	for _, t := range c.r.Targets {
		if len(c.of(t)) > 0 || c.edited(t) {
			any = true
			if t.Attempts > 0 {
				return false
			}
		}
	}
	return any
}
