package plugin

import (
	"fmt"
	"strings"
)

// Record is what a lock holds of a package: more of it than people are shown, so
// that nothing that runs can change without a word.
type Record struct {
	Files  []File // the manifest, what it lists in its order, the signature
	Items  []Item // without digests
	Skills []SkillText
}

// SkillText is one skill with what a model reads.
type SkillText struct {
	Name, Text string
	Tools      []string
}

// record takes down a package whose contents were judged.
func (p *Package) record(c *container) Record {
	own := func(name string) File {
		return File{Path: name, SHA256: c.sums[name], Bytes: len(c.files[name])}
	}
	r := Record{Files: append([]File{own(manifestName)}, p.Manifest.Files...)}
	if p.Signed {
		r.Files = append(r.Files, own(signatureName))
	}
	for i, s := range p.Manifest.Servers {
		r.Items = append(r.Items, s.recorded(i))
	}
	for i, h := range p.Manifest.Hooks {
		r.Items = append(r.Items, h.recorded(i))
	}
	for _, s := range p.Manifest.Skills {
		m, bad := readSkill(s, p.Manifest.Publisher, c.files, &doubts{})
		if bad != nil { // it was judged before
			continue
		}
		r.Skills = append(r.Skills, SkillText{Name: m.Name, Text: string(c.files[s.Content]), Tools: m.Tools})
		r.Items = append(r.Items, m.recorded(s, c.files[s.Content])...)
	}
	return r
}

// recorded is a server with all that its descriptor says.
func (s Server) recorded(i int) Item {
	it := s.item(i)
	lines := append([]string{"id " + s.ID, "name " + s.Name}, s.commandLine()...)
	if s.Credential != "" {
		lines = append(lines, "credential "+s.Credential)
	}
	lines = append(lines, "declares "+strings.Join(s.Capabilities, ", "), fmt.Sprintf("%d ms, %d bytes a result", s.Timeout, s.MaxResult))
	return Item{Kind: it.Kind, Place: it.Place, Text: masked(lines...)}
}

// commandLine is a line for each word of what is started, or the address.
func (s Server) commandLine() []string {
	if s.Transport == transportHTTP {
		return []string{"url " + s.Target}
	}
	out := []string{"command " + s.Target}
	for _, a := range s.Arguments {
		out = append(out, "argument "+a)
	}
	return out
}

func (h Hook) recorded(i int) Item {
	it := h.item(i)
	lines := append([]string{"id " + h.ID}, it.Text...)
	return Item{Kind: it.Kind, Place: it.Place, Text: masked(append(lines, fmt.Sprintf("on failure %s, %d ms", h.Failure, h.Timeout))...)}
}

func (m skillManifest) recorded(s Skill, content []byte) []Item {
	lines := []string{m.Name, m.Description}
	for _, list := range []struct {
		name   string
		values []string
	}{{"profiles", m.Profiles}, {"surfaces", m.Surfaces}, {"phases", m.Phases}, {"roles", m.Roles}} {
		if len(list.values) > 0 {
			lines = append(lines, list.name+" "+strings.Join(list.values, ", "))
		}
	}
	lines = append(lines, fmt.Sprintf("invocable by people %t, by models %t, only when named %t", m.User, m.Model, m.Explicit))
	for _, t := range m.Tools {
		lines = append(lines, "tool "+t)
	}
	items := m.items(s, content)
	items[0].Text = masked(lines...)
	return items
}
