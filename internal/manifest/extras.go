package manifest

import "bytes"

// extras are the byte offsets of the first of each thing that a text has beyond
// JSON, -1 where it has none.
type extras struct {
	comment int // "//" or "/*"
	comma   int // a comma before a closing bracket
	split   int // a carriage return inside of a line comment
}

// scanExtras reads a text outside of its strings.
func scanExtras(data []byte) extras {
	e := extras{-1, -1, -1}
	comma := -1
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case ' ', '\t', '\r', '\n':
		case '"':
			i = closingQuote(data, i)
			comma = -1
		case '/':
			end := commentEnd(data, i)
			e.see(data, i, end)
			i = end - 1
		case ',':
			comma = i
		case '}', ']':
			if comma >= 0 && e.comma < 0 {
				e.comma = comma
			}
			comma = -1
		default:
			comma = -1
		}
	}
	return e
}

// see notes the comment data[start:end].
func (e *extras) see(data []byte, start, end int) {
	if e.comment < 0 {
		e.comment = start
	}
	if e.split >= 0 || !bytes.HasPrefix(data[start:], []byte("//")) {
		return
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(data[start:end], []byte("\n")), []byte("\r"))
	if i := bytes.IndexByte(line, '\r'); i >= 0 {
		e.split = start + i
	}
}

// closingQuote is the offset of the quote that ends the string at start.
func closingQuote(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// commentEnd is the offset behind the comment at start, its line feed included.
func commentEnd(data []byte, start int) int {
	rest := data[start:]
	end := []byte("\n")
	if bytes.HasPrefix(rest, []byte("/*")) {
		end = []byte("*/")
	} else if !bytes.HasPrefix(rest, []byte("//")) {
		return start + 1
	}
	if i := bytes.Index(rest[2:], end); i >= 0 {
		return start + 2 + i + len(end)
	}
	return len(data)
}
