package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// policyCmd looks at a policy before it is committed.
type policyCmd struct {
	outputFlags
	Action string `arg:"" enum:"check" help:"check: what is wrong with the policy, or how it differs from the defaults."`
	File   string `arg:"" optional:"" help:"The policy (default: .toolwarrant/policy.yaml of this repository)."`
	Date   string `placeholder:"YYYY-MM-DD" help:"The day for waivers and expiries (default: today)."`
}

// policySchema names the form of the JSON of one check.
const policySchema = "toolwarrant.policy/1"

// policyView is what policy check tells.
type policyView struct {
	Schema   string              `json:"schema"`
	File     string              `json:"file"`
	Present  bool                `json:"present"` // without the file the defaults hold
	Valid    bool                `json:"valid"`
	Outcome  finding.Outcome     `json:"outcome"`
	ExitCode int                 `json:"exitCode"`
	Findings []finding.Finding   `json:"findings"`
	Differs  []policy.Difference `json:"differs"` // from the defaults, which are old; of an invalid policy, what still counts
}

// Run starts nothing.
func (c *policyCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	if !policy.ValidDate(a.date(c.Date)) {
		return 0, usage("--date 2026-12-31", "%q is no date", c.Date)
	}
	v := policyView{Schema: policySchema, File: policy.File, Present: true}
	p, found, err := c.read(a, &v)
	if err != nil {
		return 0, err
	}
	v.judge(p, append(found, p.Expired(a.date(c.Date))...))
	return v.Outcome, c.write(a, view{json: v, text: v.text})
}

// read reads the file. A repository without a policy is no mistake; a file that
// was named and is not there is.
func (c *policyCmd) read(a *app, v *policyView) (policy.Policy, []finding.Finding, error) {
	root := findRoot(a.dir)
	if c.File != "" {
		v.File, _ = placeName(a.abs(c.File), root)
		data, err := a.readFile(c.File)
		if err != nil {
			return policy.Policy{}, nil, err
		}
		p, found := policy.Parse(data, v.File)
		return p, found, nil
	}
	r, err := a.openFolder(root)
	if err != nil {
		return policy.Policy{}, nil, err
	}
	defer r.close()
	data, err := fs.ReadFile(r.store.FS(), policy.File)
	v.Present = !errors.Is(err, fs.ErrNotExist)
	p, found := policy.Parse(data, policy.File)
	if err != nil && v.Present {
		p, found = policy.Unreadable(policy.File)
	}
	return p, found, nil
}

// judge fills in what follows from a policy and what there is to tell of it.
func (v *policyView) judge(p policy.Policy, found []finding.Finding) {
	v.Valid, v.Outcome = !p.Broken(), finding.Clean
	v.Findings = append([]finding.Finding{}, found...)
	v.Differs = p.Differences(policy.Default())
	for _, f := range v.Findings {
		v.Outcome = v.Outcome.Worse(f.Outcome)
	}
	v.ExitCode = exitCodes[v.Outcome]
}

// text prints a line for each finding as compilers do, or what differs, and
// the verdict last.
func (v *policyView) text(w io.Writer, s report.Style) error {
	var lines []string
	if !s.Quiet {
		for _, f := range v.Findings {
			lines = append(lines, fmt.Sprintf("%s: %s: %s [%s]", f.Location, f.Level, f.Message, f.Rule))
			if f.Hint != "" {
				lines = append(lines, "  hint: "+f.Hint)
			}
		}
		lines = append(lines, v.differences()...)
	}
	for _, l := range append(lines, v.verdict()) {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return err
		}
	}
	return nil
}

func (v *policyView) differences() []string {
	if !v.Valid {
		return nil
	}
	var lines []string
	for _, d := range v.Differs {
		lines = append(lines, fmt.Sprintf("  %-16s %s   (default: %s)", d.Member, plainValue(d.New), plainValue(d.Old)))
	}
	return lines
}

// plainValue shortens JSON for a line; a word loses its quotes.
func plainValue(json []byte) string {
	if n := len(json); n > 2 && json[0] == '"' {
		json = json[1 : n-1]
	}
	return finding.Claim(json).Short(60)
}

func (v *policyView) verdict() string {
	name := finding.Claim(v.File).Short(80)
	switch {
	case !v.Present:
		return fmt.Sprintf("%s is not there: the defaults hold   exit %d", name, v.ExitCode)
	case !v.Valid:
		return fmt.Sprintf("%s is not valid: nothing is started under it   exit %d", name, v.ExitCode)
	case len(v.Findings) > 0:
		return fmt.Sprintf("%s is valid, and entries have expired   exit %d", name, v.ExitCode)
	case len(v.Differs) == 0:
		return fmt.Sprintf("%s is valid and says what the defaults say   exit %d", name, v.ExitCode)
	}
	return fmt.Sprintf("%s is valid   exit %d", name, v.ExitCode)
}
