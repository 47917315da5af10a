package canon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Shows reports whether a character is assigned in Unicode 15.0 and is neither
// a control, a format character, private use nor a line or paragraph separator.
func Shows(r rune) bool {
	return unicode.Is(unicode15, r)
}

// Quote is the JSON string of s with every character that does not show as a
// \u escape, so that what a reviewer sees is what is there.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case Shows(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			b.WriteString(short(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func short(r rune) string {
	if i := strings.IndexRune("\b\t\n\f\r", r); i >= 0 {
		return [...]string{`\b`, `\t`, `\n`, `\f`, `\r`}[i]
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Indent lays canonical JSON out for people: two spaces a level, one member a
// line, strings by [Quote]. Equal values give equal bytes.
func Indent(canonical []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(canonical))
	dec.UseNumber()
	var b bytes.Buffer
	if err := indentValue(&b, dec, 0); err != nil {
		return nil, fmt.Errorf("lay out: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func indentValue(b *bytes.Buffer, dec *json.Decoder, level int) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	switch t := tok.(type) {
	case json.Delim:
		return indentGroup(b, dec, level, t)
	case string:
		b.WriteString(Quote(t))
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, t)
	}
	return nil
}

func indentGroup(b *bytes.Buffer, dec *json.Decoder, level int, open json.Delim) error {
	b.WriteString(open.String())
	empty := true
	for ; dec.More(); empty = false {
		if !empty {
			b.WriteByte(',')
		}
		newline(b, level+1)
		if open == '{' {
			name, err := dec.Token()
			if err != nil {
				return err
			}
			b.WriteString(Quote(name.(string)))
			b.WriteString(": ")
		}
		if err := indentValue(b, dec, level+1); err != nil {
			return err
		}
	}
	closing, err := dec.Token()
	if err != nil {
		return err
	}
	if !empty {
		newline(b, level)
	}
	b.WriteString(closing.(json.Delim).String())
	return nil
}

func newline(b *bytes.Buffer, level int) {
	b.WriteByte('\n')
	b.WriteString(strings.Repeat("  ", level))
}
