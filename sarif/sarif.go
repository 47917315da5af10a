// Package sarif writes a report as SARIF 2.1.0 (OASIS Standard with errata 01)
// in the form that GitHub code scanning takes.
//
// One report is one log with one run. Every rule stands on every run, also where
// nothing was found: GitHub closes an alert when a later run of the same tool and
// category lacks it. Decisions that the standard leaves open:
//
//   - A result lies where the declaration lies, as a path from the root of the
//     scanned tree, percent-encoded; columns count UTF-16 code units. The lock is
//     a related location, linked from the message: GitHub shows no other.
//   - partialFingerprints.primaryLocationLineHash is the finding's fingerprint
//     and an occurrence count. GitHub's own is a hash of the next 100 characters,
//     so in a JSON file an edit of one server would move its neighbour's alerts.
//   - In message texts backslashes and brackets are escaped (section 3.11.6) and
//     "://" is broken up: nothing that a server wrote becomes a link. Braces stay
//     as they are: messages have no arguments, and GitHub shows them unchanged.
//   - What is known at the anchor is a result with the property known. Ignored
//     findings never reach a report; GitHub shows suppressed results as open.
//   - A target that was not read, was refused or is waived is a result. The run
//     stays successful: only a scan that broke as a whole is not.
//
// The bytes depend on the report and the options alone.
package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	sarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/toolwarrant/toolwarrant/finding"
)

// ErrNoFile is returned where a finding points at no file of the scanned tree: at
// an argument of the command line whose target was compared with no lock, or at a
// path that leads out of the tree. A result without a file makes GitHub reject the
// whole upload.
var ErrNoFile = errors.New("a finding has no place in a file of the scanned tree")

// Options are what a report itself does not hold.
type Options struct {
	// Rules describes every rule, in the order of the run.
	Rules []finding.Explanation
	// Broken marks a scan that ended without a complete report. GitHub refuses to
	// process such a run, so that it closes no alert.
	Broken bool
}

const (
	schemaURI      = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	informationURI = "https://github.com/toolwarrant/toolwarrant"
	rootBase       = "%SRCROOT%"
)

// Write writes r. It returns an error that wraps [ErrNoFile] before anything is
// written, else the writer's.
func Write(w io.Writer, r finding.Report, o Options) error {
	run, err := newRun(r, o)
	if err != nil {
		return err
	}
	log := sarif.Report{Version: string(sarif.Version210), Schema: schemaURI, Runs: []*sarif.Run{run}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

func newRun(r finding.Report, o Options) (*sarif.Run, error) {
	list, err := selected(r)
	if err != nil {
		return nil, err
	}
	rules := newCatalogue(o.Rules, list)
	driver := &sarif.ToolComponent{Name: "toolwarrant", InformationURI: ptr(informationURI), Rules: rules.descriptors}
	if v := finding.Claim(r.Tool.Version).String(); v != "" {
		driver.Version = &v
	}
	run := sarif.NewRun(sarif.Tool{Driver: driver})
	run.AutomationDetails = &sarif.RunAutomationDetails{ID: ptr(category(r.Part))}
	run.ColumnKind = "utf16CodeUnits"
	run.OriginalUriBaseIDs = map[string]*sarif.ArtifactLocation{rootBase: {Description: message("The root of the scanned tree.")}}
	run.Invocations = []*sarif.Invocation{invocation(r, o.Broken)}
	seen := map[string]int{}
	for _, p := range list {
		run.Results = append(run.Results, result(p, rules, seen))
	}
	return run, nil
}

// category is what GitHub keeps the alerts of parts apart by: all before the last
// slash of the id.
func category(part string) string {
	if part = strings.Trim(part, "/"); part == "" || part == "." {
		return "toolwarrant/"
	}
	return "toolwarrant/" + finding.Claim(part).String() + "/"
}

func invocation(r finding.Report, broken bool) *sarif.Invocation {
	i := &sarif.Invocation{ExecutionSuccessful: ptr(!broken), ExitCode: ptr(r.ExitCode), ExitCodeDescription: ptr(r.Outcome.String())}
	if broken {
		i.ExitCodeDescription = ptr("the scan broke as a whole")
		i.ToolExecutionNotifications = []*sarif.Notification{{Level: "error", Message: message("The scan broke as a whole: no complete report exists.")}}
	}
	return i
}

func ptr[T any](v T) *T { return &v }

func message(text string) *sarif.Message { return &sarif.Message{Text: &text} }
