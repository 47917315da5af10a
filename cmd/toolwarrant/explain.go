package main

import (
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// explainCmd tells why a rule is there.
type explainCmd struct {
	outputFlags
	Rule string `arg:"" optional:"" help:"A rule's id; none lists them all."`
}

// Run starts nothing.
func (c *explainCmd) Run(a *app) (finding.Outcome, error) {
	docs := allRules()
	if c.Rule == "" {
		return finding.Clean, c.write(a, view{json: docs, text: func(w io.Writer, s report.Style) error { return report.Rules(w, docs, s) }})
	}
	for _, d := range docs {
		if d.ID == c.Rule {
			return finding.Clean, c.write(a, view{json: d, text: func(w io.Writer, s report.Style) error { return report.Rule(w, d, s) }})
		}
	}
	return 0, usage(near(c.Rule, docs), "there is no rule %q", c.Rule)
}

// near proposes rules whose id holds the last part of what was asked for.
func near(asked string, docs []finding.Explanation) string {
	word := asked[strings.LastIndexByte(asked, '/')+1:]
	var found []string
	for _, d := range docs {
		if word != "" && strings.Contains(d.ID, word) {
			found = append(found, d.ID)
		}
	}
	if len(found) == 0 {
		return "toolwarrant explain lists the rules"
	}
	return "did you mean " + strings.Join(found, " or ")
}

// allRules are the rules of targets and those of archives of plugins.
func allRules() []finding.Explanation {
	return append(scanner.Explanations(), plugin.Explanations()...)
}
