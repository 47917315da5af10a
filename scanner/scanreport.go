package scanner

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// judged adds the findings about one comparison.
func (v verified) judged(s Subject, comparison string) verified {
	if s.none {
		return v
	}
	for _, f := range judge(s) {
		if f.Change != nil {
			c := *f.Change
			c.Comparison, c.Cause = comparison, f.Cause
			f.Change = &c
		}
		v.findings = append(v.findings, f)
	}
	if !v.told || comparison != "asked" {
		v.subject, v.told = s, true
	}
	return v
}

// reason is the few words beside a target.
func (v verified) reason(static Subject) string {
	switch {
	case v.subject.Reason != "":
		return v.subject.Reason
	case static.Reason != "" && v.reading.attempts == 0:
		return static.Reason
	}
	return ""
}

// settle applies what does not count: what a change did not touch or cause, and
// what the policy waives.
func (sc *scan) settle(v verified, t Target, p past) verified {
	if w, ok := sc.waived(v, t, p); ok {
		v.waived = true
		v.subject.Reason = fmt.Sprintf("not read, waived: %s (%s)", w.Reason, finding.Claim(w.Why).Short(80))
		for i := range v.findings {
			if v.findings[i].Outcome == finding.Undetermined {
				v.findings[i].Known = true
			}
		}
	}
	v.findings = append(v.findings, sc.denied(v, t)...)
	v.settled, v.found = true, compares(v.findings)
	if !sc.o.Anchor.Change || sc.policy.FailScope == policy.ScopeAll {
		return v
	}
	for i := range v.findings {
		f := &v.findings[i]
		switch {
		case f.Cause == finding.Upstream && !(v.touched && f.Outcome == finding.Undetermined):
			*f = f.As(finding.Clean) // told as not caused by this change
		case !v.touched:
			f.Known = true
		}
	}
	return v
}

// askedOf is what a target has that a policy may deny.
func (sc *scan) askedOf(v verified, t Target) policy.Asked {
	a := policy.Asked{Name: t.Name, At: t.At()}
	if t.Lock != nil {
		e := inferred(t.Lock.Entry)
		a.Capabilities = powers(&e)
	}
	if v.reading.entry != nil {
		a.Capabilities = powers(v.reading.entry)
	}
	a.Hosts = v.reading.hosts()
	return a
}

// denied tells what the policy denies of a target: powers, and each package that
// its launch fetches.
func (sc *scan) denied(v verified, t Target) []finding.Finding {
	out := sc.policy.Denied(sc.askedOf(v, t))
	if len(t.Declared) == 0 {
		return out
	}
	for _, p := range t.command().Packages {
		a := policy.Asked{Name: t.Name, At: t.At(), Ecosystem: p.Ecosystem, Package: p.Name}
		switch p.Source {
		case "git":
			a.Ecosystem = "git"
		case "url":
			a.Ecosystem = "archive"
		}
		out = append(out, sc.policy.Denied(a)...)
	}
	return out
}

// waived reports whether the policy accepts that a target is not read. Only a
// failure to read is waived; whatever else counts, counts.
func (sc *scan) waived(v verified, t Target, p past) (policy.Waiver, bool) {
	name := t.Name
	switch {
	case p.decl != nil:
		name = p.decl.Name
	case !sc.standsIn(t):
		return policy.Waiver{}, false
	}
	if t.Lock == nil || !t.Sealed() || v.subject.State != unread {
		return policy.Waiver{}, false
	}
	for _, reason := range policy.WaiverReasons() {
		if !slices.Contains(waivable[reason], v.why()) {
			continue
		}
		if w, ok := sc.policy.Waives(name, reason, sc.o.Date); ok {
			return w, true
		}
	}
	return policy.Waiver{}, false
}

// waivable lists, for each reason of a waiver, the failures that it may explain.
// A server that breaks the protocol or a limit is never waived.
var waivable = map[string][]string{
	"needs-auth": {"died", "error-answer", "timeout", "remote"}, "needs-network": {"died", "error-answer", "timeout", "remote"},
	"needs-backend": {"died", "error-answer", "timeout"}, "needs-scripts": {"died", "start-failed", "missing-program"},
	"needs-build": {"needs-build", "died", "start-failed", "missing-program"}, "missing-program": {"missing-program"},
	"unresolvable": {"unresolvable", "refused-dependency", "remote", "start-failed", "missing-program"},
}

// why is the class of a failure to read.
func (v verified) why() string {
	if v.reading.result.Reason != "" {
		return string(v.reading.result.Reason)
	}
	return firstWord(v.subject.Reason)
}

func firstWord(s string) string {
	for i, c := range s {
		if c == ':' || c == ' ' {
			return s[:i]
		}
	}
	return s
}

