package scanner

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Ask is what a person decides about who approves the start of a target.
func Ask(t Target) finding.Question {
	q := finding.Question{Name: t.Name, Command: t.Command(), Location: t.At(), Pin: t.pin(), Findings: Options{}.declarationFindings(t)}
	for _, set := range []struct {
		kind string
		vars map[string]lockfile.Variable
	}{{"variable", t.Launch.Env}, {"header", t.Launch.Headers}} {
		for _, name := range slices.Sorted(maps.Keys(set.vars)) {
			q.Bindings = append(q.Bindings, finding.Bound{Kind: set.kind, Name: name, Value: boundTo(set.vars[name])})
		}
	}
	for _, b := range []finding.Bound{{Kind: "directory", Name: t.Launch.Dir}, {Kind: "env file", Name: t.Launch.EnvFile}, {Kind: "helper", Name: t.Launch.Helper}} {
		if b.Name != "" {
			q.Bindings = append(q.Bindings, b)
		}
	}
	return q
}

func boundTo(v lockfile.Variable) string {
	switch {
	case v.Value != nil:
		return "= " + v.Value.String()
	case len(v.Ref) > 0:
		return "refers to " + strings.Join(v.Ref, ", ")
	}
	return "is a literal"
}
