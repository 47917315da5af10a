package canon

import (
	"unicode/utf8"
)

// Guard bounds nesting and refuses invalid UTF-8 and lone surrogate escapes in
// JSON or JSON with comments. It does not recurse and does not parse: what
// passes may still be malformed, but is safe to hand to a recursive parser.
func Guard(data []byte, depth int) error {
	if at := invalidUTF8(data); at >= 0 {
		return &Error{Offset: at, Reason: InvalidUTF8}
	}
	for i, open := 0, 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			end, err := skipString(data, i)
			if err != nil {
				return err
			}
			i = end
		case '/':
			i = skipComment(data, i)
		case '[', '{':
			if open++; open > depth {
				return &Error{Offset: i, Reason: TooDeep}
			}
		case ']', '}':
			open--
		}
	}
	return nil
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// skipString returns the index of the closing quote.
func skipString(data []byte, start int) (int, error) {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '"':
			return i, nil
		case '\\':
			n, ok := escape(data[i:])
			if !ok {
				return 0, &Error{Offset: i, Reason: LoneSurrogate}
			}
			i += n - 1
		}
	}
	return len(data), nil
}

// escape returns the length of the escape at the start of s, a surrogate pair
// counting as one; false for half a pair.
func escape(s []byte) (int, bool) {
	hi := unit(s)
	switch {
	case hi < 0:
		return min(2, len(s)), true
	case hi < 0xD800 || hi > 0xDFFF:
		return 6, true
	case hi > 0xDBFF:
		return 0, false
	}
	lo := unit(s[6:])
	return 12, lo >= 0xDC00 && lo <= 0xDFFF
}

// unit reads a UTF-16 unit written as \u and four hex digits, or returns -1.
func unit(s []byte) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n := 0
	for _, c := range s[2:6] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | int(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return n
}

// skipComment returns the index of the last byte of a comment at i, or i.
func skipComment(data []byte, i int) int {
	if i+1 >= len(data) {
		return i
	}
	switch data[i+1] {
	case '/':
		for i < len(data) && data[i] != '\n' {
			i++
		}
	case '*':
		for i += 3; i < len(data) && (data[i-1] != '*' || data[i] != '/'); i++ {
		}
	}
	return i
}
