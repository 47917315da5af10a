package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var ruleLaunchChanged = Rule{
	ID:     "launch/changed",
	Title:  "The command is not the one that was approved",
	Why:    "Clients approve a server by its name. A configuration that keeps the name and swaps the command runs another program without a question.",
	Remedy: "Read the new command. If it is meant, run `toolwarrant seal NAME` and commit the lock.",
	Level:  finding.Error,
	Bad:    Example{State: launchMoved, Old: `{"argv": ["npx", "-y", "some-server@1.2.3"]}`, New: `{"argv": ["npx", "-y", "other-server@1.2.3"]}`},
	Good:   Example{State: compared, Old: `{"argv": ["npx", "-y", "some-server@1.2.3"]}`, New: `{"argv": ["npx", "-y", "some-server@1.2.3"]}`},
	check:  launchChange(false),
}

var ruleLaunchChangedMinor = Rule{
	ID:     "launch/changed-minor",
	Title:  "Another version of the same package is launched, and it was read",
	Why:    "A version bump runs other code under the same name. Where its lock covers it and this run has read its surface, the surface decides how bad it is.",
	Remedy: "Read what changed in the surface; the code behind it is not in sight.",
	Level:  finding.Warning,
	Bad:    Example{State: launchMoved, ReadLive: true, Old: `{"argv": ["npx", "-y", "some-server@1.2.3"]}`, New: `{"argv": ["npx", "-y", "some-server@1.2.4"]}`},
	Good:   ruleLaunchChanged.Bad,
	check:  launchChange(true),
}

func launchChange(minor bool) func(Subject, Rule) []finding.Finding {
	return func(s Subject, r Rule) []finding.Finding {
		if s.readLive != minor {
			return nil
		}
		return checkLaunchChanged(s, r)
	}
}

func checkLaunchChanged(s Subject, r Rule) []finding.Finding {
	var parts []string
	for _, c := range s.Changes {
		if c.Event == lockfile.LaunchChanged {
			parts = append(parts, launchPart(c))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	f := r.new(s, s.At, fmt.Sprintf("%s is launched otherwise than its lock says: %s", finding.Claim(s.Name).Quote(), strings.Join(parts, "; ")))
	f.Hint = s.Hint
	if !s.LockAt.IsZero() && s.LockAt != s.At {
		f.Related = []finding.Location{s.LockAt}
	}
	return []finding.Finding{f}
}

func launchPart(c lockfile.Change) string {
	switch {
	case c.Old == nil && c.New == nil:
		return c.Path + " is another"
	case c.Old == nil:
		return fmt.Sprintf("%s is new: %s", c.Path, shown(c.New))
	case c.New == nil:
		return fmt.Sprintf("%s is gone: %s", c.Path, shown(c.Old))
	}
	return fmt.Sprintf("%s was %s, is %s", c.Path, shown(c.Old), shown(c.New))
}
