package scanner

import (
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// DiffPlugins adds to a report the step from one set of locks of plugins to another.
// Locks are paired by what the plugins call themselves.
func DiffPlugins(r finding.Report, old, new []PluginLock) finding.Report {
	for _, n := range new {
		if n.Invalid != nil {
			r.Findings = append(r.Findings, judge(lockSubject(n.Shown()))...)
			continue
		}
		i := slices.IndexFunc(old, func(o PluginLock) bool { return o.Invalid == nil && o.Plugin.Name == n.Plugin.Name })
		if i < 0 {
			r = addPlugin(r, n, []Subject{{Name: n.Plugin.Name, At: n.At("/name"), State: pluginNew, Cause: finding.Change}})
			continue
		}
		r = addPlugin(r, n, versionSteps(old[i], n))
	}
	for _, o := range old {
		switch {
		case o.Invalid != nil:
			r.Findings = append(r.Findings, judge(lockSubject(o.Shown()))...)
		case !slices.ContainsFunc(new, o.goesOnAs):
			r = addPlugin(r, o, o.gone(o.At("/name")))
		}
	}
	return finish(r)
}

// versionSteps are the differences of each version to what it was, of a new one to
// the version that was enabled, or the last.
func versionSteps(o, n PluginLock) []Subject {
	var out []Subject
	for i, now := range n.Plugin.Versions {
		s := Subject{Name: n.Plugin.Name, At: n.At(fmt.Sprintf("/versions/%d", i)), State: compared, Cause: finding.Change, powers: pluginPowers(&now)}
		was := predecessor(o.Plugin, now)
		s.Changes = lockfile.DiffPlugins(inferredPlugin(*was), inferredPlugin(now))
		s.Reviewed = pluginStep(*was, now, o.Plugin.From(now.Source, now.Pin))
		out = append(out, s)
	}
	for _, was := range o.Plugin.Versions {
		if n.Plugin.From(was.Source, was.Pin) == nil {
			out = append(out, Subject{Name: n.Plugin.Name, At: n.At("/versions"), State: compared, Cause: finding.Change, Reviewed: forgotten(was)})
		}
	}
	return out
}

// forgotten is the step of a version that a lock no longer holds. One that was
// barred is barred no more; of others an approval ends.
func forgotten(v lockfile.PluginVersion) string {
	if v.State != lockfile.PluginRevoked && v.State != lockfile.PluginDisabled {
		return ""
	}
	return fmt.Sprintf("from %s to removed", v.State)
}

func addPlugin(r finding.Report, l PluginLock, steps []Subject) finding.Report {
	v := verified{}
	for _, s := range steps {
		v = v.judged(s, "asked")
	}
	t := reportPlugin(PluginTarget{Name: l.Plugin.Name, Lock: &l}, v.closed())
	r.Targets, r.Findings = append(r.Targets, t), append(r.Findings, v.findings...)
	return r
}
