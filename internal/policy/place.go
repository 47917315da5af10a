package policy

import (
	"bytes"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// ruler turns the parser's places, lines and characters from 1, into ours,
// whose columns are UTF-16 code units. It goes on from the last place, so that
// thousands of entries on one line do not cost their square.
type ruler struct {
	file  string
	lines [][]byte
	line  int
	runes int    // characters before the last place
	units int    // UTF-16 code units before it
	rest  []byte // of its line
}

func newRuler(file string, text []byte) *ruler {
	return &ruler{file: file, lines: bytes.Split(text, []byte("\n"))}
}

func (r *ruler) at(line, column int) finding.Location {
	line = max(1, min(line, len(r.lines)))
	if line != r.line || column-1 < r.runes {
		r.line, r.runes, r.units, r.rest = line, 0, 0, r.lines[line-1]
	}
	for r.runes < column-1 && len(r.rest) > 0 {
		c, n := utf8.DecodeRune(r.rest)
		r.rest = r.rest[n:]
		r.runes++
		r.units++
		if c > 0xFFFF {
			r.units++
		}
	}
	return finding.At(r.file, line, r.units+1)
}

// indented is the place of the first visible character of a line.
func (r *ruler) indented(line int) finding.Location {
	line = max(1, min(line, len(r.lines)))
	body := bytes.TrimLeft(r.lines[line-1], " \t")
	return r.at(line, len(r.lines[line-1])-len(body)+1)
}
