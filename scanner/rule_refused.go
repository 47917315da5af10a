package scanner

import "github.com/toolwarrant/toolwarrant/finding"

var ruleRefused = Rule{
	ID:      "check/refused",
	Title:   "Nothing was started and nothing was compared",
	Why:     "Without an approved record to compare with, a change would be judged by what its author wrote. A run that finds none says so and fails, so that nobody takes it for a clean one.",
	Remedy:  "The message says what is missing.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: notJudged, Reason: "this event is not one that is judged"},
	Good:    Example{State: compared},
	check: inState(notJudged, func(s Subject) string {
		return "nothing was started and nothing was compared: " + s.Reason
	}),
}

// Refuse is the report of a run that judged nothing, and why.
func Refuse(o Options, why, hint string) finding.Report {
	o.Live = LiveNone
	r := newReport(o)
	r.Findings = judge(Subject{At: finding.Argument("event"), State: notJudged, Reason: why, Hint: hint})
	r = finish(r)
	r.Next = hint
	return r
}