// report puts everything together.
func (sc *scan) report(targets []Target, results []verified) finding.Report {
	r := newReport(sc.o)
	for i, v := range results {
		r.Findings = append(r.Findings, v.findings...)
		r.Targets = append(r.Targets, reportTarget(targets[i], v))
	}
	for _, l := range sc.head.Locks {
		if l.Invalid != nil {
			r.Findings = append(r.Findings, judge(lockSubject(l))...)
		}
	}
	if sc.o.Only == nil {
		r.Findings = append(r.Findings, sc.gone()...)
	}
	r.Findings = append(r.Findings, sc.files()...)
	r.Findings = append(r.Findings, sc.gate()...)
	for _, x := range sc.head.Excluded {
		r.Excluded = append(r.Excluded, finding.Excluded{File: x})
	}
	r.Searched = len(sc.head.Files)
	r = finish(sc.ignore(r))
	r.Proposal = sc.proposal(r, results)
	return r
}

// ignore takes out what the policy ignores, counts it, and tells of entries that
// ignore nothing.
func (sc *scan) ignore(r finding.Report) finding.Report {
	used := map[finding.Location]bool{}
	r.Findings = slices.DeleteFunc(r.Findings, func(f finding.Finding) bool {
		f.Fingerprint = fingerprint(r, f)
		i, ok := sc.policy.Ignored(f, launchOf(r, f), sc.o.Date)
		if ok {
			used[i.At] = true
			r.Ignored++
		}
		return ok
	})
	if sc.o.Only == nil {
		r.Findings = append(r.Findings, sc.policy.Unused(used, sc.o.Date)...)
	}
	for i := range r.Targets {
		if r.Ignored > 0 {
			r.Targets[i].Status = restated(r, r.Targets[i])
		}
	}
	return r
}

func launchOf(r finding.Report, f finding.Finding) string {
	for _, t := range r.Targets {
		if t.Name == f.Target && (t.Location == f.Location || t.Location.File == f.Location.File) {
			return t.Launch
		}
	}
	return ""
}

// restated is a target's status once findings were taken out.
func restated(r finding.Report, t finding.Target) finding.Status {
	if t.Status != finding.Drifted && t.Status != finding.Escalated {
		return t.Status
	}
	var own []finding.Finding
	for _, f := range r.Findings {
		if f.Target == t.Name && (f.Location == t.Location || slices.Contains(f.Related, t.Location)) {
			own = append(own, f)
		}
	}
	return statuses[worst(own)]
}

func newReport(o Options) finding.Report {
	live := o.Live
	if live == "" {
		live = LiveAll
	}
	return finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: o.Tool}, Live: string(live), Part: o.Part,
		Anchor: finding.Anchor{Kind: o.Anchor.Kind, Commit: o.Anchor.Commit}, ApprovedBy: []string{},
		Targets: []finding.Target{}, Findings: []finding.Finding{}, Excluded: []finding.Excluded{}}
}

// files are the findings about files as a whole. Those that stand at the anchor
// are known; that a file could not be read counts in any case.
func (sc *scan) files() []finding.Finding {
	out := judge(Subject{File: sc.head.Problems, State: compared})
	for i := range out {
		out[i].Known = sc.stands[standingKey(out[i], out[i].Location.File)] && (out[i].Outcome != finding.Undetermined || sc.o.Anchor.Change && sc.sameFile(out[i].Location.File))
	}
	return out
}

// sameFile reports whether a file holds the same bytes at the anchor and here.
func (sc *scan) sameFile(name string) bool {
	if sc.o.Anchor.FS == nil || !fs.ValidPath(name) {
		return false
	}
	a, err := fs.ReadFile(sc.o.Anchor.FS, name)
	if err != nil {
		return false
	}
	b, err := fs.ReadFile(sc.o.Head, name)
	return err == nil && bytes.Equal(a, b)
}

// sameFiles asks that of every file that declares a target.
func (sc *scan) sameFiles(t Target) bool {
	return !slices.ContainsFunc(t.Declared, func(e manifest.Entry) bool { return !sc.sameFile(e.At.File) })
}

// gone tells of locks that the anchor had and the head has no more.
func (sc *scan) gone() []finding.Finding {
	var out []finding.Finding
	for _, l := range sc.base.Locks {
		kept := slices.ContainsFunc(sc.head.Locks, func(h Lock) bool {
			return h.File == l.File || h.Invalid == nil && l.Invalid == nil && h.Entry.Launch.Digest == l.Entry.Launch.Digest
		})
		if kept || l.Invalid != nil || sc.declares(l.Entry) {
			continue
		}
		out = append(out, judge(Subject{Name: l.Entry.Name, At: finding.At(l.File, 1, 1), State: lockGone, Cause: finding.Change})...)
	}
	return out
}

func (sc *scan) declares(e lockfile.Entry) bool {
	return slices.ContainsFunc(sc.head.Targets, func(t Target) bool {
		return len(t.Declared) > 0 && (t.Launch.Digest == e.Launch.Digest || slices.ContainsFunc(t.Places(), func(p string) bool { return slices.Contains(e.Places, p) }))
	})
}
