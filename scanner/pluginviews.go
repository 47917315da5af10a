package scanner

import (
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// listedPlugin is a plugin in a list.
func listedPlugin(t PluginTarget) finding.Listed {
	l := finding.Listed{Name: t.Name, State: t.word(), Location: t.At(), Places: []string{}, Command: []string{}, Clients: []finding.Client{}, Findings: []finding.Finding{}}
	if t.Declared != nil {
		l.Places, l.Pin = []string{pluginPlace(t.Name)}, "immutable"
	}
	if t.Lock != nil {
		l.Lock = t.Lock.File
	}
	if v := t.version(); v != nil {
		l.Surface = v.Package
	}
	return l
}

// word is the state of a plugin for people.
func (t PluginTarget) word() string {
	v := t.version()
	switch {
	case t.Declared == nil:
		return "not-declared"
	case t.Lock == nil:
		return "not-sealed"
	case v == nil:
		return "changed"
	}
	return string(v.State)
}

// ShowPlugin is a believed lock of a plugin for people and programs.
func ShowPlugin(l PluginLock) finding.PluginLockView {
	out := finding.PluginLockView{Schema: finding.PluginLockSchema, File: l.File, Name: l.Plugin.Name, Places: l.Plugin.Places, Versions: []finding.PluginVersionView{}}
	for _, v := range l.Plugin.Versions {
		out.Versions = append(out.Versions, shownVersion(v))
	}
	return out
}

func shownVersion(v lockfile.PluginVersion) finding.PluginVersionView {
	out := finding.PluginVersionView{Version: v.Version, State: string(v.State), Source: v.Source, Pin: v.Pin, Archive: v.Archive, Package: v.Package,
		Signature: string(v.Signature.State), Publisher: v.Signature.Publisher, ConfirmUntrusted: v.ConfirmUntrusted, Only: v.Only,
		Inventory: []finding.PluginItem{}, Skills: []finding.PluginItem{}}
	for _, i := range v.Inventory {
		out.Inventory = append(out.Inventory, finding.PluginItem(i))
	}
	for _, s := range v.Skills {
		out.Skills = append(out.Skills, finding.PluginItem{Kind: lockfile.KindSkill, Place: s.Name, Text: s.Text, Digest: s.Digest})
	}
	return out
}

// Shown is the lock as one of servers, where it is not believed: what is told of it
// is the same.
func (l PluginLock) Shown() Lock { return Lock{File: l.File, Invalid: l.Invalid, data: l.data} }
