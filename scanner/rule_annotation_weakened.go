package scanner

import (
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const readOnlyTool = `{"tools": [{"name": "sync", "description": "Does it", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object"}}]}`

var ruleAnnotationWeakened = Rule{
	ID:     "surface/annotation-weakened",
	Title:  "A tool became destructive, or lost the claim that it only reads",
	Why:    "Clients use these hints to decide when to ask. A tool with a power, or one of which nothing else is known, that gives up its read-only claim will no longer be what the approval assumed.",
	Remedy: "Find out what the tool does now before you seal again.",
	Level:  finding.Error,
	Bad:    Example{Old: readOnlyTool, New: `{"tools": [{"name": "sync", "description": "Does it", "annotations": {}, "inputSchema": {"type": "object"}}]}`},
	Good:   Example{Old: readOnlyTool, New: readOnlyTool},
	check:  each(annotationChange(true)),
}

var ruleAnnotationWeakenedMinor = Rule{
	ID:     "surface/annotation-weakened-minor",
	Title:  "A tool's annotations changed",
	Why:    "Clients use these hints to decide when to ask.",
	Remedy: "Seal the server again if the change is meant.",
	Level:  finding.Warning,
	Bad: Example{
		Old: `{"tools": [{"name": "list_notes", "description": "Reads notes from a file", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]}`,
		New: `{"tools": [{"name": "list_notes", "description": "Reads notes from a file", "annotations": {"readOnlyHint": false}, "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]}`,
	},
	Good:  ruleAnnotationWeakened.Bad,
	check: each(annotationChange(false)),
}

func annotationChange(alarm bool) func(Subject, lockfile.Change) (string, bool) {
	return func(s Subject, c lockfile.Change) (string, bool) {
		switch c.Event {
		case lockfile.BecameDestructive:
			return fmt.Sprintf("%s says of itself that it destroys", about(c)), alarm
		case lockfile.ReadOnlyLost:
			caps := s.abilities(c)
			only := len(elevated(caps)) > 0 || slices.Equal(caps, []string{"unknown"})
			return fmt.Sprintf("%s no longer claims to be read-only", about(c)), only == alarm
		case lockfile.AnnotationChanged:
			return fmt.Sprintf("%s changed%s", about(c), values(c)), !alarm
		}
		return "", false
	}
}
