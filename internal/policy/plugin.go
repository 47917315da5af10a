package policy

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

func (r *reader) publishers(n *yaml.Node) (p Publishers) {
	r.mapping(n, "publishers", []field{
		{"trusted", func(_, v *yaml.Node) { p.Trusted = r.texts(v, "publishers.trusted", fingerprintForm) }},
		{"revoked", func(_, v *yaml.Node) { p.Revoked = r.texts(v, "publishers.revoked", fingerprintForm) }},
	})
	for _, key := range p.Trusted {
		if slices.Contains(p.Revoked, key) {
			r.fail(r.place(n), "a publisher is both trusted and revoked", "delete it from trusted")
		}
	}
	return p
}

func (r *reader) plugins(n *yaml.Node) []Plugin {
	var out []Plugin
	names := map[string]bool{}
	r.each(n, "plugins", func(e *yaml.Node) {
		p := r.plugin(e)
		if names[p.Name] && p.Name != "" {
			r.fail(p.At, "two plugins have one name", "")
		}
		names[p.Name] = true
		out = append(out, p)
	})
	return out
}

// plugin takes one of two sources, each in full.
func (r *reader) plugin(n *yaml.Node) Plugin {
	const what = "an entry of plugins"
	p := Plugin{At: r.place(n)}
	if !r.mapping(n, what, []field{
		{"name", func(_, v *yaml.Node) { p.Name, _ = r.text(v, "name") }},
		{"url", func(_, v *yaml.Node) { p.URL = r.checked(v, "url", addressForm) }},
		{"sha256", func(_, v *yaml.Node) { p.SHA256 = r.checked(v, "sha256", digestForm) }},
		{"git", func(_, v *yaml.Node) { p.Git = r.checked(v, "git", addressForm) }},
		{"commit", func(_, v *yaml.Node) { p.Commit = r.checked(v, "commit", commitForm) }},
		{"path", func(_, v *yaml.Node) { p.Path = r.checked(v, "path", localForm) }},
	}) {
		return p
	}
	archive := has(n, "url") && has(n, "sha256") && !has(n, "git") && !has(n, "commit") && !has(n, "path")
	git := has(n, "git") && has(n, "commit") && has(n, "path") && !has(n, "url") && !has(n, "sha256")
	if !has(n, "name") || !archive && !git {
		r.fail(p.At, what+" does not name one source in full", "name with url and sha256, or name with git, commit and path")
	}
	return p
}
