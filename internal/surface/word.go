package surface

import (
	"strings"
	"unicode/utf8"
)

// word is one word of a text in ASCII lower case, with what the lexicon knows
// of it. Its place in the text is kept, because evidence quotes the original.
type word struct {
	text     string
	from, to int
	sentence int
	bullet   bool // the sentence is an item of a list
	opens    bool // first of its sentence
	breaks   bool // a comma, colon, bracket or dash stands before it
	glued    bool // a hyphen joins it to the word before or after
	negated  bool // under "not", "never", "without" in the same clause
	verb     verb
	form     form
	noun     noun
	role     role
}

// text is a text cut into words; raw is as the server wrote it.
type text struct {
	raw   string
	words []word
}

// quote is the original from word i to word j, both included.
func (t text) quote(i, j int) string {
	return t.raw[t.words[i].from:t.words[j].to]
}

// maxText bounds what is read of one text, in bytes. It is far above any
// description seen (2,781 in 611 real tools) and keeps a flood linear.
const maxText = 1 << 18

// readText cuts prose. What stands in back quotes is code or the name of
// something else and is left out.
func readText(raw string) text {
	t := cut(raw, false)
	mark(t.words)
	negate(t.words)
	return t
}

// cut finds the words and sentences of a text, with the code in back quotes or
// without it.
func cut(raw string, whole bool) text {
	raw = strings.ReplaceAll(raw[:min(len(raw), maxText)], "’", "'")
	s := scanner{low: lower(raw), t: text{raw: raw}, opens: true, whole: whole}
	if n := len(raw)/6 + 4; n < 4096 {
		s.t.words = make([]word, 0, n)
	}
	for s.i < len(raw) {
		s.next()
	}
	return s.t
}

// lower folds ASCII only, so that offsets stay those of the original.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

type scanner struct {
	low      string
	i        int
	t        text
	sentence int
	opens    bool
	breaks   bool
	bullet   bool
	hyphen   bool
	whole    bool // code is read as well
}

func (s *scanner) next() {
	c := s.low[s.i]
	if wordByte(c) {
		s.word()
		return
	}
	switch c {
	case '`':
		if !s.whole {
			s.skipCode()
		}
	case '.', '!', '?':
		switch {
		case s.numbered():
			s.t.words, s.opens = s.t.words[:len(s.t.words)-1], true
		case s.ends():
			s.close(false)
		}
	case '\n':
		if s.paragraph() {
			s.close(true)
		}
	case ',', ':', ';', '(', ')', '|', '/', '[', ']', '>', '"':
		s.breaks = true
	case '-':
		s.dash()
	case symbols:
		r, n := utf8.DecodeRuneInString(s.low[s.i:])
		s.breaks = s.breaks || r == '—' || r == '–' || r == '•' || r == '→'
		s.i += n
		return
	}
	s.i++
}

// wordByte holds for letters, digits, "_", "'" and every byte beyond ASCII
// that the scanner does not read as punctuation; a word that carries any of
// the last three is simply not in the lexicon.
func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '\'' || c >= 0x80 && c != symbols
}

// symbols is the first byte of U+2000 to U+2FFF: dashes, quotes, bullets and
// arrows, next to no letters.
const symbols = 0xe2

func (s *scanner) word() {
	from := s.i
	for s.i < len(s.low) && wordByte(s.low[s.i]) {
		s.i++
	}
	glued := s.hyphen
	if glued && len(s.t.words) > 0 {
		s.t.words[len(s.t.words)-1].glued = true
	}
	to := s.i
	for from < to && s.low[from] == '\'' {
		from++
	}
	for to > from && s.low[to-1] == '\'' {
		to--
	}
	if from == to {
		return
	}
	s.t.words = append(s.t.words, word{text: s.low[from:to], from: from, to: to, sentence: s.sentence,
		bullet: s.bullet, opens: s.opens, breaks: s.breaks, glued: glued})
	s.opens, s.breaks, s.hyphen = false, false, false
}

// skipCode moves to the closing back quote, if it stands on the same line.
func (s *scanner) skipCode() {
	if end := strings.IndexAny(s.low[s.i+1:], "`\n"); end > 0 && s.low[s.i+1+end] == '`' {
		s.i += end + 1
		s.breaks = true
	}
}

// ends tells a full stop from one inside a word, a number or "e.g.".
func (s *scanner) ends() bool {
	if s.i+1 < len(s.low) && s.low[s.i+1] > ' ' && !strings.ContainsRune(`"')*`, rune(s.low[s.i+1])) {
		return false
	}
	switch last := s.last(); last {
	case "g", "e", "vs", "etc", "approx", "incl":
		return last == "etc"
	}
	return true
}

// numbered reports whether the stop belongs to the "1." of a list.
func (s *scanner) numbered() bool {
	n := len(s.t.words)
	return s.bullet && n > 0 && s.t.words[n-1].opens && s.last() != "" && s.last()[0] <= '9'
}

func (s *scanner) last() string {
	if n := len(s.t.words); n > 0 && s.t.words[n-1].to == s.i {
		return s.t.words[n-1].text
	}
	return ""
}

// paragraph reports whether a line break ends the sentence: it does not where
// the next line goes on in lower case, which is prose wrapped at a width.
func (s *scanner) paragraph() bool {
	rest := strings.TrimLeft(s.t.raw[s.i:], " \t\r\n")
	return rest == "" || rest[0] < 'a' || rest[0] > 'z' || strings.HasPrefix(s.t.raw[s.i:], "\n\n")
}

func (s *scanner) close(line bool) {
	if !s.opens {
		s.sentence++
	}
	s.opens, s.bullet, s.hyphen = true, false, false
	if line {
		s.bullet = startsItem(s.low[s.i+1:])
	}
}

// startsItem reports whether a line begins with "-", "*", "1." or "1)".
func startsItem(line string) bool {
	line = strings.TrimLeft(line, " \t\r\n")
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	if n > 0 {
		return n < len(line) && (line[n] == '.' || line[n] == ')')
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "•")
}

// dash is a hyphen between two letters, else punctuation.
func (s *scanner) dash() {
	inWord := s.i > 0 && wordByte(s.low[s.i-1]) && s.i+1 < len(s.low) && wordByte(s.low[s.i+1])
	s.hyphen = inWord
	s.breaks = s.breaks || !inWord
}
