package policy

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Parse reads a policy; file names it in findings (empty: File). No data is the default
// policy. What is wrong is told with its place; the policy is then Broken and
// holds only what tightens the default.
func Parse(data []byte, file string) (Policy, []finding.Finding) {
	file = orFile(file)
	if f := wall(data, file); f != nil {
		return Policy{file: file}.refused(), []finding.Finding{*f}
	}
	body := bytes.TrimPrefix(data, byteOrderMark)
	r := &reader{ruler: newRuler(file, body)}
	var doc yaml.Node
	if err := yaml.Unmarshal(body, &doc); err != nil {
		f := invalid(r.indented(syntaxLine(body, err)), "not valid YAML: "+syntaxKind(err), "")
		return Policy{file: file}.refused(), []finding.Finding{f}
	}
	p := Default()
	p.file, p.places = file, map[string]finding.Location{}
	if len(doc.Content) > 0 && !blank(doc.Content[0]) {
		r.screen(doc.Content[0], 1)
		if r.broken() {
			return p.refused(), r.findings()
		}
		r.policy(doc.Content[0], &p)
	}
	if r.broken() {
		p.sound = false
		p = p.restricted()
	}
	return p, r.findings()
}

// Unreadable is the policy of a file that is there and cannot be read, as a
// link that leads out of the tree: broken, like one that was not understood.
func Unreadable(file string) (Policy, []finding.Finding) {
	file = orFile(file)
	f := invalid(finding.At(file, 1, 1), "the file cannot be read, or leads out of the tree", "make it a plain file")
	return Policy{file: file}.refused(), []finding.Finding{f}
}

// refused is the policy of a file that was not read: nothing is started, and
// everything fails the job.
func (p Policy) refused() Policy {
	r := Policy{file: p.file}.restricted()
	r.sound = false
	return r
}

// blank is a document of comments alone.
func blank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" && n.Style == 0
}

// policy reads the members of the file.
func (r *reader) policy(n *yaml.Node, p *Policy) {
	at := func(name string, read func(*yaml.Node)) field {
		return field{name, func(key, value *yaml.Node) {
			p.places[name] = r.place(key)
			read(value)
		}}
	}
	r.mapping(n, "the file", []field{
		at("start", func(v *yaml.Node) { p.Start = choose[Start](r, v, "start", startWords) }),
		at("fail-on", func(v *yaml.Node) { p.FailOn = choose[FailOn](r, v, "fail-on", failOnWords) }),
		at("anchor-branches", func(v *yaml.Node) { p.AnchorBranches = r.texts(v, "anchor-branches", branchForm) }),
		at("fail-scope", func(v *yaml.Node) { p.FailScope = choose[Scope](r, v, "fail-scope", scopeWords) }),
		at("approval", func(v *yaml.Node) { p.Approval = choose[Approval](r, v, "approval", approvalWords) }),
		at("approvers", func(v *yaml.Node) { p.Approvers = r.texts(v, "approvers", loginForm) }),
		at("bumps", func(v *yaml.Node) { p.Bumps = choose[Bumps](r, v, "bumps", bumpsWords) }),
		at("require-pin", func(v *yaml.Node) { p.RequirePin = choose[Pin](r, v, "require-pin", pinWords) }),
		at("network", func(v *yaml.Node) { p.Network = r.network(v) }),
		at("on-drift", func(v *yaml.Node) { p.OnDrift = choose[OnDrift](r, v, "on-drift", onDriftWords) }),
		at("deny", func(v *yaml.Node) { p.Deny = r.deny(v) }),
		at("exclude", func(v *yaml.Node) { p.Exclude = r.excludes(v) }),
		at("servers", func(v *yaml.Node) { p.Servers = r.servers(v) }),
		at("publishers", func(v *yaml.Node) { p.Publishers = r.publishers(v) }),
		at("plugins", func(v *yaml.Node) { p.Plugins = r.plugins(v) }),
		at("ignore", func(v *yaml.Node) { p.Ignore = r.ignores(v) }),
	})
}

// Bounds of the search for the line of a syntax error.
const (
	searchBytes = 32 << 10
	searchLines = 1000
)

// syntaxLine finds the first line, from 1, that no valid beginning of the text
// holds. The parser's own number is that of the collection around it, or one
// too low; it serves where the text is too long to search.
func syntaxLine(body []byte, err error) int {
	ends := []int{0}
	for i, c := range body {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	if len(body) <= searchBytes && len(ends) <= searchLines {
		for line := len(ends); line > 1; line-- {
			if yaml.Unmarshal(body[:ends[line-1]], new(yaml.Node)) == nil {
				return line
			}
		}
		return 1
	}
	line := 1
	_, _ = fmt.Sscanf(err.Error(), "yaml: line %d:", &line) // without a number it is the first
	return line
}

// syntaxKind is the kind of a syntax error. Nothing but our own words comes
// out of it: the parser's text may hold names from the file.
func syntaxKind(err error) string {
	for _, k := range []struct{ sign, kind string }{
		{"exceeded max depth", "nested too deeply"},
		{"tab character", "a tab in the indentation"},
		{"cannot start any token", "a character that cannot stand here, as a tab or an at sign"},
		{"mapping values are not allowed", "a colon where none may stand"},
		{"expected ':'", "a colon is missing"},
		{"',' or ']'", "a list is not closed"},
		{"',' or '}'", "a mapping is not closed"},
		{"unexpected end of stream", "a text is not closed"},
		{"expected key", "the indentation does not fit, or a key is missing"},
		{"'-' indicator", "the indentation does not fit, or a dash is missing"},
		{"unknown anchor", "an alias"},
		{"anchor", "an anchor or alias"},
		{"tag", "a tag"},
		{"escape", "an unknown escape in a text"},
	} {
		if strings.Contains(err.Error(), k.sign) {
			return k.kind
		}
	}
	return "the text breaks off or does not fit together"
}
