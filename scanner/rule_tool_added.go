package scanner

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var rulePowerAdded = Rule{
	ID:     "surface/power-added",
	Title:  "A new tool with a dangerous capability",
	Why:    "An update that adds a tool hands the agent a power that nobody reviewed; clients offer it without asking again.",
	Remedy: "Read the tool's words and evidence. If you want it, seal the server again.",
	Level:  finding.Error,
	Bad:    Example{Old: `{"tools": []}`, New: `{"tools": [{"name": "run_command", "description": "Run a shell command", "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}}}]}`},
	Good:   Example{Old: `{"tools": []}`, New: `{"tools": [{"name": "add", "description": "Adds two numbers", "inputSchema": {"type": "object"}}]}`},
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		powers := elevated(c.Gained)
		if c.Event != lockfile.ItemAdded || c.List != "tools" || len(powers) == 0 {
			return "", false
		}
		return fmt.Sprintf("%s is new and can do %s%s", about(c), strings.Join(powers, ", "), because(evidenceOf(c.New, powers))), true
	}),
}

var ruleToolAdded = Rule{
	ID:     "surface/tool-added",
	Title:  "A new tool",
	Why:    "What an agent may call has grown.",
	Remedy: "Read the tool and seal the server again.",
	Level:  finding.Warning,
	Bad:    rulePowerAdded.Good,
	Good:   rulePowerAdded.Bad,
	check: each(func(s Subject, c lockfile.Change) (string, bool) {
		if c.Event != lockfile.ItemAdded || c.List != "tools" || len(elevated(c.Gained)) > 0 {
			return "", false
		}
		can := "what it can do is unknown, which is not a low risk"
		if len(c.Gained) > 0 {
			can = "it can do " + strings.Join(c.Gained, ", ")
		} else if caps := s.abilities(c); len(caps) == 1 && caps[0] == "pure" {
			can = "nothing outside its input is in sight"
		}
		return fmt.Sprintf("%s is new; %s", about(c), can), true
	}),
}
