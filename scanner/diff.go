package scanner

import (
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Diff judges the step from one set of locks to another: what a reviewer is
// asked to approve. Locks are paired by launch digest, then by place, then by
// file name. Nothing is started.
func Diff(old, new []Lock, tool string) finding.Report {
	r := finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: tool}, Live: "none",
		Anchor: finding.Anchor{Kind: "lock"}, ApprovedBy: []string{}, Targets: []finding.Target{}, Findings: []finding.Finding{}}
	used := map[string]bool{}
	for _, n := range new {
		if n.Invalid != nil {
			r.Findings = append(r.Findings, judge(lockSubject(n))...)
			continue
		}
		o := partner(n, old)
		if o != nil {
			used[o.File] = true
		}
		add(&r, n, diffOne(o, n))
	}
	for _, o := range old {
		switch {
		case o.Invalid != nil:
			r.Findings = append(r.Findings, judge(lockSubject(o))...)
		case !used[o.File]:
			add(&r, o, diffGone(o))
		}
	}
	return finish(r)
}

func partner(n Lock, old []Lock) *Lock {
	for _, same := range []func(Lock) bool{
		func(o Lock) bool { return o.Entry.Launch.Digest == n.Entry.Launch.Digest },
		func(o Lock) bool {
			return slices.ContainsFunc(n.Entry.Places, func(p string) bool { return slices.Contains(o.Entry.Places, p) })
		},
		func(o Lock) bool { return o.Entry.Name == n.Entry.Name },
	} {
		for i := range old {
			if old[i].Invalid == nil && same(old[i]) {
				return &old[i]
			}
		}
	}
	return nil
}

// diffOne judges one lock against its predecessor, or as a new one.
func diffOne(o *Lock, n Lock) verified {
	after := inferred(n.Entry)
	s := Subject{Name: n.Entry.Name, At: n.At("/name"), State: compared, New: &after, Cause: finding.Change}
	before := lockfile.Entry{Read: &lockfile.Read{}}
	if o == nil {
		s.State = launchNew
	} else {
		before = inferred(o.Entry)
		s.LockAt = o.At("/name")
	}
	s.Old = &before
	if o == nil {
		before.Launch = after.Launch // its novelty is told by the state
	}
	s.Changes = lockfile.Diff(withRead(before), withRead(after))
	s.Reviewed = reviewStep(o, n)
	return verified{subject: s, findings: judge(s)}
}

// withRead lets a lock without a surface differ from one with: what nobody had
// approved before is all new.
func withRead(e lockfile.Entry) lockfile.Entry {
	if e.Read == nil {
		e.Read = &lockfile.Read{}
	}
	return e
}

// reviewStep tells a step between review states that approves, "" for none.
func reviewStep(o *Lock, n Lock) string {
	if o == nil || o.Entry.Review.State == n.Entry.Review.State {
		return ""
	}
	return fmt.Sprintf("from %s to %s", o.Entry.Review.State, n.Entry.Review.State)
}

func diffGone(o Lock) verified {
	s := Subject{Name: o.Entry.Name, At: o.At("/name"), State: lockGone, Cause: finding.Change}
	return verified{subject: s, findings: judge(s)}
}

func add(r *finding.Report, l Lock, v verified) {
	t := reportTarget(Target{Name: l.Entry.Name, Launch: l.Entry.Launch, Lock: &l}, v)
	t.Location = v.subject.At
	r.Targets = append(r.Targets, t)
	r.Findings = append(r.Findings, v.findings...)
}
