package main

import (
	"io"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// verifyCmd compares what servers declare now with their locks.
type verifyCmd struct {
	selectFlags
	liveFlags
	outputFlags
	Names  []string `arg:"" optional:"" name:"name" help:"Servers to verify (default: all)."`
	Lock   string   `placeholder:"FILE" help:"Compare with this lock."`
	Anchor string   `enum:"user,head" default:"user" help:"Whose approvals count: user (what you sealed on this machine) or head (the locks of this checkout, as a pipeline owner's word)."`
	Strict bool     `help:"Every change at warning or above counts as an escalation."`
}

// Run starts what is sealed and approved.
func (c *verifyCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	r, err := a.openRepository()
	if err != nil {
		return 0, err
	}
	defer r.close()
	targets, err := c.targets(a, r)
	if err != nil {
		return 0, err
	}
	o, done, err := c.options(a, r, c.Quiet)
	if err != nil {
		return 0, err
	}
	if o.Approved, err = c.approved(a, r); err != nil {
		return 0, err
	}
	result := scanner.Verify(a.ctx, o, r.Repo, targets)
	if err := done(); err != nil {
		return 0, err
	}
	result.Anchor.Kind = c.Anchor
	return a.conclude(result, c.Strict, c.outputFlags)
}

// conclude sets the exit code and renders a report.
func (a *app) conclude(r finding.Report, strict bool, f outputFlags) (finding.Outcome, error) {
	if strict {
		r = scanner.Strict(r)
	}
	r.ExitCode = exitCodes[r.Outcome]
	err := f.write(a, view{json: r, text: func(w io.Writer, s report.Style) error { return report.Text(w, r, s) }})
	return r.Outcome, err
}

func (c *verifyCmd) targets(a *app, r *repository) ([]scanner.Target, error) {
	if !c.given(a) {
		if c.Lock != "" {
			return nil, usage("toolwarrant verify --lock FILE -- COMMAND ARGS...", "--lock needs one server to compare with")
		}
		if len(c.Names) > 0 {
			return r.named(c.Names)
		}
		return r.Targets, nil
	}
	if len(c.Names) > 0 {
		return nil, usage("", "a NAME and another way to name a server exclude each other")
	}
	t, err := c.target(a, r)
	if err != nil {
		return nil, err
	}
	if c.Lock != "" {
		lock, err := a.loadLock(c.Lock)
		if err != nil {
			return nil, err
		}
		t.Lock = &lock
		r.Locks = []scanner.Lock{lock}
	}
	return []scanner.Target{t}, nil
}

// approved says whose word starts a server: a command that was typed is
// approved by being typed.
func (c *verifyCmd) approved(a *app, r *repository) (func(launch, code string) bool, error) {
	yes := func(string, string) bool { return true }
	switch {
	case a.hasTyped || c.Anchor == "head":
		return yes, nil
	case a.getenv("CI") != "":
		return nil, nil // a pipeline has no user whose approvals could count
	}
	record, err := a.approvals(r.root)
	if err != nil {
		return nil, err
	}
	return record.Has, nil
}
