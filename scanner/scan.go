package scanner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// PolicyFile is read at the anchor.
const PolicyFile = policy.File

// scan is one run of Scan.
type scan struct {
	o          Options
	head, base Repo
	tip        Repo // of the default branch: its revocations count whatever the anchor says
	stands     standing
	policy     policy.Policy // the anchor's, and what inputs tighten of it
	written    policy.Policy // as it stands at the anchor
	policyBad  []finding.Finding
}

// Scan judges a whole tree against its anchor. Three comparisons are never
// mixed: what is asked (the anchor's locks against the head's), what is true
// (what was read against the head's lock) and what drifted (what was read
// against the anchor's lock). An error means that the scan broke as a whole.
func Scan(ctx context.Context, o Options) (finding.Report, error) {
	defer o.tryOut()()
	sc, err := newScan(o)
	if err != nil {
		return finding.Report{}, err
	}
	targets := sc.targets()
	results := make([]verified, len(targets))
	forEach(o.parallel(), len(targets), func(i int) { results[i] = sc.target(ctx, targets[i]) })
	return sc.report(targets, results), nil
}

func newScan(o Options) (*scan, error) {
	sc := &scan{o: o}
	var err error
	sc.written, sc.policyBad = readPolicy(o.Anchor.FS)
	sc.tighten()
	if sc.head, err = loadTracked(o.Head, sc.excluded, o.tracked()); err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	if o.Anchor.FS != nil {
		if sc.base, err = LoadLike(o.Anchor.FS, o.Head, sc.head, sc.excluded); err != nil {
			return nil, fmt.Errorf("read the anchor: %w", err)
		}
	}
	if o.Tip != nil {
		locks, err := LoadLocks(o.Tip, LockDir)
		if err != nil {
			return nil, fmt.Errorf("read the default branch: %w", err)
		}
		sc.tip.Locks = locks
	}
	if o.Attributes != nil {
		sc.head.Problems = append(sc.head.Problems, o.Attributes(o.Head, sc.head.Files)...)
		if o.Anchor.FS != nil {
			sc.base.Problems = append(sc.base.Problems, o.Attributes(o.Anchor.FS, sc.base.Files)...)
		}
	}
	sc.stands = standingOf(sc.base)
	for i := range sc.head.Targets {
		for j, e := range sc.head.Targets[i].Declared {
			sc.head.Targets[i].Declared[j] = sc.stands.mark(e, o.Anchor.Change && sc.sameFile(e.At.File))
		}
	}
	return sc, nil
}

// tighten applies the inputs of a workflow, which a change brings along. What is
// told of them stands where the caller says.
func (sc *scan) tighten() {
	p, told := policy.Tighten(sc.written, sc.o.Inputs)
	for i := range told {
		if !sc.o.InputsAt.IsZero() {
			told[i].Location = sc.o.InputsAt
		}
	}
	sc.policy, sc.policyBad = p, append(sc.policyBad, told...)
}

// readPolicy reads the policy of a tree; without one it is the default. One that
// is there and cannot be read is broken, and approves nothing.
func readPolicy(fsys fs.FS) (policy.Policy, []finding.Finding) {
	if fsys == nil {
		return policy.Parse(nil, PolicyFile)
	}
	data, err := fs.ReadFile(fsys, PolicyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return policy.Parse(nil, PolicyFile)
	case err != nil:
		return policy.Unreadable(PolicyFile)
	}
	return policy.Parse(data, PolicyFile)
}

func (sc *scan) excluded(path string) bool {
	_, out := sc.policy.Excluded(path)
	return out
}

// targets are those of the head that were asked for.
func (sc *scan) targets() []Target {
	if sc.o.Only == nil {
		return sc.head.Targets
	}
	return slices.DeleteFunc(slices.Clone(sc.head.Targets), func(t Target) bool { return !sc.o.Only(t) })
}

