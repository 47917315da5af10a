package scanner

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// revokedBy are the keys that the anchor's policy or that at the tip of the default
// branch revokes.
func revokedBy(anchor policy.Policy, tip fs.FS) []string {
	out := slices.Clone(anchor.Publishers.Revoked)
	if tip != nil {
		p, _ := readPolicy(tip)
		out = append(out, p.Publishers.Revoked...)
	}
	return out
}

// plugins are those of the head; a scan of a part has none, because they are
// declared for the whole.
func (sc *scan) plugins() []PluginTarget {
	if sc.o.Only != nil {
		return nil
	}
	return sc.head.Plugins
}

// pluginPast is what the anchor holds about a plugin of the head.
type pluginPast struct {
	lock    *PluginLock
	decl    *policy.Plugin
	version *lockfile.PluginVersion // what the head's is held against; nil where there is none
}

func (sc *scan) pastOfPlugin(t PluginTarget) pluginPast {
	p := pluginPast{}
	for _, b := range sc.base.Plugins {
		if b.Name == t.Name && b.Declared != nil {
			p.decl = b.Declared
		}
	}
	for i := range sc.base.PluginLocks {
		l := &sc.base.PluginLocks[i]
		if l.Invalid == nil && (t.Lock != nil && t.Lock.Plugin.Name == l.Plugin.Name || t.Lock == nil && slices.Contains(l.Plugin.Places, pluginPlace(t.Name))) {
			p.lock = l
		}
	}
	if p.lock == nil {
		return p
	}
	if t.Declared != nil {
		p.version = p.lock.Plugin.From(pluginSource(*t.Declared))
	}
	if p.version == nil && p.decl != nil {
		p.version = p.lock.Plugin.From(pluginSource(*p.decl))
	}
	if p.version == nil {
		p.version = predecessorOf(p.lock.Plugin)
	}
	return p
}

// standsInPlugin reports whether this user wrote the lock as it is, on this machine.
func (sc *scan) standsInPlugin(t PluginTarget) bool {
	return sc.o.Anchor.StandIn && t.Lock != nil && sc.o.Approved != nil && sc.o.Approved(t.Lock.Digest(), PluginApproved)
}

// plugin judges one plugin.
func (sc *scan) plugin(ctx context.Context, t PluginTarget) verified {
	p := sc.pastOfPlugin(t)
	v := sc.otherVersions(verified{touched: !samePlugin(t, p)}, t, p)
	s, done := sc.pluginState(t, p)
	if done {
		v = v.judged(s, "asked")
		if s.State == pluginRevoked {
			v.findings = append(v.findings, publisherRevoked(s))
		}
		return sc.scoped(v.closed())
	}
	s.powers = pluginPowers(t.version())
	read := PluginRead{}
	if sc.reads(v.touched) {
		read = sc.o.ReadPlugin(ctx, *t.Declared, policy.Publishers{Trusted: sc.policy.Publishers.Trusted, Revoked: sc.barredKeys})
		v = sc.pluginTrue(v, s, t, p, read)
	} else {
		v.notStarted = true
	}
	s.readLive = read.Version != nil && len(lockfile.DiffPlugins(*t.version(), *read.Version)) == 0
	v = sc.pluginAsked(v, s, t, p)
	v.findings = append(v.findings, sc.policy.Denied(policy.Asked{Name: t.Name, At: t.At(), Capabilities: pluginPowers(t.version())})...)
	return sc.scoped(v.closed())
}

// publisherRevoked is the finding that the check of an archive has under the same
// rule: here the lock alone knows who signed.
func publisherRevoked(s Subject) finding.Finding {
	f := finding.New("plugin/publisher-revoked", finding.Error, s.At, fmt.Sprintf("the policy has revoked the key %s, which signed %s", s.Files[0], finding.Claim(s.Name).Quote()))
	f.Target, f.Cause = s.Name, s.Cause
	return f
}

// closed sets what the comparisons found.
func (v verified) closed() verified {
	v.settled, v.found = true, worstOf(v.findings)
	return v
}

