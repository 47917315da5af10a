package main

import (
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/store"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// sealCmd writes locks.
type sealCmd struct {
	selectFlags
	liveFlags
	outputFlags
	Names      []string `arg:"" optional:"" name:"name" help:"Servers that this repository declares."`
	All        bool     `help:"Every declared server."`
	LaunchOnly bool     `help:"Lock the launch without starting the server, where it cannot list here."`
	Accept     []string `sep:"none" placeholder:"DIGEST" help:"Accept a difference: 12 or more hex digits of the new surface digest (of the launch digest where only that differs). Repeats."`
	Force      bool     `help:"Accept every difference."`
	Yes        bool     `short:"y" help:"Approve every start without asking."`
	Out        string   `placeholder:"FILE" help:"Write the lock to this file."`
}

// sealRun is one call of seal.
type sealRun struct {
	*sealCmd
	a        *app
	r        *repository
	o        scanner.Options
	approved *store.Approvals
	results  []finding.Sealed
	unread   []scanner.Proposal // tried, and no lock could be written
}

// Run asks before it starts anything that was not approved, and again before it
// replaces a lock by another.
func (c *sealCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
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
	record, err := a.approvals(r.root)
	if err != nil {
		return 0, err
	}
	defer func() { _ = record.Close() }()
	s := &sealRun{sealCmd: c, a: a, r: r, o: o, approved: record}
	if err := s.all(targets); err != nil {
		return 0, err
	}
	if err := done(); err != nil {
		return 0, err
	}
	result := finding.NewSealing(s.results)
	result.ExitCode = exitCodes[result.Outcome]
	err = c.write(a, view{json: result, text: func(w io.Writer, st report.Style) error { return report.Sealing(w, result, st) }})
	return result.Outcome, err
}

func (c *sealCmd) targets(a *app, r *repository) ([]scanner.Target, error) {
	given := c.given(a)
	switch {
	case given && (c.All || len(c.Names) > 0), c.All && len(c.Names) > 0:
		return nil, usage("", "NAMEs, --all and another way to name a server exclude each other")
	case given:
		t, err := c.target(a, r)
		return []scanner.Target{t}, err
	case c.All:
		return declaredOnly(r.Targets), nil
	case len(c.Names) == 0:
		return nil, usage("toolwarrant seal NAME, --all, or -- COMMAND ARGS...", "no server is named")
	}
	found, err := r.named(c.Names)
	if err != nil {
		return nil, err
	}
	if found = declaredOnly(found); len(found) == 0 {
		return nil, usage("delete the lock if it is not needed", "nothing declares %s", strings.Join(c.Names, ", "))
	}
	return found, nil
}

func declaredOnly(targets []scanner.Target) []scanner.Target {
	var out []scanner.Target
	for _, t := range targets {
		if len(t.Declared) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// all seals what it can. Questions come first, so that nobody waits between
// two of them.
func (s *sealRun) all(targets []scanner.Target) error {
	if s.Out != "" && len(targets) != 1 {
		return usage("", "--out names one file, and %d servers are to be sealed", len(targets))
	}
	start := make([]bool, len(targets))
	codes := make([]string, len(targets)) // of what was approved: before a server could rewrite it
	for i, t := range targets {
		start[i] = s.mayStart(t)
		if code, err := s.o.Code(t); err == nil {
			codes[i] = code
		}
	}
	proposals := scanner.ProposeAll(s.a.ctx, s.o, s.r.Repo, targets, start, s.LaunchOnly)
	for i, p := range proposals {
		result, err := s.settle(p, start[i], codes[i])
		if err != nil {
			return err
		}
		s.results = append(s.results, result)
		if result.State == finding.SealUnread {
			s.unread = append(s.unread, p)
		}
	}
	return nil
}

// mayStart reports whether the user approved the start: by typing the command,
// by --yes, earlier on this machine, or now.
func (s *sealRun) mayStart(t scanner.Target) bool {
	if s.a.hasTyped || s.Yes || !t.Understood() || !t.Startable() {
		return true
	}
	if code, err := s.o.Code(t); err == nil && s.approved.Has(t.Launch.Digest, asked(code)) {
		return true
	}
	if !s.a.interactive() {
		return false
	}
	if report.Question(s.a.stderr, scanner.Ask(t), report.Style{Width: s.a.width(), Color: s.color(s.a)}) != nil {
		return false
	}
	if s.LaunchOnly {
		return s.a.ask("Approve this launch?")
	}
	return s.a.ask("Start it to read what it can do?")
}
