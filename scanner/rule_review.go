package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

var ruleReviewChanged = Rule{
	ID:     "lock/review-changed",
	Title:  "A lock leads out of disabled or revoked, or into an approval",
	Why:    "The state of a lock decides what pipelines start and what clients are trusted with; a step towards approved is an approval.",
	Remedy: "Approve it only if you would approve the server.",
	Level:  finding.Error,
	Bad:    Example{State: compared, Reviewed: "from revoked to approved"},
	Good:   Example{State: compared, Reviewed: "from approved to disabled"},
	check:  reviewStepped(true),
}

var ruleReviewChangedMinor = Rule{
	ID:     "lock/review-changed-minor",
	Title:  "A lock leads to less approval than before",
	Why:    "A server that is disabled, revoked or no longer read is not what the lock said before.",
	Remedy: "None needed if it is meant.",
	Level:  finding.Warning,
	Bad:    Example{State: compared, Reviewed: "from approved to disabled"},
	Good:   Example{State: compared, Reviewed: "from revoked to approved"},
	check:  reviewStepped(false),
}

// approves reports whether a step between two states, "from A to B", leads into an
// approval or out of a bar. Out of revoked every step does; out of disabled every
// other one, because what is less than disabled may be approved by anybody again.
func approves(step string) bool {
	from, to, _ := strings.Cut(strings.TrimPrefix(step, "from "), " to ")
	switch {
	case to == "approved", to == "enabled", to == "removed", from == "revoked":
		return true
	case to == "launch-approved":
		return from != "approved"
	}
	return from == "disabled" && to != "revoked"
}

func reviewStepped(towards bool) func(Subject, Rule) []finding.Finding {
	return func(s Subject, r Rule) []finding.Finding {
		if s.Reviewed == "" || approves(s.Reviewed) != towards {
			return nil
		}
		return []finding.Finding{r.new(s, s.At, fmt.Sprintf("the lock of %s goes %s", finding.Claim(s.Name).Quote(), s.Reviewed))}
	}
}
