package lockfile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// diffItem compares two items member by member.
func diffItem(list string, old, new Item) []Change {
	d := differ{list: list, item: new.Key}
	if list == "tools" {
		if g := gained(old.Capabilities, new.Capabilities); len(g) > 0 {
			d.changes = append(d.changes, Change{Event: CapabilityGained, List: list, Item: new.Key, Path: "capabilities",
				Old: jsonOf(append([]string{}, old.Capabilities...)), New: jsonOf(append([]string{}, new.Capabilities...)), Gained: g})
		}
	}
	if old.Digest == new.Digest {
		return d.changes
	}
	o, n := object(old.Raw), object(new.Raw)
	before := len(d.changes)
	for _, name := range differing(o, n) {
		if name != key(list) {
			d.member(name, o[name], n[name], new.Key)
		}
	}
	if len(d.changes) == before && old.Key == new.Key {
		d.add(OtherChanged, "", o, n) // nothing that differs goes untold
	}
	return d.changes
}

// differing lists the names whose values differ; null is not the same as absent.
func differing(o, n map[string]any) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(union(o, n))), func(name string) bool {
		ov, had := o[name]
		nv, has := n[name]
		return had == has && reflect.DeepEqual(ov, nv)
	})
}

// differ collects the changes of one item.
type differ struct {
	list, item string
	changes    []Change
}

// add notes a change; nil stands for an absent value.
func (d *differ) add(e Event, path string, old, new any) {
	c := Change{Event: e, List: d.list, Item: d.item, Path: path}
	if old != nil {
		c.Old = jsonOf(old)
	}
	if new != nil {
		c.New = jsonOf(new)
	}
	d.changes = append(d.changes, c)
}

func (d *differ) member(name string, old, new any, key string) {
	switch {
	case old == nil && new == nil: // null against absent
		d.add(SerializerNoise, name, old, new)
	case name == titleMember:
		d.title(name, old, new, key)
	case name == descriptionMember:
		d.add(DescriptionChanged, name, old, new)
	case name == inputSchemaMember:
		d.schema(name, old, new, key)
	case name == outputSchemaMember && (old == nil || new == nil):
		d.add(outputNoise, name, old, new)
	case name == outputSchemaMember:
		d.schema(name, old, new, key)
	case name == annotationsMember:
		d.annotations(old, new, key)
	case name == "execution":
		d.add(SerializerNoise, name, old, new)
	default:
		d.add(OtherChanged, name, old, new)
	}
}

// title is noise where it only spells the name another way.
func (d *differ) title(path string, old, new any, name string) {
	respells := func(v any) bool {
		s, ok := v.(string)
		return v == nil || ok && letters(s) == letters(name)
	}
	d.add(noiseIf(respells(old) && respells(new), TitleChanged), path, old, new)
}

// letters is the text without case, spaces and punctuation.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// The hints of which one gives the other its meaning: a tool that only reads
// destroys nothing, whatever destructiveHint says.
const (
	readOnlyHint    = "readOnlyHint"
	destructiveHint = "destructiveHint"
)

// hintDefaults are what the specification says an absent hint means
// (ToolAnnotations, revision 2025-03-26 and later).
var hintDefaults = map[string]bool{
	readOnlyHint: false, destructiveHint: true, "idempotentHint": false, "openWorldHint": true,
}

func (d *differ) annotations(old, new any, key string) {
	o, oOK := asObject(old)
	n, nOK := asObject(new)
	if !oOK || !nOK {
		d.add(AnnotationChanged, annotationsMember, old, new)
		return
	}
	destructive := becameDestructive(o, n)
	if destructive {
		d.add(BecameDestructive, annotationsMember+"."+destructiveHint, o[destructiveHint], n[destructiveHint])
	}
	for _, name := range differing(o, n) {
		path := annotationsMember + "." + name
		switch {
		case name == titleMember:
			d.title(path, o[name], n[name], key)
		case destructive && (name == destructiveHint || name == readOnlyHint && o[name] == true): // told already
		default:
			d.add(hintEvent(name, o[name], n[name]), path, o[name], n[name])
		}
	}
	if len(o)+len(n) == 0 {
		d.add(SerializerNoise, annotationsMember, old, new)
	}
}

// becameDestructive reports whether a tool that said that it destroys nothing now
// destroys by its own word, or by the default that takes its place.
func becameDestructive(o, n map[string]any) bool {
	spared := o[destructiveHint] == false || o[readOnlyHint] == true
	return spared && n[readOnlyHint] != true && (n[destructiveHint] == true || o[destructiveHint] == false && n[destructiveHint] == nil)
}

func hintEvent(name string, old, new any) Event {
	def, known := hintDefaults[name]
	o, n := hint(old, def), hint(new, def)
	switch {
	case known && o == n && o != nil:
		return SerializerNoise
	case name == readOnlyHint && o == true:
		return ReadOnlyLost
	}
	return AnnotationChanged
}

// hint is the value of a hint, the default where it is absent or null.
func hint(v any, def bool) any {
	if v == nil {
		return def
	}
	if b, ok := v.(bool); ok {
		return b
	}
	return nil
}

// asObject takes absent and null for an empty object.
func asObject(v any) (map[string]any, bool) {
	if v == nil {
		return nil, true
	}
	o, ok := v.(map[string]any)
	return o, ok
}
