package scanner

import (
	"slices"

	"github.com/toolwarrant/toolwarrant/lockfile"
)

// WaiverReason is the reason for which the policy may accept that a proposal's
// target was not read; empty where it may not: a server that breaks the protocol
// or a limit is never waived, and neither is one that is not understood.
func WaiverReason(p Proposal) string {
	if p.Fate != NotRead || !p.Target.Understood() {
		return ""
	}
	class := firstWord(p.Reason)
	if p.Inspection.Failure != nil {
		class = p.Inspection.Failure.Reason
	}
	if reason := likely[class]; reason != "" {
		return reason
	}
	if !slices.Contains(waivable["needs-backend"], class) {
		return ""
	}
	if refers(p.Target.Launch) {
		return "needs-auth"
	}
	return "needs-backend"
}

// likely is, for each failure that says why, the reason that it means.
var likely = map[string]string{
	"missing-program": "missing-program", "needs-build": "needs-build",
	"unresolvable": "unresolvable", "refused-dependency": "unresolvable", "remote": "unresolvable", "start-failed": "unresolvable",
}

// refers reports whether a launch is given variables of its user, as a server is
// that logs in somewhere.
func refers(l lockfile.Launch) bool {
	for _, v := range l.Env {
		if len(v.Ref) > 0 {
			return true
		}
	}
	return false
}
