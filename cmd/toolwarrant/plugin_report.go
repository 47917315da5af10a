package main

import (
	"cmp"
	"errors"
	"io"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/sarif"
)

// pluginFormats are what a judged archive can be rendered as beside text and JSON.
// place is the archive as a file of the work tree; empty where it is none.
func pluginFormats(v finding.Plugin, place string) map[string]func(io.Writer) error {
	r := pluginReport(v, cmp.Or(place, v.File))
	return map[string]func(io.Writer) error{
		"sarif": func(w io.Writer) error {
			err := sarif.ErrNoFile
			if place != "" {
				err = sarif.Write(w, r, sarif.Options{Rules: allRules()})
			}
			if errors.Is(err, sarif.ErrNoFile) {
				return usage("name an archive inside the repository, or write it there with --out FILE", "SARIF needs a file for each finding, and this archive is in none")
			}
			return err
		},
		"junit":    func(w io.Writer) error { return report.JUnit(w, r) },
		"markdown": func(w io.Writer) error { return report.Markdown(w, r) },
	}
}

// pluginReport is one judged archive as a report about one target. What a package
// holds is at the first line of it: an archive has no other.
func pluginReport(v finding.Plugin, place string) finding.Report {
	at := finding.At(place, 1, 1)
	r := finding.Report{Schema: finding.Schema, Tool: finding.Tool{Name: "toolwarrant", Version: version}, Outcome: v.Outcome, ExitCode: v.ExitCode, Live: "none",
		Anchor: finding.Anchor{Kind: "none"}, ApprovedBy: []string{}, Findings: []finding.Finding{}, Searched: 1, Excluded: []finding.Excluded{}}
	t := finding.Target{Name: cmp.Or(v.ID, place), Kind: "plugin", Location: at, Places: []string{}, Status: pluginStatus(v), Reason: v.Reason,
		Capabilities: finding.Capabilities{Approved: []string{}, Asked: []string{}, Observed: []string{}}, Clients: []finding.Client{}, Changes: []finding.ChangeItem{}}
	if v.Pinned || v.Source != nil {
		t.Pin = "immutable"
	}
	if v.PackageFingerprint != "" {
		t.Surface, t.Artifact = "sha256:"+v.PackageFingerprint, "sha256:"+v.ArchiveSHA256
	}
	for _, f := range v.Findings {
		f.Location, f.Target = at, t.Name
		r.Findings = append(r.Findings, f)
	}
	r.Targets = []finding.Target{t}
	return r
}

// pluginStatus is verified for what was accepted alone.
func pluginStatus(v finding.Plugin) finding.Status {
	switch {
	case v.Verdict == finding.Accepted && v.Outcome == finding.Clean:
		return finding.Verified
	case v.Verdict == finding.Rejected:
		return finding.Escalated
	case v.Outcome == finding.Refused:
		return finding.StatusRefused
	}
	return finding.StatusUndetermined
}
