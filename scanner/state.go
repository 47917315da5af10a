package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// subjectOf is what can be told of a target before anything is started: done
// reports that nothing needs to be.
func subjectOf(t Target) (s Subject, done bool) {
	s = Subject{Name: t.Name, At: t.At(), Declared: t.Declared, Cause: finding.Change}
	if t.Lock != nil {
		s.LockAt = t.Lock.At("/launch")
		old := inferred(t.Lock.Entry)
		s.Old = &old
	}
	switch {
	case len(t.Declared) == 0:
		s.State = notDeclared
	case !t.Understood():
		s.State, s.Hint = notUnderstood, "mend the declaration; the problems are told beside it"
	case t.Lock == nil:
		s.State, s.Reason, s.Hint = notSealed, "not sealed", "toolwarrant seal "+sealName(t)
	case barredState(t.Lock.Entry.Review.State):
		s.State = barred
	case !t.Sealed():
		s.State, s.stale = launchMoved, true
		s.Changes = lockfile.Diff(lockfile.Entry{Launch: t.Lock.Entry.Launch}, lockfile.Entry{Launch: t.Launch})
		s.Hint = "toolwarrant seal " + sealName(t) + " shows the difference and asks"
	case t.remote():
		s.State, s.Reason = unread, "remote: only servers on standard input and output are read"
		s.Hint = "toolwarrant seal --launch-only locks its address"
	case t.untold() != "":
		s.State, s.Reason = unread, "unresolvable: "+t.untold()
		s.Hint = "toolwarrant seal --launch-only locks the launch; servers.NAME.waive in the policy accepts that it is not read"
	default:
		return s, false
	}
	return s, true
}

func barredState(st lockfile.State) bool {
	return st == lockfile.Disabled || st == lockfile.Revoked
}

func (t Target) remote() bool { return t.Launch.Transport != string(manifest.Stdio) }

// sealName is how the target is named on a command line: by its name where that
// is a plain word, else by its launch digest.
func sealName(t Target) string {
	if !plainWord(t.Name) || strings.Contains(t.Name, "/") {
		return Short(t.Launch.Digest)
	}
	return t.Name
}

// plainWord reports whether a shell takes text as one word of itself: commands
// that we print to be copied hold nothing else of a repository's.
func plainWord(text string) bool {
	for _, c := range text {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./", c) {
			continue
		}
		return false
	}
	return text != "" && text[0] != '-'
}

// Short is a digest in the shortest form that commands take.
func Short(digest string) string {
	const prefix, hex = len("sha256:"), 12
	if len(digest) < prefix+hex {
		return digest
	}
	return digest[:prefix+hex]
}

// lockSubject is what is told of a lock that is not believed.
func lockSubject(l Lock) Subject {
	s := Subject{Name: l.File, At: l.At(""), LockAt: l.At(""), State: lockInvalid, Invalid: l.Invalid, Cause: finding.Change}
	if plainWord(l.File) {
		s.Hint = fmt.Sprintf("git log -p -- %s shows who changed it", l.File)
	}
	return s
}
