package surface

import (
	"encoding/json"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// tool is a tool as the classifier reads it.
type tool struct {
	name, title, about text
	params             []*param
	hints              hints
	actions            []action
	nouns              noun // of the name, the title and the first sentence
	all                noun // of the whole description as well
	place
}

// envelope is the nesting that a tool may have beyond its schema.
const envelope = 8

// readTool never fails: what is not of the expected type is as good as absent.
func readTool(raw json.RawMessage) tool {
	var m map[string]any
	if canon.Guard(raw, canon.MaxDepth+envelope) != nil || json.Unmarshal(raw, &m) != nil {
		return tool{}
	}
	t := tool{name: splitName(str(m, "name")), about: readText(str(m, "description")), hints: readHints(m["annotations"])}
	t.title = readText(str(m, "title"))
	w := walker{}
	w.schema(m["inputSchema"], "inputSchema", 0)
	t.params = w.params
	t.readNouns()
	t.readActions()
	return t
}

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func (t *tool) readNouns() {
	for _, w := range t.name.words {
		t.nouns |= w.noun
	}
	for _, w := range t.title.words {
		t.nouns |= w.noun
	}
	for _, w := range t.about.words {
		if w.sentence == 0 {
			t.nouns |= w.noun
		}
		t.all |= w.noun
	}
	t.all |= t.nouns
}

// named returns the place of the first word of the name that is in the set.
func (t *tool) named(words map[string]bool) (int, bool) {
	for i, w := range t.name.words {
		if words[w.text] {
			return i, true
		}
	}
	return 0, false
}

// says returns the place of the first word of the first n sentences of the
// description that is in the set and not denied.
func (t *tool) says(words map[string]bool, sentences int) (int, bool) {
	for i, w := range t.about.words {
		if w.sentence >= sentences {
			break
		}
		if !w.negated && words[w.text] {
			return i, true
		}
	}
	return 0, false
}

// saysPhrase looks for a sequence of words, none denied, in the first n
// sentences; -1 where there is none.
func (t text) saysPhrase(want []string, sentences int) int {
	for i, w := range t.words {
		if w.sentence >= sentences {
			break
		}
		if w.text == want[0] && !w.negated && matches(t.words[i:], want) {
			return i
		}
	}
	return -1
}
