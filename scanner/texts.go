package scanner

import (
	"encoding/json"
	"maps"
	"slices"
)

func quoted(text string) []byte {
	b, _ := json.Marshal(text) // a string always marshals
	return b
}

// textsIn lists every text in a declaration, member names included: an agent
// reads those too.
func textsIn(raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return texts(v, nil)
}

func texts(v any, out []string) []string {
	switch t := v.(type) {
	case string:
		return append(out, t)
	case []any:
		for _, e := range t {
			out = texts(e, out)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(t)) {
			out = texts(t[name], append(out, name))
		}
	}
	return out
}
