package scanner

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Fate is what sealing one target would do.
type Fate int

// The fates. The zero value writes nothing.
const (
	NotRead    Fate = iota // it could not be read in full; the old lock stays
	Fresh                  // there is no lock yet
	Same                   // the lock stays as it is
	Refreshed              // the same launch and surface, in other bytes: places, or a newer classifier
	Differs                // it differs from its lock, and somebody has to accept it
	Worthless              // it declares nothing
	Barred                 // its lock is disabled or revoked
	Unclear                // its declaration is not understood
	Unconfined             // nothing would confine it
)

// Proposal is the lock that sealing a target would write.
type Proposal struct {
	Target     Target
	Fate       Fate
	File       string // of the lock, from the repository's root
	New        lockfile.Entry
	Data       []byte
	Tree       fetch.Closure // of the packages that the lock fixes, which lies beside it
	TreeData   []byte
	Findings   []finding.Finding  // the difference to the old lock, judged
	Inspection finding.Inspection // what was read
	Reason     string
}

// Accept is the digest that accepts the proposal: of the surface, or of the
// launch where only that differs.
func (p Proposal) Accept() string {
	old := p.Target.Lock
	if p.New.Read == nil || old != nil && old.Invalid == nil && old.Entry.Surface() == p.New.Surface() {
		return p.New.Launch.Digest
	}
	return p.New.Surface()
}

// Propose reads a target, or with launchOnly starts nothing, and returns the
// lock it would get. It writes nothing.
func Propose(ctx context.Context, o Options, r Repo, t Target, launchOnly bool) Proposal {
	p := Proposal{Target: t, File: LockFile(r, t)}
	switch {
	case !t.Understood():
		p.Fate, p.Reason, p.Findings = Unclear, "its declaration is not understood in full", o.declarationFindings(t)
		return p
	case t.Lock != nil && barredState(t.Lock.Entry.Review.State):
		p.Fate, p.Reason = Barred, fmt.Sprintf("its lock is %s", t.Lock.Entry.Review.State)
		return p
	case launchOnly:
		p.New = lockfile.Entry{Kind: "server", Name: t.Name, Places: t.places(), Launch: t.Launch,
			Review: lockfile.Review{State: lockfile.LaunchApproved, Launch: t.Launch.Digest}}
		p.New.Artifact, p.Tree, p.Reason = o.resolved(ctx, t)
		return p.settle(r)
	case t.remote():
		p.Reason = "remote: only servers on standard input and output are read; --launch-only locks its address"
		return p
	}
	read := o.read(ctx, t, source{now: true})
	p.Inspection = o.inspection(t, read)
	if read.result.Reason == noSandbox {
		p.Fate, p.Reason = Unconfined, "not started: "+read.result.Detail+"; "+unconfinedHint
		return p
	}
	if read.entry == nil {
		p.Reason = read.why()
		return p
	}
	p.New, p.Tree, p.Reason = *read.entry, read.tree, unrecorded(read.unknown)
	p.New.Places = t.places()
	return p.withSurface(r)
}

func (p Proposal) withSurface(r Repo) Proposal {
	old := p.Target.Lock
	gone := old != nil && len(old.Entry.Tools()) > 0 && len(p.New.Tools()) == 0
	switch {
	case gone:
		p.Reason = "vanished: it listed no tool, where its lock holds some"
		return p
	case empty(p.New):
		p.Fate, p.Reason = Worthless, "it declares nothing worth sealing: no tool, resource, template, prompt or instructions"
		return p
	}
	if old != nil && old.Entry.Surface() == p.New.Surface() {
		// how it was read matters only where it was read otherwise; with the probe
		// stays the digest of that platform's program
		if a := old.Entry.Artifact; a != nil && old.Entry.Read.Probe.Platform != p.New.Read.Probe.Platform && a.Ecosystem == ecosystemBinary {
			p.New.Artifact = a
		} else if a != nil && p.New.Artifact == nil && a.Ecosystem == ecosystemOCI { // nothing says that it moved
			p.New.Artifact = a
		}
		p.New.Read.Probe = old.Entry.Read.Probe
		p.New.Read.ObservedHost = bothHosts(old.Entry.Read.ObservedHost, p.New.Read.ObservedHost)
	}
	return p.settle(r)
}

