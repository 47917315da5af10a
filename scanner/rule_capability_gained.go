package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var ruleCapabilityGained = Rule{
	ID:     "surface/capability-gained",
	Title:  "A known tool can do something dangerous that it could not do before",
	Why:    "The name was approved for less. A tool that turns from a reader into a runner of commands is how a trusted server goes bad.",
	Remedy: "Read the evidence. If you want the power, seal the server again.",
	Level:  finding.Error,
	Bad: Example{
		Old: `{"tools": [{"name": "check", "description": "Checks a number", "inputSchema": {"type": "object", "properties": {"n": {"type": "number"}}}}]}`,
		New: `{"tools": [{"name": "check", "description": "Checks a number by running a shell command", "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}}}]}`,
	},
	Good: Example{Old: oneTool, New: oneTool},
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		powers := elevated(c.Gained)
		if c.Event != lockfile.CapabilityGained || len(powers) == 0 {
			return "", false
		}
		return fmt.Sprintf("%s gained %s%s", about(c), strings.Join(powers, ", "), because(evidenceOf(s.item(c.Item).Raw, powers))), true
	}),
}

var ruleCapabilityGainedMinor = Rule{
	ID:     "surface/capability-gained-minor",
	Title:  "A known tool can do more than before, nothing dangerous",
	Why:    "It reaches something that it did not reach before.",
	Remedy: "Seal the server again if the change is meant.",
	Level:  finding.Warning,
	Bad: Example{
		Old: `{"tools": [{"name": "helper", "description": "A helper", "inputSchema": {"type": "object"}}]}`,
		New: `{"tools": [{"name": "helper", "description": "Reads a file from disk", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]}`,
	},
	Good: ruleCapabilityGained.Good,
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.CapabilityGained || len(elevated(c.Gained)) > 0 {
			return "", false
		}
		return fmt.Sprintf("%s gained %s%s", about(c), strings.Join(c.Gained, ", "), because(evidenceOf(s.item(c.Item).Raw, c.Gained))), true
	}),
}