// target judges one target.
func (sc *scan) target(ctx context.Context, t Target) verified {
	p := pastOf(sc.base, t)
	v := verified{approved: p.lock, touched: !untouched(t, p)}
	if t.inactive() {
		return v
	}
	s, start := sc.static(t, p)
	v.stale = s.stale
	s.Others = sc.head.toolsBeside(t)
	v.touched = v.touched || s.State == localChanged || s.State == notUnderstood && !sc.sameFiles(t)
	if start && sc.reads(v.touched) {
		var lacking bool
		if s, lacking = sc.o.unconfinable(s, t); lacking {
			start = false
		}
	}
	if start && sc.reads(v.touched) {
		v.reading = sc.o.readAgainst(ctx, t, sc.baseline(t, p).Entry, sc.source(t, p))
		v = sc.live(v, s, t, p)
	} else {
		if start && s.State == unread {
			s.State = compared // nothing speaks against it, and nothing was read
		}
		v.notStarted = start || s.State == launchNew || s.State == launchMoved || s.State == barred
		v = v.judged(s, "asked")
		if start || s.State == launchMoved {
			v = v.judged(sc.asked(s, t, p), "asked")
		}
	}
	v.subject.Reason = v.reason(s)
	return sc.settle(v, t, p)
}

// reads reports whether the mode of this scan reads a target.
func (sc *scan) reads(touched bool) bool {
	return sc.o.Live == LiveAll || sc.o.Live == "" || sc.o.Live == LiveChanged && touched
}

// baseline is the lock that a reading is held against first.
func (sc *scan) baseline(t Target, p past) Lock {
	if p.lock != nil && p.lock.Entry.Launch.Digest == t.Launch.Digest && !sc.standsIn(t) {
		return *p.lock
	}
	return *t.Lock
}

// source says which bytes are started: on a change exactly those that the anchor
// locked. Elsewhere what the registry gives now is started where that is asked
// for, or where the anchor is this checkout and the launch follows what comes.
func (sc *scan) source(t Target, p past) source {
	lock := sc.baseline(t, p)
	if sc.o.Anchor.Change {
		return source{lock: &lock}
	}
	follows := sc.o.Anchor.Kind == "head" && !sc.o.Anchor.StandIn && t.pin() == "floating"
	return source{lock: &lock, now: sc.o.Today || follows, open: true}
}

// standsIn reports whether this user's approval lets the head's lock and
// declaration stand in for the anchor's.
func (sc *scan) standsIn(t Target) bool {
	return sc.o.Anchor.StandIn && sc.o.recorded(t)
}

// static is what can be told without starting anything, and whether the target
// may be started. Nothing that the anchor or this user has not approved is.
func (sc *scan) static(t Target, p past) (s Subject, start bool) {
	s, done := subjectOf(t)
	if file := sc.head.unreadPlace(t); s.State == notDeclared && file != "" {
		s.State, s.Reason = unread, finding.Claim(file).Short(120)+", where it is declared, could not be read"
	}
	if len(t.Declared) == 0 || done && s.State != unread {
		return s, false
	}
	standsIn := sc.standsIn(t)
	switch {
	case sc.unpinned(t):
		s.State, s.Reason = unpinned, "not started: the policy requires a pin"
		return s, false
	case sc.revoked(t, p):
		s.State, s.Reason = barred, "its lock is disabled or revoked"
	case sc.o.NoStart != "":
		s.State, s.Reason, s.Hint = notApproved, "not started: "+sc.o.NoStart, sc.o.NoStartHint
		return s, false
	case standsIn:
		s.stands = true
	case p.lock == nil:
		s.State, s.Reason = launchNew, "not started: the anchor has no lock for it"
	case p.lock.Entry.Launch.Digest != t.Launch.Digest:
		s = sc.moved(s, t, p)
	case p.decl == nil:
		s.State, s.Reason = launchNew, "not started: the anchor does not declare it"
	default:
		s, done = sc.unchanged(s, t, p, done)
	}
	if done || s.State == barred {
		return s, false
	}
	return sc.mayStart(s, t, standsIn)
}

// unpinned reports whether the policy forbids how far the launch is pinned.
func (sc *scan) unpinned(t Target) bool {
	if c := t.command(); !c.Fetches() && c.Why == "" && (c.Ecosystem == "" || len(c.Packages) > 0) {
		return false
	}
	switch sc.policy.RequirePin {
	case policy.PinImmutable:
		return t.pin() != "immutable"
	case policy.PinExact:
		return t.pin() != "immutable" && t.pin() != "exact" && t.pin() != "lockfile"
	}
	return false
}

// moved is a launch that differs from the one the anchor approved, and that the
// head's lock covers.
func (sc *scan) moved(s Subject, t Target, p past) Subject {
	s.State, s.Reason = launchMoved, "not started: the anchor approves another launch"
	s.Changes = lockfile.Diff(lockfile.Entry{Launch: p.lock.Entry.Launch}, lockfile.Entry{Launch: t.Launch})
	s.LockAt = finding.Location{}
	s.Hint = "a reviewer approves it by merging its lock"
	return s
}

