package scanner

import (
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
)

// told is the check of a rule that the reader of configurations decides: it
// passes on what was found beside the declaration, or about a file as a whole.
// A finding that stands where somebody approved the launch is known: shown,
// without effect.
func told(s Subject, r Rule) []finding.Finding {
	var out []finding.Finding
	pass := func(list []finding.Finding, target string, stands bool) {
		for _, f := range list {
			if f.Rule == r.ID {
				f.Target, f.Cause = target, finding.Change
				f.Known = f.Known || stands && f.Outcome != finding.Undetermined
				out = append(out, f)
			}
		}
	}
	pass(s.File, "", false)
	for _, e := range s.Declared {
		pass(slices.Concat(e.Problems, e.Findings), s.Name, s.stands && s.Old != nil && slices.Contains(s.Old.Places, e.Place))
	}
	return out
}

// declaration is an example of a rule about configurations.
func declaration(text string) Example { return Example{File: ".mcp.json", Manifest: text} }
