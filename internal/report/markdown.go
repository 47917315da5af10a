package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Markdown shows a report in GitHub Flavored Markdown, for a job summary or a
// comment: the verdict, a table of targets, the findings that count, what to do
// next.
//
// Everything that is not a fixed word of ours stands in a code span that it
// cannot close: there GitHub makes no link, mention, image, emoji or HTML of it.
func Markdown(w io.Writer, r finding.Report) error {
	d := &document{w: w}
	d.line("**toolwarrant: %s** (exit %d)", r.Outcome, r.ExitCode)
	d.line("")
	d.line("%s", strings.Join(tallies(r), ", "))
	d.table(r)
	d.findings(r)
	if r.Next != "" {
		d.line("")
		d.line("Next: %s", span(r.Next, finding.ClaimWidth))
	}
	return d.err
}

// document collects lines and keeps the first write error.
type document struct {
	w   io.Writer
	err error
}

func (d *document) line(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format+"\n", args...)
	}
}

// tallies count the targets, the worst first, and what belongs to none.
func tallies(r finding.Report) []string {
	var parts []string
	for _, files := range looseTotals {
		n := 0
		for _, f := range r.Findings {
			if f.Rule == files.rule && !owned(r, f) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, count(n, files.noun))
		}
	}
	for _, t := range totals {
		n := 0
		for _, x := range r.Targets {
			if x.Status == t.status {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, t.noun))
		}
	}
	if len(parts) == 0 {
		return []string{"nothing declared or sealed"}
	}
	return parts
}

var looseTotals = []struct{ rule, noun string }{{"lock/invalid", "invalid lock"}, {"check/undetermined", "unreadable file"}}

func (d *document) table(r finding.Report) {
	if len(r.Targets) == 0 {
		return
	}
	d.line("")
	d.line("| status | server | declared | why |")
	d.line("| --- | --- | --- | --- |")
	for _, t := range r.Targets {
		word, ok := statusWords[t.Status]
		if !ok {
			word.word = "not read"
		}
		d.line("| %s | %s | %s | %s |", word.word, cell(t.Name), cell(t.Location.String()), cell(headline(t)))
	}
}

// findings lists what counts; notes and what was known before are counted.
func (d *document) findings(r finding.Report) {
	notes, known := 0, 0
	d.line("")
	for _, f := range r.Findings {
		switch {
		case f.Known:
			known++
		case aside(f):
			notes++
		default:
			d.finding(f)
		}
	}
	if notes > 0 {
		d.line("- %s not shown", count(notes, "note"))
	}
	if known > 0 {
		d.line("- %s known before not shown", count(known, "finding"))
	}
}

func (d *document) finding(f finding.Finding) {
	d.line("- **%s** %s at %s: %s", levelName(f.Level), span(f.Rule, 80), span(f.Location.String(), finding.ClaimWidth), span(f.Message, messageWidth))
	if f.Change != nil && quotesWords(f.Change.Event) {
		d.words("server said", f.Change.Old)
		d.words("server says", f.Change.New)
	}
	if f.Hint != "" {
		d.line("  - hint: %s", span(f.Hint, messageWidth))
	}
}

// messageWidth is the most characters of one message: several quotes of
// finding.ClaimWidth with our words around them.
const messageWidth = 2000

func (d *document) words(label, text string) {
	if text != "" {
		d.line("  - %s: %s", label, span(text, finding.ClaimWidth))
	}
}

// quotesWords reports whether a change is one of a server's words.
func quotesWords(event string) bool {
	return event == "description-changed" || event == "parameter-text-changed" || event == "instructions-changed"
}

func levelName(l finding.Level) string {
	if l == finding.Warning {
		return "warning"
	}
	return "error"
}

// span is foreign text as a code span: one line, at most n characters, between
// runs of backticks longer than any run in it, so that it cannot end the span
// (CommonMark 0.31, 6.1). A reader drops one space at both ends.
func span(text string, n int) string {
	text = finding.Claim(text).Short(n)
	if strings.TrimSpace(text) == "" {
		return "–"
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.ContainsAny(text[:1]+text[len(text)-1:], "` ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell is span inside a table, where a pipe ends the cell even in code, and an
// escaped one only sometimes does not: it is shown by its number.
func cell(text string) string {
	return strings.ReplaceAll(span(text, 120), "|", `\u{7c}`)
}
