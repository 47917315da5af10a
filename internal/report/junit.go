package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The JUnit form that pipelines read (there is no standard; these elements and
// attributes are what the Ant task wrote and every reader takes). Time stands
// nowhere: the bytes depend on the report alone.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suite junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitVerdict `xml:"failure"`
		Error   *junitVerdict `xml:"error"`
		Skipped *junitVerdict `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitVerdict struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit shows a report as one test suite: a case for each target, and one for
// each finding that belongs to none. A failure is something that counts, an error
// something that could not be told, a skip something that was not looked at.
func JUnit(w io.Writer, r finding.Report) error {
	suite := junitSuite{Name: "toolwarrant", Properties: []junitProperty{
		{"outcome", r.Outcome.String()}, {"exitCode", strconv.Itoa(r.ExitCode)},
	}}
	for _, t := range r.Targets {
		suite.add(targetCase(t, owners(r, t)))
	}
	for _, f := range r.Findings {
		if !owned(r, f) {
			suite.add(looseCase(f))
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Name: suite.Name, junitCounts: suite.junitCounts, Suite: suite}); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// owners are the findings of one target.
func owners(r finding.Report, t finding.Target) []finding.Finding {
	var out []finding.Finding
	for _, f := range r.Findings {
		if f.Target == t.Name && f.Location == t.Location {
			out = append(out, f)
		}
	}
	return out
}

func targetCase(t finding.Target, list []finding.Finding) junitCase {
	c := junitCase{Class: className(t.Location), Name: finding.Claim(t.Name).Short(finding.ClaimWidth)}
	var counting, beside []string
	for _, f := range list {
		if f.Known || f.Level == finding.Note {
			beside = append(beside, findingLine(f))
		} else {
			counting = append(counting, findingLine(f))
		}
	}
	c.Out = strings.Join(beside, "\n")
	c.verdict(t.Status, finding.Claim(t.Reason).Short(finding.ClaimWidth), counting)
	return c
}

// verdict fills in what a status is to JUnit. An unknown status is an error: what
// was not judged did not pass.
func (c *junitCase) verdict(s finding.Status, reason string, lines []string) {
	v := &junitVerdict{Message: reason, Type: string(s), Text: strings.Join(lines, "\n")}
	if v.Message == "" && len(lines) > 0 {
		v.Message = lines[0]
	}
	switch s {
	case finding.Verified:
		if len(lines) > 0 {
			c.Out = strings.TrimLeft(c.Out+"\n"+v.Text, "\n")
		}
	case finding.Drifted, finding.Escalated, finding.StatusRefused:
		c.Failure = v
	case finding.Waived, finding.Inactive, finding.NotStarted:
		v.Type = ""
		c.Skipped = v
		if v.Message == "" {
			v.Message = string(s)
		}
	default:
		c.Error = v
	}
}

var statusOfOutcome = map[finding.Outcome]finding.Status{
	finding.Clean: finding.Verified, finding.Drift: finding.Drifted, finding.Escalation: finding.Escalated,
	finding.Refused: finding.StatusRefused, finding.Undetermined: finding.StatusUndetermined,
}

func looseCase(f finding.Finding) junitCase {
	c := junitCase{Class: className(f.Location), Name: finding.Claim(f.Rule).Short(80)}
	status := statusOfOutcome[f.Outcome]
	if f.Known {
		status = finding.Verified
	}
	c.verdict(status, "", []string{findingLine(f)})
	return c
}

func className(l finding.Location) string {
	if l.File == "" {
		return "command line"
	}
	return finding.Claim(l.File).Short(finding.ClaimWidth)
}

// findingLine is one finding on one line, place first, as compilers print it.
func findingLine(f finding.Finding) string {
	word := string(f.Level)
	if f.Known {
		word = "known"
	}
	line := fmt.Sprintf("%s: %s: %s [%s]", f.Location, word, finding.Claim(f.Message), finding.Claim(f.Rule))
	if f.Hint != "" {
		line += " hint: " + finding.Claim(f.Hint).String()
	}
	return line
}
