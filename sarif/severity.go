package sarif

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// severities are GitHub's security-severity of rules, by family: above 9.0 is
// shown as critical, from 7.0 high, from 4.0 medium, below that low. Of the
// errors, a record that was forged or bytes that are not the pinned ones are
// critical; another launch or a new power is high; words alone are a little less.
var severities = map[string]struct{ err, warning, note string }{
	"lock":    {"9.3", "6.0", "2.0"},
	"package": {"9.3", "5.5", "2.0"},
	"plugin":  {"9.3", "5.5", "2.0"},
	"launch":  {"8.8", "5.5", "2.0"},
	"policy":  {"8.8", "5.5", "2.0"},
	"sandbox": {"8.8", "5.5", "2.0"},
	"surface": {"8.6", "5.0", "1.0"},
	"text":    {"8.2", "5.0", "1.0"},
	"flow":    {"8.2", "5.0", "1.0"},
	"check":   {"6.5", "4.0", "1.0"},
}

// unknowing is the severity of rules that say that nothing is known: they fail
// by their level, and accuse nobody.
const unknowing = "6.5"

// severity is the number of one rule. An unknown family counts as launch.
func severity(e finding.Explanation) string {
	row, ok := severities[family(e.ID)]
	if !ok {
		row = severities["launch"]
	}
	switch {
	case e.Outcome == finding.Undetermined.String() || e.Outcome == finding.Refused.String():
		return unknowing
	case e.Level == finding.Error:
		return row.err
	case e.Level == finding.Warning:
		return row.warning
	}
	return row.note
}

// family is the part of a rule's id before the slash.
func family(id string) string {
	before, _, _ := strings.Cut(id, "/")
	return before
}
