package report

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The bounds on what a picture can show and a reader can see.
const (
	mostDrawn = 30
	mostHosts = 60
	labelLen  = 60
)

// picture draws which hosts each server wanted while it was listed, as a Mermaid
// flowchart. Names of nodes are numbers of ours.
func (s *summary) picture() {
	var drawn []finding.Target
	wanted := 0
	for _, t := range s.r.Targets {
		if ran(t) {
			drawn = append(drawn, t)
			wanted += len(t.Sandbox.Hosts)
		}
	}
	if len(drawn) == 0 {
		return
	}
	if !s.cut.picture {
		s.left = append(s.left, "the picture of the hosts")
		return
	}
	s.line("")
	s.line("### Hosts that servers wanted to reach")
	s.line("")
	if wanted == 0 {
		s.line("%s", hostless(drawn))
		return
	}
	s.line("```mermaid")
	s.line("flowchart LR")
	more := s.draw(drawn)
	s.line("```")
	if more > 0 {
		s.line("")
		s.line("%s not drawn.", count(more, "line"))
	}
}

// hostless says that no host was wanted, or that nobody could see.
func hostless(list []finding.Target) string {
	blind := 0
	for _, t := range list {
		if t.Sandbox.Hosts == nil {
			blind++
		}
	}
	if blind == 0 {
		return "None of them wanted any."
	}
	return fmt.Sprintf("None was seen; of %s the sandbox cannot see it.", count(blind, "server"))
}

// draw writes nodes and lines; more is how many lines have no room.
func (s *summary) draw(list []finding.Target) (more int) {
	hosts := map[string]int{}
	for i, t := range list {
		if i >= mostDrawn {
			more += max(len(t.Sandbox.Hosts), 1)
			continue
		}
		s.line("  s%d[\"%s\"]", i, label(t.Name))
		switch {
		case t.Sandbox.Hosts == nil:
			s.line("  s%d -.-> unseen([\"cannot be seen in this sandbox\"])", i)
		case len(t.Sandbox.Hosts) == 0:
			s.line("  s%d --> none([\"no host\"])", i)
		}
		for _, h := range t.Sandbox.Hosts {
			n, known := hosts[h]
			if !known && len(hosts) == mostHosts {
				more++
				continue
			}
			if !known {
				n = len(hosts)
				hosts[h] = n
				s.line("  h%d{{\"%s\"}}", n, label(h))
			}
			s.line("  s%d --> h%d", i, n)
		}
	}
	return more
}

// label is foreign text in a picture. What Mermaid, HTML or markdown could take
// for more than a letter is a question mark; the table has the name as it is.
func label(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > labelLen {
			b.WriteString("...")
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" ._:/-", r):
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return "?"
	}
	return b.String()
}
