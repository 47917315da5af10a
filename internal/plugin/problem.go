package plugin

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Problem is one thing that is wrong with an archive.
type Problem struct {
	Rule  string // id of one of the rules of this package
	Place string // an entry of the archive, perhaps with a JSON pointer behind "#"; foreign text
	Text  string // our words; foreign text in them is quoted
}

func (p *Problem) Error() string {
	if p.Place == "" {
		return p.Text
	}
	return finding.Claim(p.Place).Short(120) + ": " + p.Text
}

// wrong is a problem at a place.
func wrong(r Rule, place, format string, args ...any) *Problem {
	return &Problem{Rule: r.ID, Place: place, Text: fmt.Sprintf(format, args...)}
}

// doubts collects what does not reject an archive.
type doubts []Problem

// add notes a doubt.
func (d *doubts) add(r Rule, place, format string, args ...any) {
	*d = append(*d, *wrong(r, strings.TrimSuffix(place, "#"), format, args...))
}

// quote shows foreign text as such, without its secret parts.
func quote(s string) string {
	s, _ = secret.Mask(s)
	return finding.Claim(s).Quote()
}