// worstOf is the worst of what was found, counted or not.
func worstOf(list []finding.Finding) finding.Outcome {
	o := finding.Clean
	for _, f := range list {
		o = o.Worse(f.Outcome)
	}
	return o
}

// samePlugin reports whether the change leaves a plugin alone: its declaration and
// its lock.
func samePlugin(t PluginTarget, p pluginPast) bool {
	if (t.Declared == nil) != (p.decl == nil) || (t.Lock == nil) != (p.lock == nil) {
		return false
	}
	if t.Declared != nil {
		a, b := *t.Declared, *p.decl
		a.At, b.At = finding.Location{}, finding.Location{}
		if a != b {
			return false
		}
	}
	return t.Lock == nil || bytes.Equal(t.Lock.data, p.lock.data)
}

// pluginState is what can be told before anything is fetched; done reports that
// nothing is to be.
func (sc *scan) pluginState(t PluginTarget, p pluginPast) (s Subject, done bool) {
	s = Subject{Name: t.Name, At: t.At(), Cause: finding.Change}
	if t.Lock != nil {
		s.LockAt = t.Lock.At("/versions")
	}
	name := PluginName(t.Name)
	v := t.version()
	switch {
	case t.Declared == nil && t.unread:
		s.State, s.Reason = unread, "the policy that would declare it is not valid"
	case t.Declared == nil:
		s.State = pluginNotDeclared
	case t.Lock == nil:
		s.State, s.Reason, s.Hint = pluginNotSealed, "not sealed", "toolwarrant seal "+name
	case v == nil:
		s.State, s.Hint = pluginStale, "toolwarrant seal "+name+" fetches it, shows the difference and asks"
	case sc.pluginRevoked(v):
		s.State, s.Reason = pluginBarred, "its lock is disabled or revoked"
	case v.State == lockfile.PluginStaged || v.State == lockfile.PluginRolledBack:
		s.State, s.Reason, s.Hint = pluginNotApproved, "not approved: its version is "+string(v.State), "toolwarrant review "+name+" approve"
	case v.Signature.State == lockfile.SignatureValid && slices.Contains(sc.barredKeys, v.Signature.Publisher):
		s.State, s.Reason, s.Files = pluginRevoked, "its publisher is revoked", []string{v.Signature.Publisher}
	case sc.policy.Broken():
		s.State, s.Reason = pluginNotApproved, "not approved: the policy is not valid, so that nobody knows who is revoked"
	case sc.pluginUntrusted(*v):
		s.State, s.Reason, s.Hint = pluginUntrusted, untrustedReason(*v), "toolwarrant review "+name+" approve --confirm-untrusted, or toolwarrant plugin trust KEY"
	case sc.o.NoStart != "":
		s.State, s.Reason, s.Hint = pluginNotApproved, "not approved: "+sc.o.NoStart, sc.o.NoStartHint
	case sc.head.edited():
		s.State, s.Reason = pluginNotApproved, "not approved: a lock here is not believed"
	default:
		return s, false
	}
	return s, true
}

// PluginName is a plugin's name for a command that we print.
func PluginName(name string) string {
	if plainWord(name) {
		return name
	}
	return "NAME"
}

// pluginRevoked reports whether anybody with a say has barred this package, packed
// however, in whichever lock.
func (sc *scan) pluginRevoked(v *lockfile.PluginVersion) bool {
	barred := func(o lockfile.PluginVersion) bool {
		return o.State == lockfile.PluginDisabled || o.State == lockfile.PluginRevoked
	}
	if barred(*v) || slices.ContainsFunc(sc.base.PluginLocks, func(l PluginLock) bool {
		return l.Invalid == nil && slices.ContainsFunc(l.Plugin.Versions, func(o lockfile.PluginVersion) bool { return o.SamePackage(*v) && barred(o) })
	}) {
		return true
	}
	return slices.ContainsFunc(sc.tip.PluginLocks, func(l PluginLock) bool {
		return l.Invalid == nil && slices.ContainsFunc(l.Plugin.Versions, func(o lockfile.PluginVersion) bool {
			return o.Package == v.Package && o.State == lockfile.PluginRevoked
		})
	})
}

