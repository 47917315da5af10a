package main

import (
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// verifyCmd compares what servers declare now with their locks.
type verifyCmd struct {
	selectFlags
	liveFlags
	anchorFlags
	reportFlags
	Names  []string `arg:"" optional:"" name:"name" help:"Servers to verify (default: all)."`
	Lock   string   `placeholder:"FILE" help:"Compare with this lock."`
	Today  bool     `help:"Start what the registries give today instead of the sealed packages, and compare."`
	Strict bool     `help:"Every change at warning or above counts as an escalation."`
}

// Run starts what is sealed and approved, as a scan does.
func (c *verifyCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	switch {
	case c.given(a) && len(c.Names) > 0:
		return 0, usage("", "a NAME and another way to name a server exclude each other")
	case c.given(a):
		return c.one(a, r)
	case c.Lock != "":
		return 0, usage("toolwarrant verify --lock FILE -- COMMAND ARGS...", "--lock needs one server to compare with")
	}
	return c.sealed(a, r)
}

// sealed verifies what this repository declares and seals.
func (c *verifyCmd) sealed(a *app, r *repository) (finding.Outcome, error) {
	if _, err := r.named(c.Names); err != nil {
		return 0, err
	}
	o, done, err := c.anchored(a, c.anchorFlags, c.Quiet)
	if err != nil {
		return 0, err
	}
	defer func() { done.close() }()
	o.Live, o.Today = scanner.LiveAll, c.Today
	if len(c.Names) > 0 {
		o.Only = func(t scanner.Target) bool {
			return slices.ContainsFunc(c.Names, func(n string) bool { return answersTo(t, n) })
		}
	}
	result, err := scanner.Scan(a.ctx, o)
	if err != nil {
		return 0, err
	}
	if err := done.flush(); err != nil {
		return 0, err
	}
	return a.conclude(result, c.Strict, c.outputFlags)
}

// one verifies a server that was typed or taken from a file, against its lock.
func (c *verifyCmd) one(a *app, r *repository) (finding.Outcome, error) {
	t, err := c.target(a, r)
	if err != nil {
		return 0, err
	}
	if c.Lock != "" {
		lock, err := a.loadLock(c.Lock)
		if err != nil {
			return 0, err
		}
		if t.Lock, r.Locks = &lock, []scanner.Lock{lock}; lock.Invalid != nil {
			t.Lock = nil
		}
	}
	if err := c.needPlaces([]scanner.Target{t}); err != nil {
		return 0, err
	}
	o, done, err := c.options(a, r, c.Quiet)
	if err != nil {
		return 0, err
	}
	o.Today = c.Today
	if o.Approved, err = c.approved(a, r); err != nil {
		return 0, err
	}
	result := scanner.Verify(a.ctx, o, r.Repo, []scanner.Target{t})
	if err := done(); err != nil {
		return 0, err
	}
	result.Anchor.Kind = "lock"
	return a.conclude(result, c.Strict, c.outputFlags)
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
