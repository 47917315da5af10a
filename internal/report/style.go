// Package report shows results to people and programs: text for a terminal or a
// log, JSON for programs. It computes no verdict; what it prints stands in the
// data it is given.
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
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
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
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
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

// wrap breaks text at spaces into lines of at most width characters; a longer
// word gets a line of its own, cut into pieces that fit.
func wrap(text string, width int) []string {
	width = max(width, 20)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
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
