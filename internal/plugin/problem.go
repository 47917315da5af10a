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

// maxDoubts is how many doubts are told one by one: a manifest has room for tens
// of thousands.
const maxDoubts = 200

// doubts collects what does not reject an archive.
type doubts struct {
	list []Problem
	more int
}

// add notes a doubt.
func (d *doubts) add(r Rule, place, format string, args ...any) {
	if len(d.list) == maxDoubts {
		d.more++
		return
	}
	d.list = append(d.list, *wrong(r, strings.TrimSuffix(place, "#"), format, args...))
}

// all are the doubts; those that were not noted are counted in one more.
func (d *doubts) all() []Problem {
	if d.more == 0 {
		return d.list
	}
	return append(d.list, *wrong(ruleAmbiguous, "", "%d more doubts are not listed", d.more))
}

// quote shows foreign text as such, without its secret parts.
func quote(s string) string {
	s, _ = secret.Mask(s)
	return finding.Claim(s).Quote()
}
