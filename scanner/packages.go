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

// otherBytes reports whether a lock names other bytes for the same launch.
func otherBytes(old, new Lock) bool {
	return old.Entry.Launch.Digest == new.Entry.Launch.Digest && old.Entry.Artifact != nil && !sameBytes(*old.Entry.Artifact, new.Entry.Artifact)
}

// sameBytes reports whether two artifacts are the same bytes; none at all is not.
func sameBytes(old lockfile.Artifact, new *lockfile.Artifact) bool {
	if new == nil {
		return false
	}
	return !slices.ContainsFunc(lockfile.Diff(lockfile.Entry{Artifact: &old}, lockfile.Entry{Artifact: new}), func(lockfile.Change) bool { return true })
}

// resolved is what a launch would fetch, without fetching it, for a lock of the
// launch alone; why says what kept it from being resolved.
func (o Options) resolved(ctx context.Context, t Target) (a *lockfile.Artifact, tree *fetch.Tree, why string) {
	c := t.Declared[0].Launch.Command()
	if !fixable(c) {
		return nil, nil, ""
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
