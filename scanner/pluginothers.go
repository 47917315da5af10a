package scanner

import (
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// otherVersions sets what the head's lock holds beside the declared version against
// the anchor's: a version that is approved unseen could be declared later, and one
// that was revoked could be forgotten.
func (sc *scan) otherVersions(v verified, t PluginTarget, p pluginPast) verified {
	if t.Lock == nil || p.lock == nil || sc.standsInPlugin(t) {
		return v
	}
	declared := t.version()
	for _, now := range t.Lock.Plugin.Versions {
		if declared != nil && now.Source == declared.Source && now.Pin == declared.Pin {
			continue
		}
		v = v.alone(besideDeclared(t, p, now))
	}
	for _, was := range p.lock.Plugin.Versions {
		if step := forgotten(was); step != "" && t.Lock.Plugin.From(was.Source, was.Pin) == nil {
			v = v.alone(Subject{Name: t.Name, At: t.Lock.At("/versions"), State: compared, Cause: finding.Change, Reviewed: step})
		}
	}
	return v
}

// besideDeclared is one version of a lock that is not the declared one.
func besideDeclared(t PluginTarget, p pluginPast, now lockfile.PluginVersion) Subject {
	s := Subject{Name: t.Name, At: t.Lock.At(t.versionAt(&now)), State: compared, Cause: finding.Change, powers: pluginPowers(&now)}
	was := p.lock.Plugin.From(now.Source, now.Pin)
	switch {
	case was != nil:
		s.Changes, s.Reviewed = lockfile.DiffPlugins(inferredPlugin(*was), inferredPlugin(now)), pluginStep(*was, now, was)
	case now.State == lockfile.PluginApproved || now.State == lockfile.PluginEnabled:
		s.Changes = lockfile.DiffPlugins(inferredPlugin(*predecessorOf(p.lock.Plugin)), inferredPlugin(now))
	}
	return s
}

// alone adds the findings about something beside the declared version.
func (v verified) alone(s Subject) verified {
	told, subject := v.told, v.subject
	v = v.judged(s, "asked")
	v.told, v.subject = told, subject
	return v
}
