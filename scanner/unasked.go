package scanner

import (
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// refuseUnasked takes the belief from locks that fix what their launch does not ask
// for.
func refuseUnasked(targets []Target, locks []Lock) {
	for _, t := range targets {
		for i, l := range locks {
			if l.Invalid != nil || l.Entry.Launch.Digest != t.Launch.Digest || !t.Understood() {
				continue
			}
			if member := unasked(t, l); member != "" {
				locks[i] = l.refuse(member, "it fixes something else than its launch asks for: it was edited by hand")
			}
		}
	}
}

// unasked names the member of a lock's artifact that its launch does not ask for;
// empty where it asks for all, or the lock fixes nothing. Two files that agree with
// each other may still be about another package.
func unasked(t Target, l Lock) string {
	a := l.Entry.Artifact
	if a == nil || len(t.Declared) == 0 || t.remote() {
		return ""
	}
	c := t.command()
	switch {
	case fixable(c) != (a.Ecosystem == ecosystemNPM || a.Ecosystem == ecosystemPyPI), fixable(c) && a.Ecosystem != c.Ecosystem:
		return "/ecosystem"
	case !fixable(c):
		return ""
	case a.Tree == nil:
		return "/name"
	}
	if tree, ok := l.Tree.(fetch.Tree); ok && !asksFor(c, tree) {
		return "/tree"
	}
	return ""
}

// asksFor reports whether a launch asks for exactly what the root of a tree does.
func asksFor(c manifest.Command, tree fetch.Tree) bool {
	specs, err := specsOf(c)
	return err == nil && fetch.Asks(tree, specs)
}