// unchanged holds the parts of a launch that no digest covers against the
// anchor: literal values, and repository code.
func (sc *scan) unchanged(s Subject, t Target, p past, done bool) (Subject, bool) {
	if names := literals(*p.decl, t); len(names) > 0 {
		s.State, s.Reason = launchMoved, "not started: a literal value is not the anchor's"
		for _, n := range names {
			s.Changes = append(s.Changes, lockfile.Change{Event: lockfile.LaunchChanged, Path: "value of " + n})
		}
		return s, done
	}
	files, err := sc.codeOf(t).changed(sc.o.Anchor.FS, sc.o.Head, sc.o.tracked())
	switch {
	case err != nil: // what cannot be compared may have changed
		return sc.codeChanged(s, "cannot be compared in full", "more than can be compared"), done
	case len(files) > 0 && !(sc.o.SameRepository && sc.grants(t, p).Local == policy.LocalSameRepository):
		return sc.codeChanged(s, "changed", files...), done
	}
	return s, done
}

// codeOf is the code of the head and of the anchor: what a change takes away, as
// an .npmrc that names a registry, counts too.
func (sc *scan) codeOf(t Target) code {
	c, before := sc.o.codeOf(t), sc.o
	if before.Head = sc.o.Anchor.FS; before.Head != nil {
		c = c.join(before.codeOf(t))
	}
	return c
}

func (sc *scan) codeChanged(s Subject, what string, files ...string) Subject {
	s.State, s.Files, s.Reason = localChanged, files, "not started: its repository code "+what
	if sc.o.Anchor.Change {
		s.Hint = "a reviewer approves the code by merging it; servers.NAME.local in the policy can start it before"
	}
	return s
}

// grants is what the policy gives to a target: by the name that the anchor has
// for this launch, never by one that the change chose.
func (sc *scan) grants(t Target, p past) policy.Server {
	switch {
	case p.decl != nil:
		return sc.policy.Servers[p.decl.Name]
	case sc.standsIn(t):
		return sc.policy.Servers[t.Name]
	}
	return policy.Server{}
}

// mayStart asks the questions that are left once the launch is approved.
func (sc *scan) mayStart(s Subject, t Target, standsIn bool) (Subject, bool) {
	ours := sc.o.Start == "all" || sc.o.approves(t)
	if _, refused := refusal(t); refused {
		return s, false
	}
	switch {
	case s.State == localChanged || (s.State == launchNew || s.State == launchMoved) && !ours:
		return s, false
	case sc.head.edited():
		s.State, s.Reason = notApproved, "not started: a lock here is not believed"
		return s, false
	case sc.policy.Broken():
		s.State, s.Reason = notApproved, "not started: the policy is not valid"
		return s, false
	case sc.policy.Start == policy.StartNever:
		s.State, s.Reason = notApproved, "not started: the policy says start: never"
		return s, false
	case sc.o.Root == "" && t.unfixed() != "":
		s.State, s.Reason = unread, "unresolvable: what "+t.unfixed()+" runs cannot be fixed beforehand"
		s.Hint = "toolwarrant seal --launch-only locks the launch; servers.NAME.waive in the policy accepts that it is not read"
		return s, false
	case len(bases(t)) > 1 && len(sc.o.codeOf(t).roots) > 0:
		s.State, s.Reason = unread, "unresolvable: one launch runs other code in each folder that declares it"
		s.Hint = "name the program by its path from the repository's root"
		return s, false
	case sc.o.needsBuild(t) != "":
		s.State, s.Reason = unread, "needs-build: "+sc.o.needsBuild(t)
		s.Hint = "toolwarrant seal --launch-only locks the launch; servers.NAME.waive in the policy accepts that it is not read"
		return s, false
	}
	return s, true
}

