package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

var ruleLockInvalid = Rule{
	ID:     "lock/invalid",
	Title:  "A lock that cannot be believed",
	Why:    "Every digest in a lock is computed from the members beside it. Where one does not fit, somebody changed the text or the digest by hand: what a reviewer reads is then not what was approved.",
	Remedy: "Take the last good version from git, or read the difference and run `toolwarrant seal NAME`.",
	Level:  finding.Error,
	Bad:    Example{Lock: `{"lockVersion": 1}`},
	Good:   Example{State: compared},
	check: func(s Subject, r Rule) []finding.Finding {
		if s.State != lockInvalid {
			return nil
		}
		f := r.new(s, s.LockAt, fmt.Sprintf("the lock is not believed: %s; nothing was started", s.Invalid.Reason))
		f.Hint = s.Hint
		return []finding.Finding{f}
	},
}
