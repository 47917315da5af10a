package scanner

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Target is one launch with every place that declares it and the lock that
// holds it, or one of these alone.
type Target struct {
	Name     string
	Declared []manifest.Entry // all with the same launch; empty where only a lock is there
	Launch   lockfile.Launch
	Lock     *Lock // nil where none holds the launch or lists a place of it
}

// Sealed reports whether the lock holds exactly this launch.
func (t Target) Sealed() bool {
	return t.Lock != nil && len(t.Declared) > 0 && t.Lock.Entry.Launch.Digest == t.Launch.Digest
}

// ownLock is the lock of exactly this launch, nil where there is none.
func (t Target) ownLock() *Lock {
	if !t.Sealed() {
		return nil
	}
	return t.Lock
}

// Understood reports whether every declaration was understood in full.
func (t Target) Understood() bool {
	return !slices.ContainsFunc(t.Declared, func(e manifest.Entry) bool { return !e.Understood() })
}

// At is where the target is declared, or its lock.
func (t Target) At() finding.Location {
	if len(t.Declared) > 0 {
		return t.Declared[0].At
	}
	return t.Lock.At("/name")
}

// Places lists the declarations, sorted.
func (t Target) Places() []string {
	var out []string
	for _, e := range t.Declared {
		if e.Place != "" {
			out = append(out, e.Place)
		}
	}
	slices.Sort(out)
	return out
}

// group brings declarations and locks together. Identity is the launch digest;
// a declaration whose digest no lock holds belongs to the lock that lists its
// place.
func group(entries []manifest.Entry, locks []Lock) ([]Target, error) {
	targets, err := byLaunch(entries)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	refuseUnasked(targets, locks)
	for i := range targets {
		t := &targets[i]
		if t.Lock = lockOf(*t, locks); t.Lock != nil {
			used[t.Lock.File] = true
		}
	}
	for i := range locks {
		if l := locks[i]; l.Invalid == nil && !used[l.File] {
			targets = append(targets, Target{Name: l.Entry.Name, Launch: l.Entry.Launch, Lock: &locks[i]})
		}
	}
	return targets, nil
}

func byLaunch(entries []manifest.Entry) ([]Target, error) {
	var targets []Target
	index := map[string]int{}
	for _, e := range entries {
		launch, err := lockLaunch(e.Launch)
		if err != nil {
			return nil, err
		}
		key := launch.Digest
		if !e.Understood() {
			key = e.Place // never merged with what is understood
		}
		if i, ok := index[key]; ok {
			targets[i].Declared = append(targets[i].Declared, e)
			continue
		}
		index[key] = len(targets)
		targets = append(targets, Target{Name: e.Name.Value, Declared: []manifest.Entry{e}, Launch: launch})
	}
	return targets, nil
}

func lockOf(t Target, locks []Lock) *Lock {
	for i := range locks {
		if locks[i].Invalid != nil || locks[i].Entry.Launch.Digest != t.Launch.Digest || !t.Understood() {
			continue
		}
		if unasked(t, locks[i]) != "" {
			return nil
		}
		return &locks[i]
	}
	for i := range locks {
		if locks[i].Invalid == nil && slices.ContainsFunc(t.Places(), func(p string) bool { return slices.Contains(locks[i].Entry.Places, p) }) {
			return &locks[i]
		}
	}
	return nil
}

// sortTargets orders targets by name, then by place.
func sortTargets(targets []Target) {
	slices.SortStableFunc(targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), strings.Compare(strings.Join(a.Places(), "\n"), strings.Join(b.Places(), "\n")))
	})
}
