package scanner

import (
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
)

// proposal reports whether a reviewer can approve what a change asks for: its
// locks cover what it declares and agree with it, and whatever counts is a
// question of approval. What could not be read, and a lock that says something
// else than the declaration beside it, is none: its author has to act.
func (sc *scan) proposal(r finding.Report, results []verified) bool {
	if !sc.o.Anchor.Change || sc.policy.Broken() || r.Outcome == finding.Clean {
		return false
	}
	return !slices.ContainsFunc(results, func(v verified) bool { return v.stale }) && approvable(r.Findings)
}

func approvable(list []finding.Finding) bool {
	return !slices.ContainsFunc(list, func(f finding.Finding) bool {
		switch {
		case f.Known:
			return false
		case f.Outcome == finding.Undetermined:
			return true
		case f.Outcome == finding.Refused:
			return f.Rule != ruleLocalChanged.ID
		}
		return f.Outcome == finding.Escalation && slices.Contains(unapprovable, f.Rule)
	})
}

// unapprovable are escalations that no review makes good: bytes and texts that are
// not what their digests say, what an owner has barred, and a gate that cannot be
// read.
var unapprovable = []string{
	"lock/invalid", "lock/edited", "lock/hidden", "package/bytes-changed", "launch/barred", "policy/denied", "policy/invalid",
	"plugin/digest-mismatch", "plugin/signature-invalid", "plugin/publisher-revoked",
}
