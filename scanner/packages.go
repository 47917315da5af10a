package scanner

import (
	"context"
	"slices"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// packageMoves are the packages that differ between two trees, a line each.
type packageMoves struct{ Added, Removed, Moved, Bytes []string }

func movesOf(old, new fetch.Closure) packageMoves {
	var m fetch.Moves
	switch was := old.(type) {
	case fetch.Tree:
		if is, ok := new.(fetch.Tree); ok {
			m = fetch.Compare(was, is)
		}
	case fetch.Requirements:
		if is, ok := new.(fetch.Requirements); ok {
			m = fetch.CompareRequirements(was, is)
		}
	}
	return packageMoves(m)
}

// packageEvents are those that diffArtifact gives about bytes.
var packageEvents = []lockfile.Event{lockfile.VersionChanged, lockfile.TreeChanged, lockfile.BytesChanged, lockfile.InstallScriptAdded}

func aboutPackages(c lockfile.Change) bool { return slices.Contains(packageEvents, c.Event) }

// otherBytes reports whether a lock names other bytes for the same launch. A
// program of the machine comes with no change, and code of the repository is
// compared by itself.
func otherBytes(old, new Lock) bool {
	a := old.Entry.Artifact
	switch {
	case old.Entry.Launch.Digest != new.Entry.Launch.Digest:
		return false
	case a == nil: // packages that the base does not fix, and the change does
		return new.Tree != nil
	case a.Ecosystem == ecosystemBinary || a.Ecosystem == ecosystemLocal:
		return false
	}
	return !SameBytes(old.Entry, new.Entry)
}

// SameBytes reports whether two entries, of which the first has an artifact, were
// read from the same bytes; none at all is not.
func SameBytes(old, new lockfile.Entry) bool {
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
func (o Options) resolved(ctx context.Context, t Target) (a *lockfile.Artifact, tree fetch.Closure, why string) {
	c := t.Declared[0].Launch.Command()
	if !fixable(c) {
		image, err := o.image(ctx, t)
		return image, nil, unrecorded(err)
	}
	if err := takenElsewhere(t, c); err != nil {
		return nil, nil, "its packages are not fixed: " + err.Error()
	}
	artifact, tree, err := o.closure(ctx, c, source{now: true})
	if err != nil {
		return nil, nil, "its packages are not fixed: " + err.Error()
	}
	return &artifact, tree, ""
}

// closure is what a launch brings, and what is recorded of it.
func (o Options) closure(ctx context.Context, c manifest.Command, from source) (lockfile.Artifact, fetch.Closure, error) {
	if c.Ecosystem == ecosystemPyPI {
		r, err := o.requirementsOf(ctx, c, from)
		if err != nil {
			return lockfile.Artifact{}, nil, err
		}
		a, err := pythonArtifact(c, r)
		return a, r, err
	}
	tree, err := o.treeOf(ctx, c, from)
	if err != nil {
		return lockfile.Artifact{}, nil, err
	}
	a, err := npmArtifact(c, tree, c.Packages[0].Name)
	return a, tree, err
}
