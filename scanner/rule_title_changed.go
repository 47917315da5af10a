package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var ruleTitleChanged = Rule{
	ID:     "surface/title-changed",
	Title:  "A title changed",
	Why:    "The title is what a person sees when a client asks for consent.",
	Remedy: "Seal the server again if the new title says what the tool does.",
	Level:  finding.Warning,
	Bad: Example{
		Old: `{"tools": [{"name": "rm", "title": "Remove", "inputSchema": {"type": "object"}}]}`,
		New: `{"tools": [{"name": "rm", "title": "Look", "inputSchema": {"type": "object"}}]}`,
	},
	Good: Example{
		Old: `{"tools": [{"name": "list_notes", "inputSchema": {"type": "object"}}]}`,
		New: `{"tools": [{"name": "list_notes", "title": "List Notes", "inputSchema": {"type": "object"}}]}`,
	},
	check: each(func(_ Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.TitleChanged {
			return "", false
		}
		return fmt.Sprintf("%s changed%s", about(c), values(c)), true
	}),
}