// bothHosts are the hosts that a server wanted in either reading: one that is ended
// early does not always come as far. Where neither could see, nil.
func bothHosts(old, new []string) []string {
	if old == nil || new == nil {
		return append(old, new...)
	}
	all := slices.Concat([]string{}, old, new)
	slices.Sort(all)
	return slices.Compact(all)
}

func empty(e lockfile.Entry) bool {
	for _, list := range lockfile.Lists {
		if len(e.Read.Lists[list]) > 0 {
			return false
		}
	}
	return e.Read.Server.Instructions == nil
}

// settle compares the proposal with the lock that it would replace.
func (p Proposal) settle(r Repo) Proposal {
	data, err := p.New.Bytes()
	if err != nil {
		p.Fate, p.Reason = NotRead, err.Error()
		return p
	}
	p.Data = data
	if p.Tree != nil {
		if p.TreeData, err = p.Tree.Bytes(); err != nil {
			p.Fate, p.Reason = NotRead, err.Error()
			return p
		}
	}
	old := p.Target.Lock
	switch {
	case old == nil && r.invalidAt(p.File):
		p.Fate, p.Reason = Differs, "the lock that is there is not believed"
	case old == nil:
		p.Fate = Fresh
	case bytes.Equal(old.data, data):
		p.Fate = Same
	case old.Entry.Launch.Digest == p.New.Launch.Digest && old.Entry.Surface() == p.New.Surface() && old.Entry.Review.State == p.New.Review.State &&
		(old.Entry.Artifact == nil || SameBytes(old.Entry, p.New)):
		p.Fate = Refreshed
	default:
		p.Fate = Differs
		p.Findings = judge(p.subject(r, *old))
	}
	return p
}

// subject sets the proposal against the old lock.
func (p Proposal) subject(r Repo, old Lock) Subject {
	before, after := inferred(old.Entry), inferred(p.New)
	s := Subject{
		Name: p.Target.Name, At: p.Target.At(), LockAt: old.At("/launch"), Cause: finding.Change,
		State: compared, Old: &before, New: &after, Others: r.toolsBeside(p.Target), Changes: lockfile.Diff(before, after), moves: movesOf(old.Tree, p.Tree),
	}
	return s
}

func (r Repo) invalidAt(file string) bool {
	return slices.ContainsFunc(r.Locks, func(l Lock) bool { return l.File == file && l.Invalid != nil })
}

// places are those of the declarations; a target that was typed keeps those of
// its lock.
func (t Target) places() []string {
	places := t.Places()
	if len(places) == 0 && t.Lock != nil {
		return t.Lock.Entry.Places
	}
	return places
}

// LockFile is the file of a target's lock: the one it has, else one named after
// it. Of several launches under one name the first by place gets the plain name.
func LockFile(r Repo, t Target) string {
	if t.Lock != nil && !r.held(*t.Lock, t) {
		return t.Lock.File
	}
	plain := inLockDir(lockfile.FileName(t.Name))
	if r.first(t) && !r.taken(plain, t) {
		return plain
	}
	file, _, _ := strings.Cut(strings.Join(t.Places(), "\n"), "#")
	if long := inLockDir(lockfile.FileNameAt(t.Name, file)); !r.taken(long, t) {
		return long
	}
	return inLockDir(lockfile.FileNameAt(t.Name, strings.Join(t.Places(), "\n")+t.Launch.Digest))
}

func inLockDir(name string) string { return path.Join(LockDir, name+LockSuffix) }

// held reports whether another declared target has the launch of a lock that
// lists a place of t: the two shared it until t moved away.
func (r Repo) held(l Lock, t Target) bool {
	return !t.Sealed() && slices.ContainsFunc(r.Targets, func(o Target) bool {
		return len(o.Declared) > 0 && o.Launch.Digest == l.Entry.Launch.Digest && o.Launch.Digest != t.Launch.Digest
	})
}

// first reports whether t is the first by place of the targets of its name.
func (r Repo) first(t Target) bool {
	for _, other := range r.Targets {
		if other.Name == t.Name && len(other.Declared) > 0 && other.Launch.Digest != t.Launch.Digest &&
			strings.Join(other.Places(), "\n") < strings.Join(t.Places(), "\n") && len(t.Places()) > 0 {
			return false
		}
	}
	return true
}

// taken reports whether a believed lock of another target lies there.
func (r Repo) taken(file string, t Target) bool {
	return slices.ContainsFunc(r.Locks, func(l Lock) bool {
		return l.File == file && l.Invalid == nil && l.Entry.Launch.Digest != t.Launch.Digest
	})
}
