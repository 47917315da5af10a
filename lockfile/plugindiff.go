package lockfile

import (
	"slices"
	"strings"
)

// The events of plugins.
const (
	PluginBytes          Event = "plugin-bytes"           // other bytes under one pin
	PluginSourceChanged  Event = "plugin-source"          // fetched from elsewhere
	PluginPackageChanged Event = "plugin-package"         // another package
	PluginRepacked       Event = "plugin-repacked"        // the same package in other bytes
	SignatureStripped    Event = "signature-stripped"     // signed, now not
	SignatureAdded       Event = "signature-added"        // not signed, now signed
	PublisherChanged     Event = "publisher-changed"      // signed by another key
	PublisherRenamed     Event = "publisher-renamed"      // under another name
	PluginExecAdded      Event = "plugin-exec-added"      // something that runs, or decides what runs
	PluginExecChanged    Event = "plugin-exec-changed"    // the same, now otherwise
	PluginExecRemoved    Event = "plugin-exec-removed"    // no longer there
	SkillAdded           Event = "skill-added"            // text that a model follows
	SkillRemoved         Event = "skill-removed"          // no longer there
	SkillText            Event = "skill-text"             // the same, in other words
	SkillTools           Event = "skill-tools"            // may use tools that it might not
	UntrustedConfirmed   Event = "plugin-untrusted-taken" // taken though nobody trusted signed
)

// KindSkill is the kind of an inventory's item that is text for a model: the one
// kind that runs nothing by itself. Its text is the skill's name, its description,
// and behind these a line beginning with [ToolLine] for each tool that it may use.
const (
	KindSkill = "skill"
	ToolLine  = "tool "
)

// DiffPlugins lists every difference between two versions of a plugin, in a fixed
// order. Two versions with another package, archive, signature, inventory or text
// always differ in at least one change.
func DiffPlugins(old, new PluginVersion) []Change {
	changes := diffOrigin(old, new)
	changes = append(changes, diffSignature(old.Signature, new.Signature)...)
	changes = append(changes, diffInventory(old.Inventory, new.Inventory)...)
	changes = append(changes, diffSkills(old, new)...)
	if new.ConfirmUntrusted && !(old.ConfirmUntrusted && old.SamePackage(new)) { // a confirmation is of one package
		changes = append(changes, Change{Event: UntrustedConfirmed, Path: "confirmUntrusted", Old: jsonOf(old.ConfirmUntrusted), New: jsonOf(true)})
	}
	slices.SortStableFunc(changes, compare)
	return changes
}

func diffOrigin(old, new PluginVersion) []Change {
	var changes []Change
	tell := func(e Event, path, a, b string) {
		changes = append(changes, Change{Event: e, Path: path, Old: jsonOf(a), New: jsonOf(b)})
	}
	pinned := old.Source == new.Source && old.Pin == new.Pin
	if old.Source != new.Source {
		tell(PluginSourceChanged, "source", old.Source, new.Source)
	}
	switch {
	case old.Package != new.Package && pinned:
		tell(PluginBytes, "package", old.Package, new.Package)
	case old.Package != new.Package:
		tell(PluginPackageChanged, "version", old.Version, new.Version)
	case old.Archive != new.Archive && pinned:
		tell(PluginBytes, "archive", old.Archive, new.Archive)
	case old.Archive != new.Archive:
		tell(PluginRepacked, "archive", old.Archive, new.Archive)
	}
	return changes
}

func diffSignature(old, new PluginSignature) []Change {
	var changes []Change
	tell := func(e Event, path, a, b string) {
		changes = append(changes, Change{Event: e, Path: path, Old: jsonOf(a), New: jsonOf(b)})
	}
	switch was, is := old.State == SignatureValid, new.State == SignatureValid; {
	case was && !is:
		tell(SignatureStripped, "signature", old.Publisher, string(new.State))
	case !was && is:
		tell(SignatureAdded, "signature", string(old.State), new.Publisher)
	case old.Publisher != new.Publisher:
		tell(PublisherChanged, "signature.publisher", old.Publisher, new.Publisher)
	case old.State != new.State:
		tell(PluginRepacked, "signature.state", string(old.State), string(new.State))
	}
	if old.Name != new.Name {
		tell(PublisherRenamed, "signature.name", old.Name, new.Name)
	}
	return changes
}

