package policy

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// wall looks at foreign bytes before the parser does. It returns the place of
// the first thing that no policy may hold, or nil.
//
// A second document would be dropped by the parser without a word, and line
// breaks beyond LF and CR LF (YAML 1.1 has three more) would put text on lines
// that no editor shows.
func wall(data []byte, file string) *finding.Finding {
	refuse := func(line, column int, what, hint string) *finding.Finding {
		f := invalid(finding.At(file, line, column), what, hint)
		return &f
	}
	if len(data) > MaxSize {
		return refuse(1, 1, fmt.Sprintf("larger than a policy may be (%d KiB)", MaxSize>>10), "")
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return refuse(1, 1, "the text is UTF-16", "save the file as UTF-8")
	}
	lines := canon.Index(data)
	if at, what := firstOdd(data); what != "" {
		line, column := lines.At(at)
		return refuse(line, column, what, "save the file as UTF-8 with visible characters only")
	}
	if line, what := documentMark(data); what != "" {
		return refuse(line, 1, what, "keep one document without directives")
	}
	return nil
}

// firstOdd returns the offset of the first byte or character that is not plain
// text, and what it is.
func firstOdd(data []byte) (int, string) {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return i, "invalid UTF-8"
		case r == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			return i, "a carriage return without a line feed"
		case i == 0 && bytes.HasPrefix(data, byteOrderMark), r == '\t', r == '\n', r == '\r', canon.Shows(r):
		default:
			return i, fmt.Sprintf("a character that does not show (U+%04X)", r)
		}
		i += n
	}
	return 0, ""
}

// documentMark returns the line, from 1, of a directive, or of a document mark
// behind text. At the start of a line both are what they look like wherever
// they stand (YAML 1.2.2 section 9.1).
func documentMark(data []byte) (int, string) {
	text := false
	data = bytes.TrimPrefix(data, byteOrderMark)
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case marks(line, "---") && text:
			return i + 1, "a second document"
		case marks(line, "..."):
			return i + 1, "a mark that ends the document"
		case bytes.HasPrefix(line, []byte("%")) && !text:
			return i + 1, "a directive"
		}
		body := bytes.TrimSpace(line)
		text = text || len(body) > 0 && body[0] != '#'
	}
	return 0, ""
}

func marks(line []byte, mark string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(mark))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}
