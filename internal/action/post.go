package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/sarif"
)

// Posting is what the poster is told beside the report.
type Posting struct {
	API, Repository, Bearer, Version string
	Number                           int    // of the pull request; 0: nobody's approval counts
	Head                             string // that a review must be about
	Fails                            []string
	Judged                           bool // a policy was read, so that Fails says what it wants
	Approval                         string
	Approvers                        []string
	Refused                          bool // nothing was judged
	Broken                           bool // there is no report
	SARIF, Report                    string
	Remark                           Remark
}

// Said is what a run has to say, for whoever passes it on: a job's log and summary,
// a comment on a pull request.
type Said struct {
	finding.Report
	Posting
	Fails bool   // the job fails
	Why   string // why a proposal is not approved, in one sentence
}

// teller passes on what was said. A comment is one more of them.
type teller func(p *poster, s Said) error

var tellers = []teller{tellSARIF, tellReport, tellSummary, tellLog, tellAnnotations, tellOutputs, tellGitHub}

// poster is the one process with a token.
type poster struct {
	rules                          []finding.Explanation
	codes                          map[finding.Outcome]int
	log, commands                  io.Writer
	outputs, summary, sarif, saved io.Writer
}

const postTime = 5 * time.Minute

// Post is the poster's role: it reads a report, asks for an approval where one
// helps, tells, and returns the job's exit code. rules describe what a report
// names, codes are the exit codes of outcomes.
func Post(rules []finding.Explanation, codes map[finding.Outcome]int) int {
	sandbox.Seclude()
	log := &Log{W: os.Stdout}
	defer func() { _ = log.Close() }()
	var o Posting
	if err := Ordered(&o); err != nil {
		_, _ = fmt.Fprintf(log, "toolwarrant: %s\n", err)
		return exitUnexpected
	}
	p := &poster{rules: rules, codes: codes, log: log, commands: os.Stdout, outputs: os.NewFile(4, "outputs"), summary: os.NewFile(5, "summary"), sarif: os.NewFile(6, "sarif"), saved: os.NewFile(7, "report")}
	s, err := p.read(o, os.Stdin)
	if err == nil && !o.Broken {
		p.decide(&s)
	}
	for _, tell := range tellers {
		if err == nil {
			err = tell(p, s)
		}
	}
	if err != nil {
		_, _ = fmt.Fprintf(log, "toolwarrant: %s\n", finding.Claim(err.Error()))
		return exitUnexpected
	}
	return p.exit(s)
}

// read takes a report that is exactly one of ours.
func (p *poster) read(o Posting, in io.Reader) (Said, error) {
	s := Said{Posting: o, Fails: true}
	data, err := io.ReadAll(io.LimitReader(in, finding.MaxReport+1))
	if err != nil {
		return s, errors.New("the report cannot be read")
	}
	if o.Broken {
		s.Report = finding.Report{Tool: finding.Tool{Name: "toolwarrant", Version: o.Version}, ExitCode: exitUnexpected}
		return s, nil
	}
	if s.Report, err = finding.ParseReport(data); err != nil {
		return s, errors.New("what the scanner wrote is no report")
	}
	if s.Approved || len(s.ApprovedBy) > 0 {
		return s, errors.New("the report says that it is approved, which is not the scanner's to say")
	}
	if worst := worstOf(s.Report); s.Outcome.Worse(worst) != s.Outcome {
		return s, errors.New("the report's outcome is milder than what it lists")
	}
	if s.ExitCode != p.codes[s.Outcome] {
		return s, errors.New("the report's exit code is not that of its outcome")
	}
	return s, nil
}

// worstOf is the gravest thing that a report lists.
func worstOf(r finding.Report) finding.Outcome {
	worst := finding.Clean
	for _, f := range r.Findings {
		if !f.Known && f.Level != finding.Note {
			worst = worst.Worse(f.Outcome)
		}
	}
	return worst
}

