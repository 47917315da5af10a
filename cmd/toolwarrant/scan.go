package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// scanCmd judges a whole repository.
type scanCmd struct {
	liveFlags
	anchorFlags
	reportFlags
	Dir    string `arg:"" optional:"" help:"A folder of the repository (default: here)."`
	Live   string `enum:",changed,all,none" default:"" help:"Read changed targets, all, or none (default: changed with --base, else all)."`
	Start  string `enum:"approved,all" default:"approved" help:"all: start what nobody approved too, for a person at a terminal."`
	Strict bool   `help:"Every change at warning or above counts as an escalation, and so do known findings."`
	Today  bool   `help:"Start what the registries give today instead of the sealed packages, and compare (the default for floating launches with --anchor head)."`
	Date   string `placeholder:"YYYY-MM-DD" help:"The day for waivers and expiries (default: today)."`
}

// wholeScan is the time for one scan.
const wholeScan = 15 * time.Minute

// Run starts what the anchor or this user has approved, and nothing else.
func (c *scanCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	if c.Start == "all" && !a.interactive() {
		return 0, usage("toolwarrant seal NAME approves one server", "--start all is for a person at a terminal")
	}
	if c.Dir != "" {
		if a.dir = a.abs(c.Dir); !isDir(a.dir) {
			return 0, usage("", "there is no folder %s", c.Dir)
		}
	}
	o, done, err := c.scanOptions(a)
	if err != nil {
		return 0, err
	}
	defer func() { done.close() }()
	ctx, cancel := context.WithTimeout(a.ctx, wholeScan)
	defer cancel()
	report, err := scanner.Scan(ctx, o)
	if err != nil {
		return 0, err
	}
	if err := done.flush(); err != nil {
		return 0, err
	}
	if part, _ := placeName(a.dir, findRoot(a.dir)); part != "." {
		report.Part = part
	}
	return a.conclude(report, c.Strict, c.outputFlags)
}

// closing is what a scan leaves open.
type closing struct {
	close func()
	flush func() error
}

func (c *scanCmd) scanOptions(a *app) (scanner.Options, closing, error) {
	o, shut, err := c.anchored(a, c.anchorFlags, c.Quiet)
	if err != nil {
		return o, shut, err
	}
	o.Today = c.Today
	o.Live, o.Start, o.Date = c.mode(o.Anchor.Change), c.Start, a.date(c.Date)
	if part, _ := placeName(a.dir, findRoot(a.dir)); part != "." {
		o.Part = part
		o.Only = func(t scanner.Target) bool { return within(t, part) }
	}
	if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
		return o, shut, usage("--date 2026-12-31", "%q is no date", c.Date)
	}
	return o, shut, nil
}

// anchored opens the caller's repository for a run that is judged against an
// anchor.
func (f liveFlags) anchored(a *app, anchor anchorFlags, quiet bool) (scanner.Options, closing, error) {
	shut := closing{func() {}, func() error { return nil }}
	root := findRoot(a.dir)
	a.keepOutOf(root)
	r, err := a.openFolder(root)
	if err != nil {
		return scanner.Options{}, shut, err
	}
	shut.close = r.close
	o, flush, err := f.options(a, r, quiet)
	if err != nil {
		return o, shut, err
	}
	shut.flush = flush
	if err := anchor.setAnchor(a, &o); err != nil {
		return o, shut, err
	}
	o.Packages = f.packages(a, root, permitted(o.Anchor.FS))
	o.Python = f.python(a, root, permitted(o.Anchor.FS))
	o.Plugins = f.plugins(a, root, permitted(o.Anchor.FS))
	if a.getenv("CI") == "" { // a pipeline has no user whose approvals could count
		record, err := a.approvals(root)
		if err != nil {
			return o, shut, err
		}
		shut.close = func() { r.close(); _ = record.Close() }
		o.Approved, o.Save = record.Has, record.SaveRead
	}
	o.Date, o.Attributes = a.date(""), tree.Attributes
	return o, shut, nil
}

func (c scanCmd) mode(change bool) scanner.Live {
	switch {
	case c.Live != "":
		return scanner.Live(c.Live)
	case change:
		return scanner.LiveChanged
	}
	return scanner.LiveAll
}

// date is the day that the user gives, else today's in UTC.
func (a *app) date(given string) string {
	if given != "" {
		return given
	}
	return time.Now().UTC().Format(time.DateOnly)
}

// within reports whether a target is declared or sealed below a folder.
func within(t scanner.Target, part string) bool {
	for _, p := range append(t.Places(), t.At().File) {
		if strings.HasPrefix(p, filepath.ToSlash(part)+"/") {
			return true
		}
	}
	return false
}
