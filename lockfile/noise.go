package lockfile

// Noise is what a serializer changes without a hand of the tool's author: 3 of
// 53 measured steps between releases of real servers were nothing else.

// settleNoise turns changes that only a look at all tools can judge into noise,
// where every tool that both sides have shows them, or else into changes.
func settleNoise(changes []Change, both [][2]Item) []Change {
	appeared := everyTool(changes, both, func(c Change) bool { return c.Event == additionalNoise && c.Old == nil })
	vanished := everyTool(changes, both, func(c Change) bool { return c.Event == additionalNoise && c.New == nil })
	outIn := everyTool(changes, both, func(c Change) bool { return c.Event == outputNoise && c.Old == nil })
	outGone := everyTool(changes, both, func(c Change) bool { return c.Event == outputNoise && c.New == nil })
	for i := range changes {
		switch c := &changes[i]; {
		case c.Event == additionalNoise && c.Old == nil:
			c.Event = noiseIf(appeared, SchemaChanged)
		case c.Event == additionalNoise:
			c.Event = noiseIf(vanished, AdditionalOpened)
		case c.Event == outputNoise && c.Old == nil:
			c.Event = noiseIf(outIn, SchemaChanged)
		case c.Event == outputNoise:
			c.Event = noiseIf(outGone, SchemaChanged)
		}
	}
	return changes
}

// everyTool reports whether each of the tools that both sides have, at least
// two, shows a change that fits: of a single tool nobody could tell.
func everyTool(changes []Change, both [][2]Item, fits func(Change) bool) bool {
	shows := map[string]bool{}
	for _, c := range changes {
		if fits(c) {
			shows[c.Item] = true
		}
	}
	for _, pair := range both {
		if !shows[pair[1].Key] {
			return false
		}
	}
	return len(both) > 1
}

// withoutNoise is a schema without what serializers add and leave out.
func withoutNoise(v any) any {
	switch t := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, member := range t {
			if !isNoise(k, member) {
				out[k] = withoutNoise(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i, e := range t {
			out[i] = withoutNoise(e)
		}
		return out
	}
	return v
}

func isNoise(k string, member any) bool {
	switch k {
	case "$schema":
		return true
	case additionalProperties:
		return member == false
	case "required":
		return len(set(member)) == 0
	}
	return false
}
