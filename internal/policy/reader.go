package policy

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// maxFindings is how many errors of one file are told.
const maxFindings = 100

// maxDepth is the nesting of a policy; the deepest that says something is 4.
const maxDepth = 8

// reader walks a syntax tree and gathers what is wrong with it.
type reader struct {
	*ruler
	found []finding.Finding
	more  int
}

// invalid is a finding about what a policy may not hold.
func invalid(at finding.Location, what, hint string) finding.Finding {
	f := finding.New("policy/invalid", finding.Error, at, "the policy is not valid: "+what)
	f.Hint = hint
	return f
}

func (r *reader) place(n *yaml.Node) finding.Location { return r.at(n.Line, n.Column) }

func (r *reader) fail(at finding.Location, what, hint string) {
	if len(r.found) == maxFindings {
		r.more++
		return
	}
	r.found = append(r.found, invalid(at, what, hint))
}

// broken reports whether anything was wrong.
func (r *reader) broken() bool { return len(r.found) > 0 }

// findings are all that was gathered.
func (r *reader) findings() []finding.Finding {
	if r.more > 0 {
		last := r.found[len(r.found)-1]
		r.found = append(r.found, invalid(last.Location, fmt.Sprintf("%d more errors follow", r.more), ""))
		r.more = 0
	}
	return r.found
}

// screen refuses what makes text mean something else than it says: anchors,
// aliases and tags. Nesting is bounded first; the parser bounds its own at
// 10,000.
func (r *reader) screen(n *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		r.fail(r.place(n), "nested too deeply", "")
		return
	case n.Kind == yaml.AliasNode:
		r.fail(r.place(n), "an alias", "write the value out")
	case n.Anchor != "":
		r.fail(r.place(n), "an anchor", "remove it, and write the value out wherever it is meant")
	case n.Style&yaml.TaggedStyle != 0:
		r.fail(r.place(n), "a tag", "remove it")
	}
	for _, c := range n.Content {
		r.screen(c, depth+1)
	}
}

// field is one member that a mapping may have.
type field struct {
	name string
	read func(key, value *yaml.Node)
}

// mapping reads the members of n in the order of the text. what names n in
// messages. It reports whether n is a mapping.
func (r *reader) mapping(n *yaml.Node, what string, fields []field) bool {
	return r.pairs(n, what, func(key, value *yaml.Node) {
		for _, f := range fields {
			if f.name == key.Value {
				f.read(key, value)
				return
			}
		}
		r.unknown(key, what, fields)
	})
}

func (r *reader) unknown(key *yaml.Node, what string, fields []field) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	hint := "allowed here: " + strings.Join(names, ", ")
	if near := nearest(key.Value, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	r.fail(r.place(key), "unknown key "+quote(key.Value)+" in "+what, hint)
}

// pairs calls read for each key of a mapping that is a text and stands there
// for the first time.
func (r *reader) pairs(n *yaml.Node, what string, read func(key, value *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		r.fail(r.place(n), fmt.Sprintf("%s is %s where a mapping (NAME: VALUE) belongs", what, kind(n)), "")
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str":
			r.fail(r.place(key), fmt.Sprintf("a key of %s is %s where a text belongs", what, kind(key)), "put it in quotes")
		case seen[key.Value]:
			r.fail(r.place(key), "the key "+quote(key.Value)+" stands twice in "+what, "delete one of the two")
		default:
			seen[key.Value] = true
			read(key, value)
		}
	}
	return true
}

// each calls read for the elements of a list.
func (r *reader) each(n *yaml.Node, what string, read func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.fail(r.place(n), fmt.Sprintf("%s is %s where a list belongs", what, kind(n)), "[] is the empty list")
		return
	}
	for _, e := range n.Content {
		read(e)
	}
}

// text reads one line of visible characters.
func (r *reader) text(n *yaml.Node, what string) (string, bool) {
	s, ok := r.prose(n, what)
	if ok && strings.ContainsAny(s, "\n\t") {
		r.fail(r.place(n), what+" has more than one line, or a tab", "")
		return "", false
	}
	return s, ok
}

// prose reads a text for people, which may have several lines.
func (r *reader) prose(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		hint := ""
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			hint = "put it in quotes"
		}
		r.fail(r.place(n), fmt.Sprintf("%s is %s where a text belongs", what, kind(n)), hint)
		return "", false
	}
	s := strings.TrimSpace(n.Value)
	if s == "" {
		r.fail(r.place(n), what+" is empty", "")
		return "", false
	}
	for _, c := range s {
		if c != '\n' && c != '\t' && !canon.Shows(c) {
			r.fail(r.place(n), fmt.Sprintf("%s holds a character that does not show (U+%04X)", what, c), "")
			return "", false
		}
	}
	return s, true
}

// checked reads a line that a rule accepts. The rule returns what is allowed,
// or nothing where it is content.
func (r *reader) checked(n *yaml.Node, what string, rule func(string) string) string {
	s, ok := r.text(n, what)
	if !ok {
		return ""
	}
	if allowed := rule(s); allowed != "" {
		r.fail(r.place(n), what+" is not of the form that it must have", allowed)
		return ""
	}
	return s
}

// texts reads a list of lines that a rule accepts; others are left out.
func (r *reader) texts(n *yaml.Node, what string, rule func(string) string) []string {
	var out []string
	r.each(n, what, func(e *yaml.Node) {
		if s := r.checked(e, "an element of "+what, rule); s != "" {
			out = append(out, s)
		}
	})
	return out
}

// boolean reads true or false; anything else is an error and false.
func (r *reader) boolean(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		r.fail(r.place(n), fmt.Sprintf("%s is %s where true or false belongs", what, kind(n)), "")
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

// choose reads one of a list of words, whose first is the strictest and is what
// an unreadable value counts as.
func choose[T ~uint8](r *reader, n *yaml.Node, what string, words []string) T {
	s, ok := r.text(n, what)
	if !ok {
		return 0
	}
	for i, w := range words {
		if w == s && w != "" {
			return T(i)
		}
	}
	hint := "allowed: " + oneOf(words)
	if near := nearest(s, words); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	r.fail(r.place(n), what+" has a value that it does not know", hint)
	return 0
}

// kind names what stands at a node, without its value.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	}
	return "a text"
}

// quote shows a key, which is the author's text.
func quote(key string) string { return `"` + finding.Claim(key).Short(40) + `"` }
