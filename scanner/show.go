package scanner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// shown is a JSON value for a sentence: a text quoted, a list of texts as a
// command line, anything else as JSON; bounded, on one line.
func shown(raw json.RawMessage) string {
	var words []string
	if json.Unmarshal(raw, &words) == nil && len(words) > 0 {
		return finding.Claim(strings.Join(words, " ")).Quote()
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return finding.Claim(text).Quote()
	}
	return finding.Claim(raw).Short(finding.ClaimWidth)
}

var singular = map[string]string{"tools": "tool", "resources": "resource", "resourceTemplates": "resource template", "prompts": "prompt", "skills": "skill", "inventory": "item"}

// about names the item that a change is about.
func about(c lockfile.Change) string {
	if c.List == "" {
		return c.Path
	}
	name := singular[c.List] + " " + finding.Claim(c.Item).Quote()
	if c.Path == "" || c.Path == "capabilities" || c.Path == "name" {
		return name
	}
	return name + ", " + finding.Claim(c.Path).Short(finding.ClaimWidth)
}

// evidenceOf gives the evidence for capabilities of a tool.
func evidenceOf(tool json.RawMessage, capabilities []string) []finding.Evidence {
	var out []finding.Evidence
	for _, inf := range surface.Classify(tool).Inferences {
		for _, c := range capabilities {
			if string(inf.Capability) == c {
				out = append(out, evidence(inf)...)
			}
		}
	}
	return out
}

func evidence(inf surface.Inference) []finding.Evidence {
	out := make([]finding.Evidence, 0, len(inf.Evidence))
	for _, e := range inf.Evidence {
		out = append(out, finding.Evidence{Path: e.Path, Signal: e.Signal, Quote: e.Quote})
	}
	return out
}

// because tells the first reason of an inference in a few words.
func because(ev []finding.Evidence) string {
	if len(ev) == 0 {
		return ""
	}
	return fmt.Sprintf(", because of its %s: %s", ev[0].Path, finding.Claim(ev[0].Quote).Quote())
}

func elevated(capabilities []string) []string {
	var out []string
	for _, c := range capabilities {
		if surface.Capability(c).Elevated() {
			out = append(out, c)
		}
	}
	return out
}
