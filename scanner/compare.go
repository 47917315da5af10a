package scanner

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// compareLive sets a reading against the target's lock, which fixes these
// packages.
func compareLive(s Subject, r reading, sealed fetch.Closure) Subject {
	s.Cause = finding.Upstream
	s.moves = movesOf(sealed, r.tree)
	switch {
	case r.result.Reason == bytesDiffer:
		s.State, s.Reason, s.Hint, s.Cause = tampered, r.result.Detail, r.hint(), finding.Change
		return s
	case r.result.Unstable:
		s.State, s.Reason = unstable, r.result.Detail
		if r.seen != nil && s.Old.Read != nil {
			s.New, s.Changes = r.seen, lockfile.Diff(*s.Old, *r.seen)
		}
		return s
	case r.entry == nil:
		s.State, s.Reason, s.Hint = unread, r.why(), r.hint()
		return s
	}
	s.New = r.entry
	if s.Old.Read == nil || s.Old.Review.State == lockfile.LaunchApproved {
		s.State, s.Reason = pending, fmt.Sprintf("its launch is approved, its surface %s is not", Short(r.entry.Surface()))
		s.Hint = "toolwarrant seal shows what was read and asks"
		return s
	}
	return compareSurfaces(s, *s.Old, *r.entry)
}

func compareSurfaces(s Subject, old, new lockfile.Entry) Subject {
	s.Changes = lockfile.Diff(old, new)
	switch {
	case old.Surface() == new.Surface():
		s.State = compared
	case len(new.Tools()) == 0 && len(old.Tools()) > 0:
		s.State, s.Changes = vanished, slices.DeleteFunc(s.Changes, func(c lockfile.Change) bool { return !aboutPackages(c) })
	case !sameProbe(old.Read.Probe, new.Read.Probe):
		s.State = probeDiffers
		s.Files, s.Changes = differingItems(s.Changes), nil
		s.Reason = "probe-differs: its surface differs, and it was read in another way than its lock (" + probeDifference(old.Read.Probe, new.Read.Probe) + "); it differs in " + someOf(s.Files)
	default:
		s.State = compared
	}
	return s
}

func sameProbe(a, b lockfile.Probe) bool {
	return probeDifference(a, b) == ""
}

// probeDifference names the first way in which two readings differ.
func probeDifference(a, b lockfile.Probe) string {
	switch {
	case a.Platform != b.Platform:
		return fmt.Sprintf("platform %s, not %s", b.Platform, a.Platform)
	case a.Client != b.Client:
		return fmt.Sprintf("client %s, not %s", b.Client, a.Client)
	case !bytes.Equal(a.Capabilities, b.Capabilities):
		return "other client capabilities"
	case !slices.Equal(a.RealEnv, b.RealEnv):
		return fmt.Sprintf("real values for %q, not %q", b.RealEnv, a.RealEnv)
	}
	return ""
}
