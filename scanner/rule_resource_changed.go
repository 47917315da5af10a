package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const oneResource = `{"resources": [{"uri": "note://1", "name": "note"}]}`

var ruleResourceChanged = Rule{
	ID:     "surface/resource-changed",
	Title:  "A resource or resource template changed",
	Why:    "Resources are what an agent may read into its context; a new one may be a file that was never meant for it.",
	Remedy: "Read the change, then seal the server again.",
	Level:  finding.Warning,
	Bad:    Example{Old: oneResource, New: `{"resources": [{"uri": "note://1", "name": "note"}, {"uri": "file:///etc/passwd", "name": "users"}]}`},
	Good:   Example{Old: oneResource, New: oneResource},
	check:  each(itemChange("resources", "resourceTemplates")),
}

var rulePromptChanged = Rule{
	ID:     "surface/prompt-changed",
	Title:  "A prompt changed",
	Why:    "A prompt becomes the user's own words to the agent.",
	Remedy: "Read the change, then seal the server again.",
	Level:  finding.Warning,
	Bad:    Example{Old: `{"prompts": [{"name": "ask", "description": "Asks"}]}`, New: `{"prompts": [{"name": "ask", "description": "Asks twice"}]}`},
	Good:   Example{Old: oneResource, New: oneResource},
	check:  each(itemChange("prompts", "prompts")),
}

var itemWords = map[lockfile.Event]string{lockfile.ItemAdded: "is new", lockfile.ItemRemoved: "is gone"}

func itemChange(a, b string) func(Subject, lockfile.Change) (string, bool) {
	return func(s Subject, c lockfile.Change) (string, bool) {
		if c.List != a && c.List != b || c.Event == lockfile.SerializerNoise || c.Event == lockfile.TitleChanged {
			return "", false
		}
		words, ok := itemWords[c.Event]
		if !ok {
			words = "changed" + values(c)
		}
		return fmt.Sprintf("%s %s%s", about(c), words, s.cueWords(c)), true
	}
}
