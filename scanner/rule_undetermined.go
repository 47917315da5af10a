package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

var ruleUndetermined = Rule{
	ID:      "check/undetermined",
	Title:   "It could not be told what this target can do",
	Why:     "A check that failed must never look like one that found nothing. The server did not start, answer or finish, or a file could not be read in full.",
	Remedy:  "The message names the stage and the reason; `toolwarrant inspect` shows the server's own last words.",
	Level:   finding.Error,
	Outcome: outcome(finding.Undetermined),
	Bad:     Example{State: unread, Reason: "died: it exited with code 1 before it answered"},
	Good:    Example{State: compared},
	check:   checkUndetermined,
}

func checkUndetermined(s Subject, r Rule) []finding.Finding {
	out := told(s, r)
	switch s.State {
	case unread, pending, probeDiffers:
		f := r.new(s, s.At, fmt.Sprintf("%s could not be judged: %s", finding.Claim(s.Name).Quote(), s.Reason))
		f.Hint = s.Hint
		out = append(out, f)
	case notUnderstood:
		if len(out) == 0 {
			out = append(out, r.new(s, s.At, fmt.Sprintf("%s is not declared in a way that is understood in full, so it is never started", finding.Claim(s.Name).Quote())))
		}
	}
	return out
}