// pluginUntrusted reports whether a version of a format that can be signed was
// signed by nobody whom the anchor trusts, and nobody took that upon them.
func (sc *scan) pluginUntrusted(v lockfile.PluginVersion) bool {
	return !v.ConfirmUntrusted && Untrusted(v, sc.policy.Publishers.Trusted)
}

// Untrusted reports whether nobody whom somebody trusts signed a version. A format
// that knows no signatures is trusted by its pin and its lock alone.
func Untrusted(v lockfile.PluginVersion, trusted []string) bool {
	switch v.Signature.State {
	case lockfile.SignatureUnsignable:
		return false
	case lockfile.SignatureValid:
		return !slices.Contains(trusted, v.Signature.Publisher)
	}
	return true
}

func untrustedReason(v lockfile.PluginVersion) string {
	if v.Signature.State == lockfile.SignatureValid {
		return "signed by a key that the policy does not trust: " + v.Signature.Publisher[:12]
	}
	return "not signed"
}

// pluginAsked sets the head's lock against the anchor's.
func (sc *scan) pluginAsked(v verified, s Subject, t PluginTarget, p pluginPast) verified {
	now := t.version()
	s.LockAt = t.Lock.At(t.versionAt(now))
	switch {
	case sc.standsInPlugin(t):
		s.State = compared
	case p.version == nil || p.decl == nil:
		s.State, s.Hint = pluginNew, "a reviewer approves it by merging its lock"
	default:
		s.State = compared
		s.Changes = lockfile.DiffPlugins(inferredPlugin(*p.version), inferredPlugin(*now))
		s.Reviewed = pluginStep(*p.version, *now, p.lock.Plugin.From(now.Source, now.Pin))
	}
	return v.judged(s, "asked")
}

// pluginStep is the step of a version between two locks; of one that the old lock
// does not know the difference tells all.
// One that is enabled for some kinds of contributions alone is not approved for more.
func pluginStep(old, now lockfile.PluginVersion, same *lockfile.PluginVersion) string {
	switch {
	case same == nil:
		return ""
	case old.State != now.State:
		return fmt.Sprintf("from %s to %s", old.State, now.State)
	case moreKinds(old.Only, now.Only):
		return fmt.Sprintf("from %s for fewer kinds to %s", old.State, now.State)
	case moreKinds(now.Only, old.Only):
		return fmt.Sprintf("from %s to %s for fewer kinds", old.State, now.State)
	}
	return ""
}

// moreKinds reports whether a choice of kinds has one that another lacks; no choice
// is all of them.
func moreKinds(old, now []string) bool {
	if len(old) == 0 {
		return false
	}
	return len(now) == 0 || slices.ContainsFunc(now, func(kind string) bool { return !slices.Contains(old, kind) })
}

// pluginTrue sets what was fetched against the head's lock, or where the change did
// not touch it against what was approved.
func (sc *scan) pluginTrue(v verified, s Subject, t PluginTarget, p pluginPast, read PluginRead) verified {
	locked := *t.version()
	s.LockAt, s.State = t.Lock.At(t.versionAt(&locked)), compared
	v.findings = append(v.findings, read.Verdict.Findings...)
	switch {
	case read.Reason != "":
		s.State, s.Reason = unread, read.Reason
		return v.judged(s, "true")
	case read.Version == nil:
		v.subject, v.told = s, true
		v.subject.Reason = "not accepted"
		return v
	case read.ID != t.Lock.Plugin.Name:
		s.State, s.Files = lockEdited, []string{"name"}
		return v.judged(s, "true")
	}
	changes := lockfile.DiffPlugins(inferredPlugin(locked), withDecision(inferredPlugin(*read.Version), locked))
	if len(changes) == 0 {
		return v
	}
	if p.version != nil && samePlugin(t, p) {
		s.Changes, s.Cause = changes, finding.Upstream
		return v.judged(s, "drifted")
	}
	s.State, s.Files = lockEdited, pluginItems(changes)
	return v.judged(s, "true")
}

// withDecision is what was read with what people decided about it.
func withDecision(v, locked lockfile.PluginVersion) lockfile.PluginVersion {
	v.State, v.ConfirmUntrusted, v.Only, v.By = locked.State, locked.ConfirmUntrusted, locked.Only, locked.By
	return v
}

