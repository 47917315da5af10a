package scanner

import (
	"context"
	"slices"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// packageMoves are the packages that differ between two trees, a line each.
type packageMoves struct{ Added, Removed, Moved, Bytes []string }

func movesOf(old, new *fetch.Tree) packageMoves {
	if old == nil || new == nil {
		return packageMoves{}
	}
	m := fetch.Compare(*old, *new)
	return packageMoves{m.Added, m.Removed, m.Moved, m.Bytes}
}

// packageEvents are those that diffArtifact gives about bytes.
var packageEvents = []lockfile.Event{lockfile.VersionChanged, lockfile.TreeChanged, lockfile.BytesChanged, lockfile.InstallScriptAdded}

func aboutPackages(c lockfile.Change) bool { return slices.Contains(packageEvents, c.Event) }

// otherBytes reports whether a lock names other bytes for the same launch. A
// program of the machine comes with no change, and code of the repository is
// compared by itself.
func otherBytes(old, new Lock) bool {
	a := old.Entry.Artifact
	return old.Entry.Launch.Digest == new.Entry.Launch.Digest && a != nil && a.Ecosystem != ecosystemBinary && a.Ecosystem != ecosystemLocal &&
		!sameBytes(old.Entry, new.Entry)
}

// sameBytes reports whether two entries, of which the first has an artifact, were
// read from the same bytes; none at all is not.
func sameBytes(old, new lockfile.Entry) bool {
	if new.Artifact == nil {
		return false
	}
	bytesOnly := func(e lockfile.Entry) lockfile.Entry {
		out := lockfile.Entry{Artifact: e.Artifact}
		if e.Read != nil {
			out.Read = &lockfile.Read{Probe: e.Read.Probe}
		}
		return out
	}
	return len(lockfile.Diff(bytesOnly(old), bytesOnly(new))) == 0
}

// unrecorded says why nothing is recorded of what a launch brings.
func unrecorded(err error) string {
	if err == nil {
		return ""
	}
	return "its image is not fixed: " + err.Error()
}

// resolved is what a launch would fetch, without fetching it, for a lock of the
// launch alone; why says what kept it from being resolved.
func (o Options) resolved(ctx context.Context, t Target) (a *lockfile.Artifact, tree *fetch.Tree, why string) {
	c := t.Declared[0].Launch.Command()
	if !fixable(c) {
		image, err := o.image(ctx, t)
		return image, nil, unrecorded(err)
	}
	now, err := o.treeOf(ctx, c, source{now: true})
	if err != nil {
		return nil, nil, "its packages are not fixed: " + err.Error()
	}
	artifact, err := npmArtifact(c, now)
	if err != nil {
		return nil, nil, "its packages are not fixed: " + err.Error()
	}
	return &artifact, &now, ""
}