// decide says whether the job fails. An approval changes that, never the outcome.
func (p *poster) decide(s *Said) {
	s.Fails = !s.Judged && s.Outcome != finding.Clean || slices.Contains(s.Posting.Fails, s.Outcome.String())
	if !s.Proposal || s.Number == 0 {
		return
	}
	if s.Approval == policy.ApprovalCodeowners.String() {
		s.Fails = false
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), postTime)
	defer cancel()
	client, err := github.New(github.Config{API: s.API, Repository: s.Repository, Token: secret.New(s.Bearer), UserAgent: "toolwarrant/" + s.Version})
	if err != nil {
		s.Why = "it cannot be read who approved: no address of the API is known"
		return
	}
	a, err := client.Approval(ctx, s.Number, s.Head, s.Approvers)
	if s.Why = a.Why; err != nil || len(a.By) == 0 {
		return
	}
	s.Approved, s.ApprovedBy, s.Fails = true, a.By, false
}

// exit is the job's exit code.
func (p *poster) exit(s Said) int {
	if !s.Fails {
		return 0
	}
	return max(s.ExitCode, exitUnexpected)
}

// tellSARIF writes the log for code scanning. A run that judged nothing is marked
// as broken, so that an upload of it closes no alert.
func tellSARIF(p *poster, s Said) error {
	r := s.Report
	if s.Broken || s.Refused {
		r.Targets, r.Findings = nil, nil
		return sarif.Write(p.sarif, r, sarif.Options{Rules: p.rules, Broken: true})
	}
	var b bytes.Buffer
	err := sarif.Write(&b, r, sarif.Options{Rules: p.rules})
	if errors.Is(err, sarif.ErrNoFile) { // a note on an input has no file where the workflow is not known
		r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool { return f.Location.File == "" && f.Level == finding.Note })
		b.Reset()
		err = sarif.Write(&b, r, sarif.Options{Rules: p.rules})
	}
	if err != nil {
		return fmt.Errorf("write the SARIF log: %w", err)
	}
	_, err = p.sarif.Write(b.Bytes())
	return err
}

func tellReport(p *poster, s Said) error {
	if s.Broken {
		return nil
	}
	return report.JSON(p.saved, s.Report)
}

func tellSummary(p *poster, s Said) error {
	if s.Broken {
		_, err := io.WriteString(p.summary, "**toolwarrant: there is no complete report.** The log of the step says why.\n")
		return err
	}
	return report.Summary(p.summary, s.Report, report.SummaryOptions{Fails: s.Fails, Why: s.Why})
}

// tellAnnotations writes remarks at lines. They are commands of ours, on a way of
// their own: what else goes to the log is kept from being one.
func tellAnnotations(p *poster, s Said) error {
	if s.Broken {
		return nil
	}
	return report.WriteAnnotations(p.commands, report.Annotations(s.Report))
}

func tellLog(p *poster, s Said) error {
	if s.Broken {
		return nil
	}
	if err := report.Text(p.log, s.Report, report.Style{Width: 100}); err != nil {
		return err
	}
	line := "the job passes"
	switch {
	case s.Approved:
		line = "approved by " + strings.Join(s.ApprovedBy, ", ") + ": the job passes"
	case s.Fails && s.Why != "":
		line = "waits for an approval: " + s.Why
	case s.Fails:
		line = "the job fails"
	}
	_, err := fmt.Fprintf(p.log, "toolwarrant: %s\n", finding.Claim(line))
	return err
}

func tellOutputs(p *poster, s Said) error {
	outcome, saved := s.Outcome.String(), s.Posting.Report
	if s.Broken {
		outcome, saved = "", ""
	}
	return writeOutputs(p.outputs, []output{
		{"outcome", outcome}, {"exit-code", strconv.Itoa(s.ExitCode)}, {"approved", strconv.FormatBool(s.Approved)}, {"approved-by", strings.Join(s.ApprovedBy, ",")},
		{"sarif", s.SARIF}, {"report", saved}, {"escalations", count(s.Report, finding.Escalated)}, {"undetermined", count(s.Report, finding.StatusUndetermined)},
	})
}

func count(r finding.Report, status finding.Status) string {
	n := 0
	for _, t := range r.Targets {
		if t.Status == status {
			n++
		}
	}
	return strconv.Itoa(n)
}
