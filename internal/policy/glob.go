package policy

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Exclude takes files out of a scan. What it takes out is counted in reports.
type Exclude struct {
	Glob   string           `json:"glob"` // doublestar, slash-separated, from the root
	Reason string           `json:"reason"`
	At     finding.Location `json:"-"`
}

// Excluded returns the first entry that takes out the file at a slash-separated
// path from the root. Case does not matter, as on the file systems of some
// readers of the repository.
func (p Policy) Excluded(file string) (Exclude, bool) {
	for _, e := range p.Exclude {
		if matchGlob(e.Glob, file) {
			return e, true
		}
	}
	return Exclude{}, false
}

// matchGlob folds case. A pattern that cannot be read matches nothing.
func matchGlob(pattern, name string) bool {
	ok, err := doublestar.Match(strings.ToLower(pattern), strings.ToLower(name))
	return ok && err == nil
}

// Bounds on the work of one match: the matcher goes back at each star and
// tries each alternative of a brace.
const (
	maxStars  = 16
	maxBraces = 4
)

func costly(pattern string) bool {
	return strings.Count(pattern, "*") > maxStars || strings.Count(pattern, "{") > maxBraces
}

// globForm takes patterns over paths from the root. A folder alone would take
// out nothing, which is never what is meant.
func globForm(s string) string {
	switch {
	case costly(s):
		return fmt.Sprintf("at most %d stars and %d braces", maxStars, maxBraces)
	case strings.HasSuffix(s, "/"):
		return `a pattern that matches files: "folder/**", not "folder/"`
	case path.IsAbs(s), s != path.Clean(s), s == "..", strings.HasPrefix(s, "../"), strings.Contains(s, `\`):
		return "a slash-separated pattern from the repository's root, without .. and backslashes"
	case !doublestar.ValidatePattern(strings.ToLower(s)):
		return "a pattern of *, **, ?, [abc] and {a,b}"
	}
	return ""
}

func (r *reader) excludes(n *yaml.Node) []Exclude {
	var out []Exclude
	r.each(n, "exclude", func(e *yaml.Node) {
		x := Exclude{At: r.place(e)}
		ok := r.required(e, "an entry of exclude", []field{
			{"glob", func(_, v *yaml.Node) { x.Glob = r.checked(v, "glob", globForm) }},
			{"reason", func(_, v *yaml.Node) { x.Reason, _ = r.prose(v, "reason") }},
		})
		if ok && x.Glob != "" && x.Reason != "" {
			out = append(out, x)
		}
	})
	return out
}

// required is mapping where every field must stand.
func (r *reader) required(n *yaml.Node, what string, fields []field) bool {
	at := r.place(n)
	if !r.mapping(n, what, fields) {
		return false
	}
	all := true
	for _, f := range fields {
		if !has(n, f.name) {
			all = false
			r.fail(at, what+" has no "+f.name, "add "+f.name)
		}
	}
	return all
}

func has(n *yaml.Node, name string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return true
		}
	}
	return false
}
