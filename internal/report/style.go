// Package report shows results to people and programs: text for a terminal or a
// log, markdown for a page, JSON and JUnit for programs. It computes no verdict;
// what it prints stands in the data it is given.
//
// Text is plain first: the verdict, then one screen of what matters, last what
// to do next. Colour and symbols only repeat what words say. Foreign text goes
// through finding.Claim, so that it cannot move a cursor or pose as ours.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Style is how text is laid out.
type Style struct {
	Color   bool
	Width   int // columns; zero means 80
	Verbose bool
	Quiet   bool // the verdict line alone
}

// The colours, by meaning.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "33"
	green  = "32"
	dim    = "2"
)

func (s Style) paint(color, text string) string {
	if !s.Color || text == "" || color == "" {
		return text
	}
	return "\x1b[" + color + "m" + tame(text) + "\x1b[0m"
}

func (s Style) width() int {
	if s.Width <= 0 {
		return 80
	}
	return min(s.Width, 100)
}

// page collects lines and keeps the first write error.
type page struct {
	w   io.Writer
	s   Style
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, tame(strings.TrimRight(fmt.Sprintf(format, args...), " ")))
	}
}

// tame keeps a line from being a command for a CI runner: GitHub's takes "::" at
// the start of a line, blanks aside. A name may start so, and wrapping may move
// any word to where a line starts.
func tame(line string) string {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, "::") {
		return line
	}
	return line[:len(line)-len(rest)] + `\u{3a}` + rest[1:]
}

// hang prints a label column and text wrapped beside it.
func (p *page) hang(indent int, label, color, text string) {
	const column = 14
	at := indent + max(column, utf8.RuneCountInString(label)+2)
	for i, l := range wrap(text, p.s.width()-at) {
		head := strings.Repeat(" ", at)
		if i == 0 {
			pad := strings.Repeat(" ", at-indent-utf8.RuneCountInString(label))
			head = strings.Repeat(" ", indent) + p.s.paint(color, label) + pad
		}
		p.line("%s%s", head, l)
	}
}

// beside prints text after a head where the line has room for it, else below.
func (p *page) beside(head, text string) {
	if p.fits(head, text) {
		p.line("%s   %s", head, finding.Claim(text))
		return
	}
	p.line("%s", head)
	for _, l := range wrap(text, p.s.width()-below) {
		p.line("%s%s", strings.Repeat(" ", below), l)
	}
}

// place is beside for a path, which is never broken: people copy it.
func (p *page) place(head, path string) {
	if p.fits(head, path) {
		p.line("%s   %s", head, path)
		return
	}
	p.line("%s", head)
	p.line("%s%s", strings.Repeat(" ", below), path)
}

const below = 4

func (p *page) fits(head, text string) bool {
	return columns(head)+3+utf8.RuneCountInString(text) <= p.s.width()
}

// columns counts the characters of text without its colours.
func columns(text string) int {
	n := 0
	for before, after, painted := text, "", true; painted; text = after {
		before, after, painted = strings.Cut(text, "\x1b[")
		n += utf8.RuneCountInString(before)
		_, after, _ = strings.Cut(after, "m")
	}
	return n
}

// wrap breaks text at spaces into lines of at most width characters; a longer
// word gets a line of its own, cut into pieces that fit. What does not show is
// made visible, whoever wrote it.
func wrap(text string, width int) []string {
	width = max(width, 20)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		word = finding.Claim(word).String()
		for utf8.RuneCountInString(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			r := []rune(word)
			lines, word = append(lines, string(r[:width])), string(r[width:])
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// count is "1 tool", "2 tools".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
