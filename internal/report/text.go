package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Text shows a report: what was looked at, a line for each target, the findings
// that count, the totals with the exit code, and what to do next.
func Text(w io.Writer, r finding.Report, s Style) error {
	p := &page{w: w, s: s}
	if s.Quiet {
		p.total(r)
		return p.err
	}
	p.targets(r)
	for _, t := range r.Targets {
		p.target(r, t)
	}
	p.loose(r)
	p.total(r)
	p.next(r)
	return p.err
}

var statusWords = map[finding.Status]struct{ word, color string }{
	finding.Verified:           {"verified", green},
	finding.Drifted:            {"drift", yellow},
	finding.Escalated:          {"ESCALATION", red},
	finding.StatusUndetermined: {"not read", yellow},
	finding.StatusRefused:      {"refused", yellow},
	finding.Waived:             {"waived", dim},
	finding.Inactive:           {"inactive", dim},
	finding.NotStarted:         {"not started", dim},
}

func (p *page) targets(r finding.Report) {
	names := 0
	for _, t := range r.Targets {
		names = max(names, len([]rune(finding.Claim(t.Name).Short(30))))
	}
	for _, t := range r.Targets {
		word := statusWords[t.Status]
		tools := strings.Repeat(" ", 9)
		if t.Status != finding.StatusRefused && t.Tools > 0 {
			tools = fmt.Sprintf("%9s", count(t.Tools, "tool"))
		}
		name := finding.Claim(t.Name).Short(30)
		p.line("  %s%s  %s%s  %s  %s", p.s.paint(word.color, word.word), strings.Repeat(" ", 12-len(word.word)),
			name, strings.Repeat(" ", names-len([]rune(name))), tools, headline(t))
	}
	if len(r.Targets) > 0 {
		p.line("")
	}
}

// headline is the few words beside a target's name.
func headline(t finding.Target) string {
	if t.Reason != "" {
		return finding.Claim(t.Reason).Short(60)
	}
	n := 0
	for _, c := range t.Changes {
		if c.Level != finding.Note {
			n++
		}
	}
	if n > 0 {
		return count(n, "difference")
	}
	return ""
}

// shownPerRule is how many findings of one rule a target shows unless asked for
// more.
const shownPerRule = 6

func (p *page) target(r finding.Report, t finding.Target) {
	var list []finding.Finding
	for _, f := range r.Findings {
		if f.Target == t.Name && f.Location == t.Location && (p.s.Verbose || !f.Known && f.Level != finding.Note) {
			list = append(list, f)
		}
	}
	if len(list) == 0 || plain(t, list) && !p.s.Verbose {
		return
	}
	p.line("%s   %s", p.s.paint(bold, finding.Claim(t.Name).Short(60)), t.Location)
	p.findings(list)
	p.line("")
}

// plain reports whether the line of the target has said it all.
func plain(t finding.Target, list []finding.Finding) bool {
	return len(list) == 1 && t.Reason != "" && (list[0].Rule == "launch/not-sealed" || list[0].Rule == "launch/not-approved")
}

func (p *page) findings(list []finding.Finding) {
	seen := map[string]int{}
	for _, f := range list {
		if seen[f.Rule]++; seen[f.Rule] <= shownPerRule || p.s.Verbose {
			p.finding(f)
		}
	}
	for _, f := range list {
		if n := seen[f.Rule]; n > shownPerRule && !p.s.Verbose {
			p.hang(2, "", "", fmt.Sprintf("and %d more %s (--verbose shows them)", n-shownPerRule, f.Rule))
			seen[f.Rule] = 0
		}
	}
}

var levelWords = map[finding.Level]struct{ word, color string }{
	finding.Error:   {"error", red},
	finding.Warning: {"change", yellow},
	finding.Note:    {"note", dim},
}

func (p *page) finding(f finding.Finding) {
	word := levelWords[f.Level]
	label := word.word
	if f.Known {
		label = "known"
	}
	p.hang(2, label, word.color, f.Message+"  ["+f.Rule+"]")
	if p.s.Verbose { // the message has the first of it
		for _, e := range f.Evidence {
			p.hang(4, "evidence", dim, evidence(e))
		}
	}
	if f.Change != nil {
		p.words(*f.Change)
	}
	if f.Hint != "" {
		p.hang(4, "hint", dim, f.Hint)
	}
}

func evidence(e finding.Evidence) string {
	if e.Quote == "" {
		return finding.Claim(e.Path).String() + ": " + e.Signal
	}
	return finding.Claim(e.Path).Short(80) + " " + finding.Claim(e.Quote).Quote() + ": " + e.Signal
}

// words shows the server's old and new text, marked as the server's.
func (p *page) words(c finding.ChangeItem) {
	switch c.Event {
	case "description-changed", "parameter-text-changed", "instructions-changed":
		p.quote("- ", c.Old)
		p.quote("+ ", c.New)
	}
}

func (p *page) quote(mark, text string) {
	if text == "" {
		return
	}
	for i, l := range wrap(finding.Claim(text).Short(finding.ClaimWidth), p.s.width()-20) {
		if i > 0 {
			mark = "  "
		}
		p.line("%s%s%s", strings.Repeat(" ", 18), mark, l)
	}
}

// loose shows findings that belong to no target shown above.
func (p *page) loose(r finding.Report) {
	shown := false
	for _, f := range r.Findings {
		if owned(r, f) {
			continue
		}
		p.line("%s", f.Location)
		p.finding(f)
		shown = true
	}
	if shown {
		p.line("")
	}
}

func owned(r finding.Report, f finding.Finding) bool {
	for _, t := range r.Targets {
		if f.Target == t.Name && f.Location == t.Location {
			return true
		}
	}
	return false
}

// totals are told worst first.
var totals = []struct {
	status finding.Status
	noun   string
}{
	{finding.Escalated, "escalation"}, {finding.StatusRefused, "refused"}, {finding.StatusUndetermined, "not read"},
	{finding.Drifted, "drift"}, {finding.NotStarted, "not started"}, {finding.Verified, "verified"},
	{finding.Waived, "waived"}, {finding.Inactive, "inactive"},
}

func (p *page) total(r finding.Report) {
	var parts []string
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
	for _, files := range []struct{ rule, noun string }{{"check/undetermined", "unreadable file"}, {"lock/invalid", "invalid lock"}} {
		n := 0
		for _, f := range r.Findings {
			if f.Rule == files.rule && !owned(r, f) {
				n++
			}
		}
		if n > 0 {
			parts = append([]string{count(n, files.noun)}, parts...)
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing declared or sealed"}
	}
	p.line("%s   exit %d", p.s.paint(colorOf(r.Outcome), strings.Join(parts, ", ")), r.ExitCode)
}

func colorOf(o finding.Outcome) string {
	switch o {
	case finding.Clean:
		return green
	case finding.Escalation:
		return red
	}
	return yellow
}

func (p *page) next(r finding.Report) {
	if r.Next != "" {
		p.line("next: %s", r.Next)
	}
}
