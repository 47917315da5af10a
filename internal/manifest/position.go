package manifest

import (
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// ruler turns rising byte offsets into places in one pass over the text: asking
// for every value of one long line would be quadratic otherwise. It counts as
// canon.Lines does: from 1, columns in UTF-16 code units.
type ruler struct {
	file         string
	data         []byte
	offset       int
	line, column int
}

func newRuler(file string, data []byte) *ruler {
	return &ruler{file: file, data: data, line: 1, column: 1}
}

// at is the place of an offset that is not before the last one asked for.
func (c *ruler) at(offset int) finding.Location {
	for c.offset < min(offset, len(c.data)) {
		r, n := utf8.DecodeRune(c.data[c.offset:])
		c.offset += n
		switch {
		case r == '\n':
			c.line, c.column = c.line+1, 1
		case r > 0xFFFF:
			c.column += 2
		default:
			c.column++
		}
	}
	return finding.At(c.file, c.line, c.column)
}

// shift moves a place right by the width of s.
func shift(at finding.Location, s string) finding.Location {
	for _, r := range s {
		at.Column++
		if r > 0xFFFF {
			at.Column++
		}
	}
	return at
}
