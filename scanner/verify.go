package scanner

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Verify judges targets against their locks: what is sealed and approved is
// started and read, everything else is told without being started. While any
// lock of the repository is not believed nothing at all is started: a record
// that somebody edited approves nothing.
func Verify(ctx context.Context, o Options, r Repo, targets []Target) finding.Report {
	report := finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: o.Tool}, Live: "all",
		ApprovedBy: []string{}, Targets: []finding.Target{}, Findings: []finding.Finding{}}
	subjects := make([]verified, len(targets))
	forEach(o.parallel(), len(targets), func(i int) {
		subjects[i] = verifyOne(ctx, o, r, targets[i])
	})
	for i, v := range subjects {
		report.Findings = append(report.Findings, v.findings...)
		report.Targets = append(report.Targets, reportTarget(targets[i], v))
	}
	for _, l := range r.Locks {
		if l.Invalid != nil {
			report.Findings = append(report.Findings, judge(lockSubject(l))...)
		}
	}
	report.Findings = append(report.Findings, judge(Subject{File: r.Problems, State: compared})...)
	return finish(report)
}

// verified is what one target came to.
type verified struct {
	subject    Subject
	reading    reading
	findings   []finding.Finding
	approved   *Lock // the anchor's
	touched    bool
	stale      bool // its lock is of another launch
	told       bool // subject is set
	waived     bool
	notStarted bool            // may be started, and the mode does not
	settled    bool            // found is set
	found      finding.Outcome // by the start and the comparisons, counted or not
}

func verifyOne(ctx context.Context, o Options, r Repo, t Target) verified {
	v := verified{}
	s, done := subjectOf(t)
	s.Others = r.toolsBeside(t)
	if file := r.unreadPlace(t); s.State == notDeclared && file != "" {
		s.State, s.Reason = unread, finding.Claim(file).Short(120)+", where it is declared, could not be read"
	}
	switch {
	case t.inactive():
		return v
	case done:
	case r.edited():
		s.State, s.Reason, s.Hint = notApproved, "not started: a lock here is not believed", "mend the lock that is not believed first"
	case !o.approves(t):
		s.State, s.Reason, s.Hint = notApproved, "its start is approved neither here nor by an anchor", "toolwarrant seal "+sealName(t)+" shows its launch and asks"
	default:
		var lacking bool
		if s, lacking = o.unconfinable(s, t); lacking {
			break
		}
		v.reading = o.readAgainst(ctx, t, *s.Old, source{lock: t.Lock, now: o.Today, open: true})
		s = sighted(compareLive(s, v.reading, t.Lock.Tree), v.reading, policy.Server{}, s.Old)
		s.stands = true
	}
	v.subject, v.findings = s, judge(s)
	return v
}

// edited reports whether a lock is not believed.
func (r Repo) edited() bool {
	return slices.ContainsFunc(r.Locks, func(l Lock) bool { return l.Invalid != nil })
}

// unreadPlace is a file that declares the target, as its lock says, and that
// could not be read: then nobody can tell that the target is gone.
func (r Repo) unreadPlace(t Target) string {
	if t.Lock == nil {
		return ""
	}
	for _, p := range r.Problems {
		for _, place := range t.Lock.Entry.Places {
			if file, _, _ := strings.Cut(place, "#"); p.Outcome == finding.Undetermined && file == p.Location.File {
				return file
			}
		}
	}
	return ""
}

// toolsBeside lists the tools that the locks of other targets hold.
func (r Repo) toolsBeside(t Target) surface.ToolNames {
	var out []string
	for _, l := range r.Locks {
		if l.Invalid == nil && (t.Lock == nil || l.File != t.Lock.File) {
			for _, tool := range l.Entry.Tools() {
				out = append(out, tool.Key)
			}
		}
	}
	return surface.NewToolNames(out)
}

// inactive reports whether every declaration is switched off in its own file.
func (t Target) inactive() bool {
	return len(t.Declared) > 0 && !slices.ContainsFunc(t.Declared, func(e manifest.Entry) bool { return !e.Disabled })
}

// base is the folder of the tree in which a host starts the target.
func (t Target) base() string {
	if len(t.Declared) == 0 {
		return "."
	}
	return baseOf(t.Declared[0])
}

func baseOf(e manifest.Entry) string {
	if e.Name.At.File == "" || e.Base != "" {
		return "."
	}
	return projectDir(e.Name.At.File)
}

// forEach runs f for 0 to n-1, at most width at once, and waits for all.
func forEach(width, n int, f func(int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, width)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}

