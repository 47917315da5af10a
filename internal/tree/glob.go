package tree

import (
	"path"
	"regexp"
	"strings"
)

// glob is one pattern of a .gitattributes file, matched as gitattributes(5) and
// git's wildmatch.c do. It is turned into a regular expression over bytes (each
// byte one character), so that no pattern takes more than linear time.
type glob struct {
	base  bool // it has no slash: compared with the last element only
	exact *regexp.Regexp
}

// compile reads a pattern; ok is false for one that can match nothing.
func compile(pattern string) (g glob, ok bool) {
	if strings.HasPrefix(pattern, "!") || strings.HasSuffix(pattern, "/") {
		return g, false // git forbids the first; the second means folders, which have no attributes
	}
	g.base = !strings.Contains(pattern, "/")
	t := translation{in: strings.TrimPrefix(pattern, "/")}
	t.out.WriteString(`(?s)\A`)
	for t.at < len(t.in) {
		if !t.next() {
			return g, false
		}
	}
	t.out.WriteString(`\z`)
	var err error
	g.exact, err = regexp.Compile(t.out.String())
	return g, err == nil
}

// match compares a path relative to the folder of the .gitattributes file.
func (g glob) match(name string) bool {
	if g.base {
		name = path.Base(name)
	}
	return g.exact.MatchString(bytewise(name))
}

// bytewise makes every byte a character: git's ? is one byte, not one letter.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// translation writes a regular expression from a pattern.
type translation struct {
	in  string
	at  int
	out strings.Builder
}

// next translates one element; false where git would give up.
func (t *translation) next() bool {
	c := t.in[t.at]
	switch c {
	case '*':
		t.stars()
		return true
	case '?':
		t.out.WriteString(`[^/]`)
	case '[':
		return t.set()
	case '\\':
		if t.at++; t.at == len(t.in) {
			return false
		}
		c = t.in[t.at]
		fallthrough
	default:
		t.literal(c)
	}
	t.at++
	return true
}

func (t *translation) literal(c byte) {
	t.out.WriteString(regexp.QuoteMeta(bytewise(string([]byte{c}))))
}

// stars takes a run of asterisks. Two or more between slashes or ends go through
// folders; elsewhere they are one. Git compares what comes before the first special
// character apart (dir.c, match_pathname), so that the rest starts anew there:
// "d**/a" goes through folders, "?**/a" does not.
func (t *translation) stars() {
	start := t.at
	for t.at < len(t.in) && t.in[t.at] == '*' {
		t.at++
	}
	rest := strings.TrimPrefix(t.in[t.at:], `\`)
	opens := !strings.ContainsAny(t.in[:start], `*?[\`) || t.in[start-1] == '/'
	switch {
	case t.at-start < 2 || !opens || t.at < len(t.in) && !strings.HasPrefix(rest, "/"):
		t.out.WriteString(`[^/]*`)
	case t.at == len(t.in) || t.in[t.at] != '/':
		t.out.WriteString(`.*`) // an escaped slash must be there
	default:
		t.out.WriteString(`(?:.*/)?`)
		t.at++
	}
}

// classes are the named sets of POSIX, in ASCII.
var classes = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return letter(c) || digit(c) },
	"alpha":  letter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  digit,
	"graph":  func(c byte) bool { return c > 0x20 && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= 0x20 && c < 0x7f },
	"punct":  func(c byte) bool { return c > 0x20 && c < 0x7f && !letter(c) && !digit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// set translates a bracket expression. It never matches a slash.
func (t *translation) set() bool {
	s := brackets{in: t.in, at: t.at + 1}
	negated := s.at < len(s.in) && (s.in[s.at] == '!' || s.in[s.at] == '^')
	if negated {
		s.at++
	}
	for first := true; first || !s.done(); first = false {
		if !s.next() {
			return false
		}
	}
	t.at = s.at + 1
	t.out.WriteString(s.expression(negated))
	return true
}

// brackets reads the inside of a bracket expression.
type brackets struct {
	in      string
	at      int
	members [256]bool
}

func (s *brackets) done() bool { return s.at < len(s.in) && s.in[s.at] == ']' }

// next takes a character, a range or a named class; false where the brackets are
// not closed or the class has no such name.
func (s *brackets) next() bool {
	if strings.HasPrefix(s.in[min(s.at, len(s.in)):], "[:") {
		return s.class()
	}
	low, ok := s.char()
	if !ok {
		return false
	}
	high := low
	if s.at+1 < len(s.in) && s.in[s.at] == '-' && s.in[s.at+1] != ']' {
		s.at++
		if high, ok = s.char(); !ok {
			return false
		}
	}
	for c := int(low); c <= int(high); c++ {
		s.members[c] = true
	}
	return true
}

func (s *brackets) char() (byte, bool) {
	if s.at < len(s.in) && s.in[s.at] == '\\' {
		s.at++
	}
	if s.at >= len(s.in) {
		return 0, false
	}
	s.at++
	return s.in[s.at-1], true
}

// class reads [:NAME:]; a [: that is not closed so is two characters.
func (s *brackets) class() bool {
	inside := s.in[s.at+2:]
	end := strings.IndexByte(inside, ']')
	if end < 0 {
		return false
	}
	name, closed := strings.CutSuffix(inside[:end], ":")
	if !closed {
		s.members['['] = true
		s.at++
		return true
	}
	member := classes[name]
	if member == nil {
		return false
	}
	for c := range 256 {
		s.members[c] = s.members[c] || member(byte(c))
	}
	s.at += 2 + end + 1
	return true
}

func (s *brackets) expression(negated bool) string {
	var alternatives []string
	for c := range 256 {
		if c != '/' && s.members[c] != negated {
			alternatives = append(alternatives, regexp.QuoteMeta(bytewise(string([]byte{byte(c)}))))
		}
	}
	if len(alternatives) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	return "(?:" + strings.Join(alternatives, "|") + ")"
}
