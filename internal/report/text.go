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
	p.steering(r)
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
		head := fmt.Sprintf("  %s%s  %s%s  %s  ", p.s.paint(word.color, word.word), strings.Repeat(" ", 12-len(word.word)),
			name, strings.Repeat(" ", names-len([]rune(name))), tools)
		for _, l := range wrap(headline(t), p.s.width()-columns(head)) {
			p.line("%s%s", head, l)
			head = strings.Repeat(" ", columns(head))
		}
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
	if shown, _ := acting(t, true); len(t.Changes) == 0 && len(shown) > 0 {
		return count(len(shown), "item")
	}
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
		if f.Target == t.Name && f.Location == t.Location && (p.s.Verbose || !f.Known && !aside(f)) {
			list = append(list, f)
		}
	}
	if len(list) == 0 || plain(t, list) && !p.s.Verbose {
		return
	}
	p.place(p.s.paint(bold, finding.Claim(t.Name).Short(60)), t.Location.String())
	p.findings(list)
	p.line("")
}

// aside reports whether a finding is left out unless asked for: a note, but for
// one about packages, which explains what else is told.
func aside(f finding.Finding) bool {
	return f.Level == finding.Note && !strings.HasPrefix(f.Rule, "package/")
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
	switch {
	case f.Known:
		label = "known"
	case upstream(f):
		label = "upstream" // not caused by this change: told, and does not count
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

// upstream reports whether the world moved under an unchanged declaration in a
// run that judges a change.
func upstream(f finding.Finding) bool {
	return f.Cause == finding.Upstream && f.Outcome == finding.Clean && f.Level != finding.Note
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
		old, after := around(c.Old, c.New)
		p.quote("- ", old)
		p.quote("+ ", after)
	}
}

// around cuts what two texts share at their start, so that the first difference
// is among what is shown. Of text with a cue the renderer's message has the cue.
func around(old, new string) (string, string) {
	const lead = 60
	a, b := []rune(old), []rune(new)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if same <= 2*lead {
		return old, new
	}
	return "…" + string(a[same-lead:]), "…" + string(b[same-lead:])
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
	{finding.Waived, "waived: not read"}, {finding.Inactive, "inactive"},
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
	exit := fmt.Sprintf("   exit %d", r.ExitCode)
	lines := wrap(strings.Join(parts, ", "), p.s.width()-len(exit))
	for i, l := range lines {
		l = p.s.paint(colorOf(r.Outcome), l)
		if i == len(lines)-1 {
			l += exit
		}
		p.line("%s", l)
	}
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
		command, why, _ := strings.Cut(r.Next, "   ")
		p.beside("next: "+finding.Claim(command).String(), why)
	}
}
