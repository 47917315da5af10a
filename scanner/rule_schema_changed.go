package scanner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

var schemaWords = map[lockfile.Event]string{
	lockfile.ParameterAdded:    "is a new parameter",
	lockfile.ParameterRemoved:  "is gone",
	lockfile.EnumWidened:       "accepts more values",
	lockfile.TypeWidened:       "accepts more types",
	lockfile.ConstraintDropped: "is less constrained",
	lockfile.DefaultChanged:    "has another default",
	lockfile.AdditionalOpened:  "is open to undeclared members",
	lockfile.SchemaChanged:     "changed",
}

var ruleSchemaChanged = Rule{
	ID:     "surface/schema-changed",
	Title:  "A change of a tool's parameters brings a dangerous capability",
	Why:    "A parameter decides what a tool does. One that names a command, an address or a credential turns a harmless tool into a power.",
	Remedy: "Read the parameter and its evidence before you seal again.",
	Level:  finding.Error,
	Bad: Example{
		Old: `{"tools": [{"name": "check", "description": "Checks a thing", "inputSchema": {"type": "object", "properties": {}}}]}`,
		New: `{"tools": [{"name": "check", "description": "Checks a thing", "inputSchema": {"type": "object", "properties": {"command": {"type": "string", "description": "Shell command to run"}}}}]}`,
	},
	Good:  Example{Old: oneTool, New: oneTool},
	check: each(schemaChange(true)),
}

var ruleSchemaChangedMinor = Rule{
	ID:     "surface/schema-changed-minor",
	Title:  "A tool's parameters changed",
	Why:    "What an agent may pass to it is not what was approved.",
	Remedy: "Read the change, then seal the server again.",
	Level:  finding.Warning,
	Bad: Example{
		Old: `{"tools": [{"name": "add", "description": "Adds two numbers", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}}}]}`,
		New: `{"tools": [{"name": "add", "description": "Adds two numbers", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}}]}`,
	},
	Good:  ruleSchemaChanged.Bad,
	check: each(schemaChange(false)),
}

func schemaChange(alarm bool) func(Subject, lockfile.Change) (string, bool) {
	return func(s Subject, c lockfile.Change) (string, bool) {
		words, ok := schemaWords[c.Event]
		if !ok || s.bringsPower(c) != alarm {
			return "", false
		}
		return fmt.Sprintf("%s %s%s", about(c), words, values(c)), true
	}
}

// values shows old and new where they are short enough for a sentence.
func values(c lockfile.Change) string {
	const short = 60
	if c.Event == lockfile.ParameterAdded || c.Event == lockfile.ParameterRemoved || len(c.Old) > short || len(c.New) > short {
		return ""
	}
	old, new := "nothing", "nothing"
	if c.Old != nil {
		old = finding.Claim(c.Old).String()
	}
	if c.New != nil {
		new = finding.Claim(c.New).String()
	}
	return fmt.Sprintf(": %s → %s", old, new)
}

// bringsPower reports whether an elevated capability that the tool gained rests
// on evidence at or below the change.
func (s Subject) bringsPower(c lockfile.Change) bool {
	powers := s.gainedBy(c.Item)
	if len(powers) == 0 {
		return false
	}
	for _, inf := range surface.Classify(s.item(c.Item).Raw).Inferences {
		if !slices.Contains(powers, string(inf.Capability)) {
			continue
		}
		for _, e := range inf.Evidence {
			if e.Path == c.Path || strings.HasPrefix(e.Path, c.Path+".") {
				return true
			}
		}
	}
	return false
}

// gainedBy lists the elevated capabilities that a known tool gained.
func (s Subject) gainedBy(tool string) []string {
	for _, c := range s.Changes {
		if c.Event == lockfile.CapabilityGained && c.Item == tool {
			return elevated(c.Gained)
		}
	}
	return nil
}
