package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

var ruleLocalChanged = Rule{
	ID:      "launch/local-code-changed",
	Title:   "The repository code that a launch runs has changed",
	Why:     "\"node server.js\" stays the same command while server.js becomes another program. Starting it to look would run what nobody has approved.",
	Remedy:  "A reviewer reads the files and approves the change; the server is read after the merge.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: localChanged, Files: []string{"server.js"}},
	Good:    Example{State: compared},
	check: inState(localChanged, func(s Subject) string {
		return fmt.Sprintf("%s runs repository code that is not the anchor's: %s", finding.Claim(s.Name).Quote(), someOf(s.Files))
	}),
}

var ruleLockEdited = Rule{
	ID:     "lock/edited",
	Title:  "A lock says otherwise than the server",
	Why:    "The change that brought this lock hides a tool that the server has, or invents one: a reviewer would approve what is not there.",
	Remedy: "Run `toolwarrant seal NAME` and commit what it writes.",
	Level:  finding.Error,
	Bad:    Example{State: lockEdited, Files: []string{`tool "run_command"`}},
	Good:   Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.State != lockEdited {
			return nil
		}
		f := r.new(s, s.LockAt, fmt.Sprintf("the lock of %s is not what the server declares: %s", finding.Claim(s.Name).Quote(), someOf(s.Files)))
		f.Related, f.Hint = []finding.Location{s.At}, s.Hint
		return []finding.Finding{f}
	},
}

// someOf lists a few names and counts the rest.
func someOf(names []string) string {
	const few = 5
	var shown []string
	for _, n := range names[:min(few, len(names))] {
		shown = append(shown, finding.Claim(n).Short(120))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, ", ")
}
