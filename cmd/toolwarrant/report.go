package main

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/sarif"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// reportFlags are the output flags of commands whose result is a report.
type reportFlags struct{ outputFlags }

func (f reportFlags) outputs() ([]output, error) { return f.read(reportFormats) }

// reporting is a command that writes its result in the formats of -o.
type reporting interface{ outputs() ([]output, error) }

// needPlaces refuses SARIF of a target that is in no file, before anything is
// started.
func (f reportFlags) needPlaces(targets []scanner.Target) error {
	outputs, err := f.outputs()
	if err != nil || !slices.ContainsFunc(outputs, func(o output) bool { return o.format == "sarif" }) {
		return err
	}
	if slices.ContainsFunc(targets, func(t scanner.Target) bool { return t.At().File == "" && t.Lock == nil }) {
		return noPlace()
	}
	return nil
}

func noPlace() error {
	return usage("compare with a lock inside the repository: --lock FILE, or seal it first", "SARIF needs a file for each finding, and this target has none")
}

// conclude sets the exit code and renders a report.
func (a *app) conclude(r finding.Report, strict bool, f outputFlags) (finding.Outcome, error) {
	if strict {
		r = scanner.Strict(r)
	}
	r.ExitCode = exitCodes[r.Outcome]
	return r.Outcome, a.render(r, f)
}

// render writes a report as it stands.
func (a *app) render(r finding.Report, f outputFlags) error {
	err := f.write(a, view{
		json: r, text: func(w io.Writer, s report.Style) error { return report.Text(w, r, s) },
		more: map[string]func(io.Writer) error{
			"sarif":    func(w io.Writer) error { return sarif.Write(w, r, sarif.Options{Rules: allRules()}) },
			"junit":    func(w io.Writer) error { return report.JUnit(w, r) },
			"markdown": func(w io.Writer) error { return report.Markdown(w, r) },
		},
	})
	if errors.Is(err, sarif.ErrNoFile) {
		return noPlace()
	}
	return err
}

// broken leaves an unsuccessful run in every SARIF file that was asked for: an
// upload of it closes no alert, and one of an older file would.
func (a *app) broken(cmd job, err error) {
	var u *usageError
	r, reports := cmd.(reporting)
	if errors.As(err, &u) || !reports {
		return
	}
	outputs, _ := r.outputs()
	for _, o := range outputs {
		if o.format == "sarif" && o.file != "" {
			_ = a.writeBroken(o.file) // the error that is told is the first one
		}
	}
}

func (a *app) writeBroken(file string) error {
	var b bytes.Buffer
	r := finding.Report{Tool: finding.Tool{Name: "toolwarrant", Version: version}, ExitCode: exitUnexpected}
	if err := sarif.Write(&b, r, sarif.Options{Rules: allRules(), Broken: true}); err != nil {
		return err
	}
	return a.writeFile(file, b.Bytes())
}

// reportCmd renders a saved report.
type reportCmd struct {
	reportFlags
	From     string `required:"" placeholder:"FILE" help:"A report that -o json wrote."`
	GitHub   bool   `name:"github" help:"Post it too, from a job on GitHub: as the comment of a pull request, or the issue of a scheduled run."`
	Category string `placeholder:"NAME" help:"Tells several comments on one pull request apart."`
}

// Run ends with the exit code of the run that wrote the report.
func (c *reportCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	data, err := a.readFile(c.From)
	if err != nil {
		return 0, err
	}
	r, err := finding.ParseReport(data)
	var bad *finding.ReportError
	switch {
	case errors.As(err, &bad):
		return 0, usage("toolwarrant scan -o json="+c.From+" writes one", "%s:%d:%d is no report: %s", c.From, bad.Line, bad.Column, bad.Reason)
	case err != nil:
		return 0, err
	case r.ExitCode != exitCodes[r.Outcome]:
		return 0, usage("", "%s is no report: its exit code is not that of its outcome", c.From)
	}
	if c.GitHub {
		if err := c.publish(a, r); err != nil {
			return 0, err
		}
	}
	return r.Outcome, a.render(r, c.outputFlags)
}