// bases are the folders in which a target is started.
func bases(t Target) []string {
	var out []string
	for _, e := range t.Declared {
		if b := baseOf(e); !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// revoked reports whether anybody with a say has barred the launch.
func (sc *scan) revoked(t Target, p past) bool {
	if p.lock != nil && p.lock.Entry.Launch.Digest == t.Launch.Digest && barredState(p.lock.Entry.Review.State) {
		return true
	}
	return slices.ContainsFunc(sc.tip.Locks, func(l Lock) bool {
		return l.Invalid == nil && l.Entry.Launch.Digest == t.Launch.Digest && l.Entry.Review.State == lockfile.Revoked
	})
}

// asked sets the head's lock against the anchor's.
func (sc *scan) asked(s Subject, t Target, p past) Subject {
	if p.lock == nil || t.Lock == nil || sc.standsIn(t) {
		return Subject{State: compared, none: true}
	}
	before, after := inferred(p.lock.Entry), inferred(t.Lock.Entry)
	after.Launch, before.Launch = t.Launch, t.Launch // the launch is told by its own state
	s.State, s.Cause, s.Old, s.New, s.LockAt = compared, finding.Change, &before, &after, t.Lock.At("/tools")
	s.Changes = lockfile.Diff(before, after)
	if p.lock.Entry.Surface() == t.Lock.Entry.Surface() {
		s.Changes = slices.DeleteFunc(s.Changes, func(c lockfile.Change) bool { return !aboutPackages(c) })
	}
	s.Changes = append(s.Changes, beside(p.lock.Entry, t.Lock.Entry)...)
	s.moves = movesOf(p.lock.Tree, t.Lock.Tree)
	s.bytesUnread = otherBytes(*p.lock, *t.Lock) // this user did not seal it: asked ends above
	s.Declared, s.Reviewed = nil, reviewStep(p.lock, *t.Lock)
	return s
}

// live sets a reading against the head's lock and the anchor's.
func (sc *scan) live(v verified, s Subject, t Target, p past) verified {
	state := s.State
	s.Reason = "" // it was started
	versionOnly := state == launchMoved && sc.versionOnly(t, p) && v.reading.entry != nil
	if state == launchNew || state == launchMoved {
		s.readLive = versionOnly
		v = v.judged(s, "asked")
		s.Declared, s.Changes = nil, nil
	}
	v.subject, v.told = Subject{}, false
	ask := sc.asked(s, t, p)
	v = v.judged(ask, "asked")
	same := sc.standsIn(t) || p.lock != nil && p.lock.Entry.Launch.Digest == t.Launch.Digest && p.lock.Entry.Surface() == t.Lock.Entry.Surface()
	against := *t.Lock
	if ask.bytesUnread { // the anchor's bytes were started: they say nothing about the head's
		against, same = *p.lock, true
	}
	was := inferred(against.Entry)
	s.Old = &was
	now := sighted(compareLive(s, v.reading, against.Tree), v.reading, sc.grants(t, p), sc.approvedEntry(t, p))
	if !same && now.State == compared && len(now.Changes) > 0 && v.reading.entry.Surface() != was.Surface() {
		now.State, now.Files, now.Cause = lockEdited, differingItems(now.Changes), finding.Change
		now.Changes, now.LockAt = nil, t.Lock.At("/tools")
		return v.judged(now, "true")
	}
	return v.judged(now, "drifted")
}

// approvedEntry is the lock whose record of hosts counts: never the head's where
// a change could have written it.
func (sc *scan) approvedEntry(t Target, p past) *lockfile.Entry {
	switch {
	case sc.standsIn(t) && t.Lock != nil:
		return &t.Lock.Entry
	case p.lock != nil:
		return &p.lock.Entry
	}
	return nil
}

// differingItems names what a lock hides or invents.
func differingItems(changes []lockfile.Change) []string {
	var out []string
	for _, c := range changes {
		if name := about(c); c.Event != lockfile.ServerInfoChanged && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// versionOnly reports whether a launch differs from the anchor's in nothing but
// the version of the same package of a registry.
func (sc *scan) versionOnly(t Target, p past) bool {
	if p.lock == nil {
		return false
	}
	old, new := p.lock.Entry.Launch, t.Launch
	arg, ok := manifest.Bump(wordsOf(old), wordsOf(new))
	if !ok {
		return false
	}
	old.Argv = slices.Clone(old.Argv)
	old.Argv[arg] = new.Argv[arg]
	sealed, err := old.Seal()
	return err == nil && sealed.Digest == new.Digest
}

// wordsOf are the words of a launch as they may be shown.
func wordsOf(l lockfile.Launch) []string {
	var out []string
	for _, a := range l.Argv {
		out = append(out, a.String())
	}
	return out
}
