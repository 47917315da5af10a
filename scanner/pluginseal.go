package scanner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// PluginProposal is the lock that sealing a plugin would write.
type PluginProposal struct {
	Target   PluginTarget
	Fate     Fate
	File     string // of the lock, from the repository's root
	New      lockfile.Plugin
	Version  *lockfile.PluginVersion // the declared one; nil where it was not accepted
	Data     []byte
	Replaces string            // the digest of the lock file that it was made from; empty for none
	Findings []finding.Finding // of the archive, and the difference to the old lock, judged
	Reason   string
}

// ProposePlugin fetches a declared plugin and returns the lock it would get: the
// declared version approved, the others as they are. It writes nothing.
func ProposePlugin(ctx context.Context, o Options, r Repo, t PluginTarget, publishers policy.Publishers) PluginProposal {
	p := PluginProposal{Target: t}
	read := o.ReadPlugin(ctx, *t.Declared, publishers)
	p.Findings = append(p.Findings, read.Verdict.Findings...)
	switch {
	case read.Reason != "":
		p.Reason = read.Reason
		return p
	case read.Version == nil:
		p.Fate, p.Reason = Worthless, "it is not accepted"
		return p
	}
	p.File = PluginLockFile(r, t, read.ID)
	old, reason := r.lockOfPlugin(t, read)
	if reason != "" {
		p.Fate, p.Reason = Barred, reason
		return p
	}
	return p.propose(old, read, publishers)
}

// lockOfPlugin is the lock that sealing extends, empty where there is none, or why
// it may not be.
func (r Repo) lockOfPlugin(t PluginTarget, read PluginRead) (old *PluginLock, refused string) {
	if t.Lock != nil && t.Lock.Plugin.Name != read.ID {
		return nil, fmt.Sprintf("it calls itself %s, and the lock of its place is of %s: another plugin needs another name",
			finding.Claim(read.ID).Quote(), finding.Claim(t.Lock.Plugin.Name).Quote())
	}
	old = t.Lock
	for i := range r.PluginLocks {
		if l := &r.PluginLocks[i]; l.Invalid == nil && l.Plugin.Name == read.ID {
			old = l
		}
	}
	if old == nil {
		return nil, ""
	}
	for _, v := range old.Plugin.Versions {
		if (v.State == lockfile.PluginDisabled || v.State == lockfile.PluginRevoked) && v.Package == read.Version.Package {
			return nil, fmt.Sprintf("its lock is %s", v.State)
		}
	}
	return old, ""
}

func (p PluginProposal) propose(old *PluginLock, read PluginRead, publishers policy.Publishers) PluginProposal {
	v, place := *read.Version, pluginPlace(p.Target.Name)
	v.State = lockfile.PluginApproved
	p.New = lockfile.Plugin{Name: read.ID}
	var before *lockfile.PluginVersion
	if old != nil {
		p.New, before = old.Plugin, predecessor(old.Plugin, v)
		if was := old.Plugin.From(v.Source, v.Pin); was != nil {
			v = withDecision(v, *was)
			if v.State != lockfile.PluginEnabled {
				v.State = lockfile.PluginApproved
			}
		}
	}
	if !slices.Contains(p.New.Places, place) {
		p.New.Places = slices.Sorted(slices.Values(append(slices.Clone(p.New.Places), place)))
	}
	p.New, p.Version = p.New.With(v), &v
	var err error
	if p.Data, err = p.New.Bytes(); err != nil {
		p.Reason = err.Error()
		return p
	}
	if !v.ConfirmUntrusted && Untrusted(v, publishers.Trusted) {
		p.Reason = untrustedReason(v) + ": toolwarrant review " + PluginName(p.Target.Name) + " approve --confirm-untrusted takes it all the same"
	}
	return p.compared(old, before, v)
}

// predecessor is what a version is held against: what the same source and pin gave
// before, else [predecessorOf].
func predecessor(p lockfile.Plugin, v lockfile.PluginVersion) *lockfile.PluginVersion {
	if was := p.From(v.Source, v.Pin); was != nil {
		return was
	}
	return predecessorOf(p)
}

// predecessorOf is what a version from elsewhere is held against: the enabled one,
// else the last that is approved, so that nobody stages the yardstick; else the last.
func predecessorOf(p lockfile.Plugin) *lockfile.PluginVersion {
	if e := p.Enabled(); e != nil {
		return e
	}
	for i := range slices.Backward(p.Versions) {
		if p.Versions[i].State == lockfile.PluginApproved {
			return &p.Versions[i]
		}
	}
	return &p.Versions[len(p.Versions)-1]
}

// compared sets the fate by what differs.
func (p PluginProposal) compared(old *PluginLock, before *lockfile.PluginVersion, v lockfile.PluginVersion) PluginProposal {
	if old == nil {
		p.Fate = Fresh
		return p
	}
	p.Replaces = old.Digest()
	s := Subject{Name: p.Target.Name, At: p.Target.At(), LockAt: old.At("/versions"), State: compared, Cause: finding.Change,
		powers: pluginPowers(&v), readLive: true, Changes: lockfile.DiffPlugins(inferredPlugin(*before), inferredPlugin(v))}
	if before.Source == v.Source && before.Pin == v.Pin {
		s.Reviewed = pluginStep(*before, v, before)
	}
	p.Findings = append(p.Findings, judge(s)...)
	switch {
	case string(p.Data) == string(old.data):
		p.Fate = Same
	case len(s.Changes) == 0 && s.Reviewed == "":
		p.Fate = Refreshed
	default:
		p.Fate = Differs
	}
	return p
}

// Accept is the digest that accepts the proposal: the package's.
func (p PluginProposal) Accept() string { return p.Version.Package }

// Named reports whether a name means the plugin: its own, the lock's, or the
// beginning of a package's digest.
func (t PluginTarget) Named(name string) bool {
	if t.Name == name || t.Lock != nil && t.Lock.Plugin.Name == name {
		return true
	}
	v := t.version()
	return v != nil && len(name) >= len("sha256:")+12 && strings.HasPrefix(v.Package, name)
}
