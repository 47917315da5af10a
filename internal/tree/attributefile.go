package tree

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"unicode/utf16"
)

const (
	attributesName = ".gitattributes"
	// maxAttributes is the most bytes of one such file that are read.
	maxAttributes = 1 << 20
	// maxAttributeLines is the most lines with patterns of one such file.
	maxAttributeLines = 20_000
	// maxMacros is how many macros may stand inside each other.
	maxMacros = 10
)

// attributeFile is one .gitattributes file: lines of a pattern and attributes, as
// gitattributes(5) has them.
type attributeFile struct {
	lines  []*attributeLine
	macros map[string][]attribute // counted in the root's file only
	broken string                 // why it was not read in full
}

type attributeLine struct {
	file         string
	line, column int // of the pattern, from 1, the column in UTF-16 code units
	glob         glob
	attributes   []attribute
}

// attribute is "name", "-name", "!name" or "name=value".
type attribute struct {
	text, name string
	state      string // "set", "unset", "unspecified" or "=VALUE"
}

// read reads the file of one folder, once. Git follows no link to one.
func (s *attributeScan) read(dir string) *attributeFile {
	if f := s.files[dir]; f != nil {
		return f
	}
	name := path.Join(dir, attributesName)
	f := &attributeFile{macros: builtinMacros()}
	s.files[dir] = f
	info, err := fs.Lstat(s.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
		return f
	case err != nil:
		f.broken = "it cannot be read"
		return f
	case info.Size() > maxAttributes:
		f.broken = "it is too large"
		return f
	}
	data, err := fs.ReadFile(s.fsys, name)
	if err != nil || len(data) > maxAttributes {
		f.broken = "it cannot be read"
		return f
	}
	f.parse(name, string(data))
	return f
}

func builtinMacros() map[string][]attribute {
	return map[string][]attribute{"binary": parseWords("-diff -merge -text")}
}

func (f *attributeFile) parse(file, text string) {
	text = strings.TrimPrefix(text, "\uFEFF")
	for i, line := range strings.Split(text, "\n") {
		if len(f.lines) == maxAttributeLines {
			f.broken = "it has too many lines"
			return
		}
		f.line(file, i+1, strings.TrimRight(line, "\r"))
	}
}

const blanks = " \t\r"

// line reads one line; one that git does not understand says nothing.
func (f *attributeFile) line(file string, number int, text string) {
	body := strings.TrimLeft(text, blanks)
	if body == "" || body[0] == '#' {
		return
	}
	pattern, rest, ok := cutPattern(body)
	attributes := parseWords(rest)
	if !ok || attributes == nil {
		return
	}
	if name, ok := strings.CutPrefix(pattern, "[attr]"); ok {
		if name = strings.TrimLeft(name, blanks); attributeName(name) {
			f.macros[name] = attributes
		}
		return
	}
	g, ok := compile(pattern)
	if !ok {
		return
	}
	column := 1 + len(utf16.Encode([]rune(text[:len(text)-len(body)])))
	f.lines = append(f.lines, &attributeLine{file, number, column, g, attributes})
}

// cutPattern takes the pattern off a line: up to a blank, or in C's quotes.
func cutPattern(s string) (pattern, rest string, ok bool) {
	if s[0] == '"' {
		if pattern, rest, ok := unquote(s); ok {
			return pattern, rest, true
		}
	}
	if i := strings.IndexAny(s, blanks); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", true
}

// escapes are those of git's unquote_c_style.
var escapes = map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '"': '"'}

func unquote(s string) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			if i++; i >= len(s) {
				return "", "", false
			}
			if c, known := escapes[s[i]]; known {
				b.WriteByte(c)
				continue
			}
			c, known := octal(s[i:])
			if !known {
				return "", "", false
			}
			b.WriteByte(c)
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// octal reads three digits, of which the first is at most 3.
func octal(s string) (byte, bool) {
	if len(s) < 3 || s[0] > '3' {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s[:3]) {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int(c-'0')
	}
	return byte(n), true
}

// parseWords reads the attributes of a line; nil where there are none or one has no
// legal name, which makes git pass the line over.
func parseWords(s string) []attribute {
	var out []attribute
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		a := attribute{text: word, name: word, state: "set"}
		switch name, value, valued := strings.Cut(word, "="); {
		case word[0] == '-':
			a.name, a.state = word[1:], "unset"
		case word[0] == '!':
			a.name, a.state = word[1:], "unspecified"
		case valued:
			a.name, a.state = name, "="+value
		}
		if (word[0] == '-' || word[0] == '!') && strings.Contains(a.name, "=") {
			a.name, _, _ = strings.Cut(a.name, "=")
		}
		if !attributeName(a.name) {
			return nil
		}
		out = append(out, a)
	}
	return out
}

func attributeName(s string) bool {
	for _, c := range []byte(s) {
		if !letter(c) && !digit(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return s != "" && s[0] != '-'
}
