package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// SummaryLimit is the most bytes of a job summary: the runner takes 1 MiB from
// one step, and of a longer one nothing.
const SummaryLimit = 1 << 20

// SummaryOptions are what a job summary says beside the report.
type SummaryOptions struct {
	Fails bool   // the job fails
	Why   string // why the proposal is not approved, in one sentence; empty where nothing waits for an approval
	Limit int    // bytes; zero is SummaryLimit
}

// Summary is a report as the summary of a job, in GitHub Flavored Markdown: the
// verdict in one sentence, the counts, a table of the targets, what was not
// started and why, the findings that count, a picture of the hosts that servers
// wanted, and what to do.
//
// Whatever is no fixed word of ours stands in code that it cannot close, or in a
// label of the picture, of which only letters, digits and a few signs are left.
//
// A summary that would be longer than the limit is written with less detail, as
// [cuts] lists it, and says what it leaves out.
func Summary(w io.Writer, r finding.Report, o SummaryOptions) error {
	if o.Limit <= 0 {
		o.Limit = SummaryLimit
	}
	var b bytes.Buffer
	for _, c := range cuts {
		b.Reset()
		s := &summary{document: document{w: &b}, r: r, o: o, cut: c}
		s.write()
		if b.Len() <= o.Limit {
			break
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// cut is how much of each a summary shows.
type cut struct {
	words, picture bool
	findings, rows int
}

const everything = int(^uint(0) >> 1)

// cuts are tried in this order: first without the servers' words, then without
// the picture, then with fewer findings, last with fewer targets. The last one
// fits whatever the report holds.
var cuts = []cut{
	{words: true, picture: true, findings: everything, rows: everything},
	{picture: true, findings: everything, rows: everything},
	{findings: everything, rows: everything},
	{findings: 200, rows: everything},
	{findings: 50, rows: 500},
	{findings: 10, rows: 50},
}

// summary is one attempt.
type summary struct {
	document
	r    finding.Report
	o    SummaryOptions
	cut  cut
	left []string // what it leaves out
}

func (s *summary) write() {
	s.line("## toolwarrant: %s", s.r.Outcome)
	s.line("")
	s.line("**%s** %s", s.sentence(), s.consequence())
	s.line("")
	s.line("%s; exit %d", strings.Join(tallies(s.r), ", "), s.r.ExitCode)
	s.targets()
	s.unstarted()
	s.counting()
	s.picture()
	s.next()
	s.leftOut()
}

// sentence is the verdict.
func (s *summary) sentence() string {
	if slices.ContainsFunc(s.r.Findings, func(f finding.Finding) bool { return f.Rule == "check/refused" && f.Outcome == s.r.Outcome }) {
		return "Nothing was judged."
	}
	who, one := s.subject()
	be, was, has := "are", "were", "have"
	if one {
		be, was, has = "is", "was", "has"
	}
	switch s.r.Outcome {
	case finding.Clean:
		if len(s.r.Targets) == 0 {
			return "Nothing that an agent may call is declared here."
		}
		return "Nothing differs from what was approved."
	case finding.Drift:
		return who + " " + has + " changed, without a new dangerous power."
	case finding.Refused:
		return who + " " + was + " not judged, because nobody approved that it may be."
	case finding.Escalation:
		return who + " " + be + " not what was approved."
	}
	return who + " could not be judged."
}

// subject counts whom the verdict is about; one says that it is a single thing.
func (s *summary) subject() (who string, one bool) {
	named, loose := map[string]bool{}, 0
	for _, f := range s.r.Findings {
		switch {
		case f.Known || f.Outcome != s.r.Outcome:
		case owned(s.r, f):
			named[f.Target+"\x00"+f.Location.String()] = true
		default:
			loose++
		}
	}
	var parts []string
	if len(named) > 0 {
		parts = append(parts, count(len(named), "target"))
	}
	if loose > 0 {
		parts = append(parts, count(loose, "file"))
	}
	if len(parts) == 0 {
		return "Something", true
	}
	return strings.Join(parts, " and "), len(named)+loose == 1
}

// consequence says what the verdict does to the job.
func (s *summary) consequence() string {
	switch {
	case s.r.Approved:
		var by []string
		for _, login := range s.r.ApprovedBy[:min(5, len(s.r.ApprovedBy))] {
			by = append(by, span(login, 40))
		}
		if more := len(s.r.ApprovedBy) - len(by); more > 0 {
			by = append(by, fmt.Sprintf("%d more", more))
		}
		if len(by) == 0 {
			return "It is approved."
		}
		return "It is approved by " + strings.Join(by, ", ") + "."
	case s.o.Fails:
		return "The job fails."
	}
	return "The job does not fail."
}

func (s *summary) omit(n int, noun string) {
	if n > 0 {
		s.left = append(s.left, count(n, noun))
	}
}

// rank orders statuses, the worst first, as totals does.
func rank(t finding.Target) int {
	return slices.IndexFunc(totals, func(x struct {
		status finding.Status
		noun   string
	}) bool {
		return x.status == t.Status
	})
}

func (s *summary) targets() {
	list := slices.Clone(s.r.Targets)
	slices.SortStableFunc(list, func(a, b finding.Target) int { return rank(a) - rank(b) })
	shown := list[:min(len(list), s.cut.rows)]
	s.omit(len(list)-len(shown), "target")
	if len(shown) == 0 {
		return
	}
	s.line("")
	s.line("| status | target | kind | declared | tools | pin | why |")
	s.line("| --- | --- | --- | --- | --- | --- | --- |")
	for _, t := range shown {
		s.line("| %s | %s | %s | %s | %d | %s | %s |", statusWord(t), cell(t.Name), cell(t.Kind), cell(t.Location.String()), t.Tools, cell(t.Pin), cell(headline(t)))
	}
}

func statusWord(t finding.Target) string {
	if word, ok := statusWords[t.Status]; ok {
		return word.word
	}
	return "not read"
}

// ran reports whether a server was started in this run.
func ran(t finding.Target) bool { return t.Sandbox.Profile != "" }

// unstarted tells what was not started, and why.
func (s *summary) unstarted() {
	var list []finding.Target
	for _, t := range s.r.Targets {
		if !ran(t) && t.Reason != "" && t.Status != finding.Inactive {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return
	}
	s.line("")
	s.line("### Not started")
	s.line("")
	shown := list[:min(len(list), s.cut.rows)]
	for _, t := range shown {
		s.line("- %s: %s", span(t.Name, 80), span(t.Reason, finding.ClaimWidth))
	}
	if more := len(list) - len(shown); more > 0 {
		s.line("- %d more", more)
	}
}

// counting lists the findings that count, the gravest first, each with the words
// that it is about.
func (s *summary) counting() {
	list, notes, known := told(s.r)
	shown := list[:min(len(list), s.cut.findings)]
	s.omit(len(list)-len(shown), "finding")
	if len(list)+notes+known > 0 {
		s.line("")
		s.line("### Findings")
		s.line("")
	}
	quoted := false
	for _, f := range shown {
		quoted = quoted || f.Change != nil && quotesWords(f.Change.Event)
		if !s.cut.words {
			f.Change = nil
		}
		s.finding(f)
	}
	if quoted && !s.cut.words {
		s.left = append(s.left, "the words of the servers")
	}
	if notes > 0 {
		s.line("- %s not shown", count(notes, "note"))
	}
	if known > 0 {
		s.line("- %s known before not shown", count(known, "finding"))
	}
}

// told are the findings that people are told, the gravest first, and how many
// others there are.
func told(r finding.Report) (list []finding.Finding, notes, known int) {
	for _, f := range r.Findings {
		switch {
		case f.Known:
			known++
		case aside(f):
			notes++
		default:
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, graver)
	return list, notes, known
}

// graver orders findings by what follows from them.
func graver(a, b finding.Finding) int {
	switch {
	case a.Outcome == b.Outcome:
		return 0
	case a.Outcome.Worse(b.Outcome) == a.Outcome:
		return -1
	}
	return 1
}

// mostSteps is how many hints and commands are listed under what to do.
const mostSteps = 6

// next says what a person does now.
func (s *summary) next() {
	steps := s.todos()
	if len(steps) == 0 {
		return
	}
	s.line("")
	s.line("### Next")
	s.line("")
	for _, step := range steps {
		s.line("- %s", step)
	}
}

func (s *summary) todos() []string {
	var out []string
	if s.o.Why != "" {
		out = append(out, "approval: "+span(s.o.Why, messageWidth))
	}
	if s.r.Next != "" {
		out = append(out, span(s.r.Next, finding.ClaimWidth))
	}
	list, _, _ := told(s.r)
	seen := map[string]bool{}
	for _, f := range list {
		if f.Hint != "" && f.Outcome != finding.Clean && !seen[f.Hint] && len(seen) < mostSteps {
			seen[f.Hint] = true
			out = append(out, span(f.Hint, messageWidth))
		}
	}
	return out
}

func (s *summary) leftOut() {
	if len(s.left) == 0 {
		return
	}
	s.line("")
	s.line("This summary would be too long for GitHub and leaves out %s. The report has everything.", strings.Join(s.left, ", "))
}