// diffInventory pairs what is equal first, wherever it stands, then what stands in
// one place. What is left was added or removed.
func diffInventory(old, new []PluginItem) []Change {
	olds, news := leftOver(old, new), leftOver(new, old)
	var changes []Change
	for _, n := range news {
		i := slices.IndexFunc(olds, func(o PluginItem) bool { return o.Kind == n.Kind && o.Place == n.Place })
		if i < 0 {
			changes = append(changes, itemChange(PluginExecAdded, n, nil, n.Text))
			continue
		}
		changes = append(changes, itemChange(PluginExecChanged, n, olds[i].Text, n.Text))
		olds = slices.Delete(olds, i, i+1)
	}
	for _, o := range olds {
		changes = append(changes, itemChange(PluginExecRemoved, o, o.Text, nil))
	}
	return changes
}

// leftOver are the items of a that b has not as often, without texts for models.
func leftOver(a, b []PluginItem) []PluginItem {
	times := map[string]int{}
	for _, i := range b {
		times[i.sum()]++
	}
	var out []PluginItem
	for _, i := range a {
		if times[i.sum()]--; times[i.sum()] < 0 && i.Kind != KindSkill {
			out = append(out, i)
		}
	}
	return out
}

func itemChange(e Event, i PluginItem, old, new []string) Change {
	c := Change{Event: e, List: "inventory", Item: i.Place, Path: i.Kind}
	if old != nil {
		c.Old = jsonOf(old)
	}
	if new != nil {
		c.New = jsonOf(new)
	}
	return c
}

// diffSkills compares the words that a model reads, those of the descriptions too,
// and the tools that go with them.
func diffSkills(old, new PluginVersion) []Change {
	olds, news := old.words(), new.words()
	var changes []Change
	for _, name := range sortedKeys(olds, news) {
		o, was := olds[name]
		n, is := news[name]
		switch {
		case !was:
			changes = append(changes, Change{Event: SkillAdded, List: "skills", Item: name, New: jsonOf(n.text), Gained: gained(nil, n.capabilities)})
		case !is:
			changes = append(changes, Change{Event: SkillRemoved, List: "skills", Item: name, Old: jsonOf(o.text)})
		case o.text != n.text:
			changes = append(changes, Change{Event: SkillText, List: "skills", Item: name, Path: "text", Old: jsonOf(o.text), New: jsonOf(n.text)})
		}
		if more := minus(n.tools, o.tools); was && is && len(more) > 0 {
			changes = append(changes, Change{Event: SkillTools, List: "skills", Item: name, Path: "tools", Old: jsonOf(append([]string{}, o.tools...)), New: jsonOf(n.tools), Gained: gained(o.capabilities, n.capabilities)})
		}
	}
	return changes
}

// skillWords is all that a version says under one skill's name.
type skillWords struct {
	text                string
	tools, capabilities []string
}

func (v PluginVersion) words() map[string]skillWords {
	out := map[string]skillWords{}
	for _, s := range v.Skills {
		out[s.Name] = skillWords{text: strings.Join(s.Text, "\n"), capabilities: s.Capabilities}
	}
	for _, i := range v.Inventory {
		if i.Kind != KindSkill || len(i.Text) == 0 {
			continue
		}
		w := out[i.Text[0]]
		for n, line := range i.Text[1:] {
			if tool, ok := strings.CutPrefix(line, ToolLine); ok && n > 0 { // the first is the description
				w.tools = append(w.tools, tool)
			} else {
				w.text = line + "\n" + w.text
			}
		}
		out[i.Text[0]] = w
	}
	return out
}

func sortedKeys(a, b map[string]skillWords) []string {
	var out []string
	for _, m := range []map[string]skillWords{a, b} {
		for name := range m {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
