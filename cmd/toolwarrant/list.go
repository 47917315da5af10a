package main

import (
	"io"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// listCmd lists what is declared and sealed.
type listCmd struct {
	outputFlags
}

// Run starts nothing.
func (c *listCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	v := scanner.List(r.Repo)
	return finding.Clean, c.write(a, view{json: v, text: func(w io.Writer, s report.Style) error { return report.List(w, v, s) }})
}

// envCmd tells which variables servers would get.
type envCmd struct {
	selectFlags
	liveFlags
	outputFlags
	Names []string `arg:"" optional:"" name:"name" help:"Servers that this repository declares (default: all)."`
}

// Run starts nothing.
func (c *envCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	targets, err := c.targets(a, r)
	if err != nil {
		return 0, err
	}
	o, _, err := c.options(a, r, true)
	if err != nil {
		return 0, err
	}
	v := finding.Environments{Schema: finding.EnvironmentSchema, Servers: []finding.ServerEnvironment{}}
	for _, t := range targets {
		v.Servers = append(v.Servers, finding.ServerEnvironment{Name: t.Name, Environment: o.Plan(t)})
	}
	return finding.Clean, c.write(a, view{json: v, text: func(w io.Writer, s report.Style) error { return report.Environments(w, v, s) }})
}

func (c *envCmd) targets(a *app, r *repository) ([]scanner.Target, error) {
	if c.given(a) {
		t, err := c.target(a, r)
		return []scanner.Target{t}, err
	}
	if len(c.Names) == 0 {
		return declaredOnly(r.Targets), nil
	}
	found, err := r.named(c.Names)
	return declaredOnly(found), err
}
