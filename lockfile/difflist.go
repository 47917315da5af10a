package lockfile

import (
	"encoding/json"
	"slices"
)

func diffList(list string, old, new []Item) []Change {
	olds, news := byKey(old), byKey(new)
	var changes []Change
	var added, removed []Item
	var both [][2]Item
	for _, n := range new {
		if o, ok := olds[n.Key]; !ok {
			added = append(added, n)
		} else if both = append(both, [2]Item{o, n}); o.Digest != n.Digest || list == "tools" {
			changes = append(changes, diffItem(list, o, n)...)
		}
	}
	for _, o := range old {
		if _, ok := news[o.Key]; !ok {
			removed = append(removed, o)
		}
	}
	if list == "tools" {
		var renamed [][2]Item
		added, removed, renamed = renames(added, removed)
		for _, pair := range renamed {
			changes = append(changes, diffRenamed(pair[0], pair[1])...)
		}
		changes = settleNoise(changes, both)
	}
	for _, n := range added {
		changes = append(changes, Change{Event: ItemAdded, List: list, Item: n.Key, New: n.Raw, Gained: gained(nil, n.Capabilities)})
	}
	for _, o := range removed {
		changes = append(changes, Change{Event: ItemRemoved, List: list, Item: o.Key, Old: o.Raw})
	}
	return changes
}

func byKey(items []Item) map[string]Item {
	out := make(map[string]Item, len(items))
	for _, i := range items {
		out[i.Key] = i
	}
	return out
}

// gained lists what new can do and old could not. To be unknown is no ability,
// and to be pure is to have none.
func gained(old, new []string) []string {
	return slices.DeleteFunc(minus(new, old), func(c string) bool { return c == "unknown" || c == "pure" })
}

// renames pairs an added with a removed tool where exactly one of each has the
// same description and, noise aside, the same input schema.
func renames(added, removed []Item) (restAdded, restRemoved []Item, renamed [][2]Item) {
	a, r := bySignature(added), bySignature(removed)
	isRenamed := map[string]bool{}
	for sign, news := range a {
		if olds := r[sign]; len(news) == 1 && len(olds) == 1 {
			renamed = append(renamed, [2]Item{olds[0], news[0]})
			isRenamed[sign] = true
		}
	}
	slices.SortFunc(renamed, func(x, y [2]Item) int { return compare(Change{Item: x[1].Key}, Change{Item: y[1].Key}) })
	keep := func(items []Item) []Item {
		return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return isRenamed[signature(i)] })
	}
	return keep(added), keep(removed), renamed
}

func bySignature(items []Item) map[string][]Item {
	out := map[string][]Item{}
	for _, i := range items {
		s := signature(i)
		out[s] = append(out[s], i)
	}
	return out
}

// signature is what two names of one tool have in common.
func signature(i Item) string {
	m := object(i.Raw)
	schema := withoutNoise(m[inputSchemaMember])
	return string(mustCanonical([]any{m[descriptionMember], schema}))
}

func diffRenamed(old, new Item) []Change {
	changes := []Change{{Event: ItemRenamed, List: "tools", Item: new.Key, Path: "name", Old: jsonOf(old.Key), New: jsonOf(new.Key)}}
	return append(changes, diffItem("tools", old, new)...)
}

func object(raw json.RawMessage) map[string]any {
	var m map[string]any
	_ = json.Unmarshal(raw, &m) // canonical bytes of an object
	return m
}
