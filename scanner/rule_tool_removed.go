package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const oneTool = `{"tools": [{"name": "read_note", "description": "Reads a note", "inputSchema": {"type": "object"}}, {"name": "list_notes", "description": "Lists notes", "inputSchema": {"type": "object"}}]}`

var ruleToolRemoved = Rule{
	ID:     "surface/tool-removed",
	Title:  "A tool is gone",
	Why:    "Prompts, skills and permissions that name it now name nothing, or the next tool that takes the name.",
	Remedy: "Seal the server again if the removal is meant.",
	Level:  finding.Warning,
	Bad:    Example{Old: oneTool, New: `{"tools": [{"name": "list_notes", "description": "Lists notes", "inputSchema": {"type": "object"}}]}`},
	Good:   Example{Old: oneTool, New: oneTool},
	check: each(func(_ Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.ItemRemoved || c.List != "tools" {
			return "", false
		}
		return fmt.Sprintf("%s is gone", about(c)), true
	}),
}

var ruleToolRenamed = Rule{
	ID:     "surface/tool-renamed",
	Title:  "A tool has another name",
	Why:    "A permission for the old name no longer covers it, and one for the new name may.",
	Remedy: "Seal the server again, and look where the old name is used.",
	Level:  finding.Warning,
	Bad:    Example{Old: oneTool, New: `{"tools": [{"name": "get_note", "description": "Reads a note", "inputSchema": {"type": "object"}}, {"name": "list_notes", "description": "Lists notes", "inputSchema": {"type": "object"}}]}`},
	Good:   ruleToolRemoved.Bad,
	check: each(func(_ Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.ItemRenamed {
			return "", false
		}
		return fmt.Sprintf("tool %s is now called %s", shown(c.Old), shown(c.New)), true
	}),
}
