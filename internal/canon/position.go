package canon

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines finds lines and columns in one text.
type Lines struct {
	data   []byte
	starts []int
}

// Index reads where the lines of data start.
func Index(data []byte) Lines {
	l := Lines{data: data, starts: []int{0}}
	for i, c := range data {
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// At turns a byte offset into a line and a column in UTF-16 code units, both
// from 1, as SARIF 2.1.0 section 3.30 counts them. A byte order mark does not
// count.
func (l Lines) At(offset int) (line, column int) {
	offset = max(0, min(offset, len(l.data)))
	line = sort.SearchInts(l.starts, offset+1)
	text := l.data[l.starts[line-1]:offset]
	if line == 1 {
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	column = 1
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		column++
		if r > 0xFFFF {
			column++
		}
		text = text[n:]
	}
	return line, column
}