func reportTarget(t Target, v verified) finding.Target {
	out := finding.Target{
		Name: t.Name, Kind: "server", Location: t.At(), Places: append([]string{}, t.Places()...),
		Pin: t.pin(), Launch: t.Launch.Digest, Attempts: v.reading.attempts, Sandbox: v.reading.sandbox(),
		Clients: []finding.Client{}, Changes: []finding.ChangeItem{},
		Capabilities: finding.Capabilities{Approved: powers(v.subject.Old), Asked: []string{}, Observed: powers(v.subject.New)},
	}
	for _, e := range t.Declared {
		out.Clients = append(out.Clients, e.Clients...)
	}
	if t.Lock != nil {
		out.Lock, out.Surface, out.Tools = t.Lock.File, t.Lock.Entry.Surface(), len(t.Lock.Entry.Tools())
	}
	out.Artifact = artifactOf(t, v).PURL()
	if v.reading.entry != nil {
		out.Surface, out.Tools = v.reading.entry.Surface(), len(v.reading.entry.Tools())
	}
	for _, f := range v.findings {
		if f.Change != nil {
			c := *f.Change
			if c.Comparison == "" {
				c.Comparison, c.Cause = "drifted", f.Cause
			}
			if !toldAlready(out.Changes, c) {
				out.Changes = append(out.Changes, c)
			}
		}
	}
	out.Status, out.Reason = statusOf(t, v), v.subject.Reason
	if v.excused(out.Status) && out.Reason == "" {
		out.Reason = "not by this change"
	}
	return out
}

// artifactOf is what a target was started from, else what its lock fixes.
func artifactOf(t Target, v verified) *lockfile.Artifact {
	if v.reading.artifact != nil || t.Lock == nil {
		return v.reading.artifact
	}
	return t.Lock.Entry.Artifact
}

// toldAlready reports whether another finding was about the same change.
func toldAlready(changes []finding.ChangeItem, c finding.ChangeItem) bool {
	return slices.ContainsFunc(changes, func(o finding.ChangeItem) bool {
		return o.Comparison == c.Comparison && o.Event == c.Event && o.List == c.List && o.Item == c.Item && o.Path == c.Path
	})
}

// powers lists every capability of an entry, sorted.
func powers(e *lockfile.Entry) []string {
	out := []string{}
	if e == nil {
		return out
	}
	for _, t := range e.Tools() {
		out = append(out, t.Capabilities...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var statuses = map[finding.Outcome]finding.Status{
	finding.Clean: finding.Verified, finding.Drift: finding.Drifted, finding.Escalation: finding.Escalated,
	finding.Undetermined: finding.StatusUndetermined, finding.Refused: finding.StatusRefused,
}

// statusOf tells what became of a target. What was there before the change does
// not fail the change, yet a target is not verified by it.
func statusOf(t Target, v verified) finding.Status {
	status := statuses[worst(v.findings)]
	if status == finding.Verified && v.settled && !v.waived {
		status = statuses[v.found]
	}
	switch {
	case t.inactive():
		return finding.Inactive
	case v.waived && status == finding.Verified:
		return finding.Waived
	case v.notStarted && status == finding.Verified:
		return finding.NotStarted
	default:
		return status
	}
}

// excused reports whether a status is worse than what counts.
func (v verified) excused(s finding.Status) bool {
	return worst(v.findings) == finding.Clean && slices.Contains([]finding.Status{
		finding.Drifted, finding.Escalated, finding.StatusUndetermined, finding.StatusRefused}, s)
}

// compares is the worst of what a start or a comparison found, also where it was
// there before; what a configuration says (a pin, a secret) is not part of it.
func compares(list []finding.Finding) finding.Outcome {
	o := finding.Clean
	for _, f := range list {
		if f.Outcome == finding.Undetermined || f.Outcome == finding.Refused || strings.HasPrefix(f.Rule, "surface/") {
			o = o.Worse(f.Outcome)
		}
	}
	return o
}

func worst(list []finding.Finding) finding.Outcome {
	o := finding.Clean
	for _, f := range list {
		if !f.Known {
			o = o.Worse(f.Outcome)
		}
	}
	return o
}

// finish gives every finding its fingerprint and the report its outcome.
func finish(r finding.Report) finding.Report {
	for i := range r.Findings {
		r.Findings[i].Fingerprint = fingerprint(r, r.Findings[i])
	}
	r.Outcome = worst(r.Findings)
	r.Next = next(r)
	if r.Excluded == nil {
		r.Excluded = []finding.Excluded{}
	}
	return r
}
