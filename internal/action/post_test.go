package action

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

var codes = map[finding.Outcome]int{finding.Clean: 0, finding.Drift: 3, finding.Escalation: 4, finding.Undetermined: 5, finding.Refused: 6}

func reported(t *testing.T, edit func(*finding.Report)) string {
	t.Helper()
	r := finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: "x"}, Outcome: finding.Clean, Excluded: []finding.Excluded{}}
	edit(&r)
	r.ExitCode = codes[r.Outcome]
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPosterBelieves: a report counts only whole, as one of ours, and for no more
// than the scanner has to say.
func TestPosterBelieves(t *testing.T) {
	found := func(o finding.Outcome) finding.Finding {
		return finding.New("launch/changed", finding.Error, finding.At(".mcp.json", 1, 1), "m").As(o)
	}
	clean := reported(t, func(*finding.Report) {})
	p := &poster{codes: codes}
	if s, err := p.read(Posting{}, strings.NewReader(clean)); err != nil || s.Outcome != finding.Clean {
		t.Fatalf("%v %v", s.Outcome, err)
	}
	for name, text := range map[string]string{
		"nothing":                 "",
		"half of it":              clean[:len(clean)/2],
		"all but its end":         strings.TrimRight(clean, "}\n"),
		"two of them":             clean + clean,
		"no member":               "{}",
		"null":                    "null",
		"no outcome":              strings.Replace(clean, `"outcome": "clean"`, `"outcome": null`, 1),
		"an outcome of its own":   strings.Replace(clean, `"outcome": "clean"`, `"outcome": "green"`, 1),
		"an outcome twice":        strings.Replace(clean, `"outcome": "clean"`, `"outcome": "escalation", "outcome": "clean"`, 1),
		"a member of its own":     strings.Replace(clean, `"outcome": "clean"`, `"outcome": "clean", "fails": false`, 1),
		"another exit code":       strings.Replace(clean, `"exitCode": 0`, `"exitCode": 4`, 1),
		"an approval":             reported(t, func(r *finding.Report) { r.Approved = true }),
		"who approves":            reported(t, func(r *finding.Report) { r.ApprovedBy = []string{"reviewer"} }),
		"more than it adds up to": reported(t, func(r *finding.Report) { r.Findings = []finding.Finding{found(finding.Escalation)} }),
		"less than it adds up to": reported(t, func(r *finding.Report) {
			r.Outcome, r.Findings = finding.Drift, []finding.Finding{found(finding.Undetermined)}
		}),
	} {
		if s, err := p.read(Posting{}, strings.NewReader(text)); err == nil {
			t.Errorf("%s: it is taken, with the outcome %s, approved %t", name, s.Outcome, s.Approved)
		}
	}
	if s, err := p.read(Posting{Broken: true}, strings.NewReader(clean)); err != nil || !s.Fails || p.exit(s) != exitUnexpected {
		t.Error("a run without a report does not fail")
	}
}

// TestPosterExits: without a policy only a clean run passes, and no outcome that
// fails exits with 0.
func TestPosterExits(t *testing.T) {
	p := &poster{codes: codes, log: io.Discard}
	for o, code := range codes {
		s := Said{Report: finding.Report{Outcome: o, ExitCode: code}}
		p.decide(&s)
		if got := p.exit(s); got != code {
			t.Errorf("%s without a policy exits with %d", o, got)
		}
		s = Said{Report: finding.Report{Outcome: o, ExitCode: code}, Posting: Posting{Judged: true, Fails: []string{"clean"}}}
		p.decide(&s)
		if want := o == finding.Clean; (p.exit(s) != 0) != want {
			t.Errorf("%s exits with %d", o, p.exit(s))
		}
	}
}
