package plugin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// text is the format's rule for text: UTF-8 of at most limit bytes, no white
// space around it, no control characters but tab, line feed and return.
func text(s string, limit int) bool {
	return utf8.ValidString(s) && len(s) <= limit && s == strings.TrimSpace(s) && inert(s)
}

// inert reports that a text has no control characters but the three that lay it
// out.
func inert(s string) bool {
	for len(s) > 0 {
		n := printable(s)
		if s = s[n:]; s == "" {
			break
		}
		switch b := s[0]; {
		case b < 0x20 && b != '\n' && b != '\r' && b != '\t', b == 0x7f:
			return false
		case b == 0xc2 && len(s) > 1 && s[1] < 0xa0: // U+0080 to U+009F
			return false
		}
		s = s[1:]
	}
	return true
}

// printable counts the bytes from 0x20 to 0x7e that s starts with, eight at a
// time while all eight are: most of a text is.
func printable(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		x := uint64(s[n]) | uint64(s[n+1])<<8 | uint64(s[n+2])<<16 | uint64(s[n+3])<<24 |
			uint64(s[n+4])<<32 | uint64(s[n+5])<<40 | uint64(s[n+6])<<48 | uint64(s[n+7])<<56
		below, above := x-0x20*ones, x+ones // borrows and carries leave their byte only where one is out of range
		if (x|below|above)&high != 0 {
			break
		}
	}
	for ; n < len(s) && s[n] >= 0x20 && s[n] < 0x7f; n++ {
	}
	return n
}

// hides reports whether a text holds characters that do not show. What joins two
// emoji or shapes a letter of a script does, and is let pass.
func hides(s string) bool {
	if !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	const zwnj, zwj = 0x200c, 0x200d // judged by where they stand
	if strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune(" \t\r\n", r) && r != zwnj && r != zwj && !canon.Shows(r)
	}) {
		return true
	}
	hidden := func(c surface.Cue) bool { return c.Class == surface.HiddenCharacters }
	return slices.ContainsFunc(surface.TextCues(s), hidden)
}

// named is text that is not empty.
func named(s string, limit int) bool { return s != "" && text(s, limit) }

// maxIdentity is the most bytes of a name or an id.
const maxIdentity = 256

// identity is a name that may stand in a path.
func identity(s string) bool { return named(s, maxIdentity) && !strings.ContainsAny(s, `/\`) }

// version is three numbers without leading zeros, each of at most limit digits;
// zero is no limit.
func version(s string, limit int) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		digits := strings.IndexFunc(p, func(r rune) bool { return r < '0' || r > '9' }) < 0
		if p == "" || !digits || len(p) > 1 && p[0] == '0' || limit > 0 && len(p) > limit {
			return false
		}
	}
	return len(parts) == 3
}

// digest is a SHA-256 in lower-case hex.
func digest(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// control reports whether a text has any control character.
func control(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// repeated returns the first value that occurs twice.
func repeated[T comparable](values []T) (T, bool) {
	seen := make(map[T]bool, len(values))
	for _, v := range values {
		if seen[v] {
			return v, true
		}
		seen[v] = true
	}
	var none T
	return none, false
}