// pluginItems names what a lock hides or invents.
func pluginItems(changes []lockfile.Change) []string {
	var out []string
	for _, c := range changes {
		name := c.Path
		if c.List != "" {
			name = c.List + " " + finding.Claim(c.Item).Quote()
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// inferredPlugin has the capabilities that this program infers: what a lock says of
// them is a reading aid.
func inferredPlugin(v lockfile.PluginVersion) lockfile.PluginVersion {
	tools := map[string][]string{}
	for _, i := range v.Inventory {
		if i.Kind != lockfile.KindSkill || len(i.Text) < 2 {
			continue
		}
		for _, line := range i.Text[2:] {
			if tool, ok := strings.CutPrefix(line, lockfile.ToolLine); ok {
				tools[i.Text[0]] = append(tools[i.Text[0]], tool)
			}
		}
	}
	v.Skills = slices.Clone(v.Skills)
	for i := range v.Skills {
		v.Skills[i].Capabilities = skillPowers(tools[v.Skills[i].Name])
	}
	return v
}

func pluginPowers(v *lockfile.PluginVersion) []string {
	out := []string{}
	if v == nil {
		return out
	}
	for _, s := range inferredPlugin(*v).Skills {
		out = append(out, s.Capabilities...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pluginsGone tells of locks that the anchor had and the head has no more.
func (sc *scan) pluginsGone() []finding.Finding {
	var out []finding.Finding
	for _, l := range sc.base.PluginLocks {
		if l.Invalid != nil || slices.ContainsFunc(sc.head.PluginLocks, l.goesOnAs) {
			continue
		}
		for _, s := range l.gone(finding.At(l.File, 1, 1)) {
			out = append(out, judge(s)...)
		}
	}
	return out
}

// goesOnAs reports whether another lock holds the same plugin, or cannot be believed
// and lies where this one did: another plugin's lock there is none of this one.
func (l PluginLock) goesOnAs(o PluginLock) bool {
	if o.Invalid != nil {
		return o.File == l.File
	}
	return o.Plugin.Name == l.Plugin.Name
}

// gone is what is told of a lock that is there no more: an approval ends, and each
// bar that it held is forgotten.
func (l PluginLock) gone(at finding.Location) []Subject {
	out := []Subject{{Name: l.Plugin.Name, At: at, State: pluginGone, Cause: finding.Change}}
	for _, v := range l.Plugin.Versions {
		if step := forgotten(v); step != "" {
			out = append(out, Subject{Name: l.Plugin.Name, At: at, State: compared, Cause: finding.Change, Reviewed: step})
		}
	}
	return out
}

// reportPlugin is a plugin in the report.
func reportPlugin(t PluginTarget, v verified) finding.Target {
	out := finding.Target{Name: t.Name, Kind: "plugin", Location: t.At(), Places: []string{}, Reason: v.subject.Reason,
		Clients: []finding.Client{}, Changes: []finding.ChangeItem{}, Inventory: pluginInventory(t.version()),
		Capabilities: finding.Capabilities{Approved: []string{}, Asked: pluginPowers(t.version()), Observed: []string{}}}
	if t.Declared != nil {
		out.Pin, out.Places = "immutable", []string{pluginPlace(t.Name)}
	}
	if t.Lock != nil {
		out.Lock = t.Lock.File
	}
	if ver := t.version(); ver != nil {
		out.Surface, out.Artifact = ver.Package, ver.Archive
	}
	for _, f := range v.findings {
		if f.Change != nil && !toldAlready(out.Changes, *f.Change) {
			out.Changes = append(out.Changes, *f.Change)
		}
	}
	out.Status = pluginStatus(v)
	if v.excused(out.Status) && out.Reason == "" {
		out.Reason = "not by this change"
	}
	return out
}

func pluginStatus(v verified) finding.Status {
	status := statuses[worst(v.findings)]
	if status == finding.Verified {
		status = statuses[v.found]
	}
	if status == finding.Verified && v.notStarted {
		return finding.NotStarted
	}
	return status
}
