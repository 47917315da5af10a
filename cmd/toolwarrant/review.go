package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/store"
	"github.com/toolwarrant/toolwarrant/lockfile"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// reviewCmd changes what a lock approves.
type reviewCmd struct {
	outputFlags
	Name    string `arg:"" help:"A declared or sealed server, or its launch digest; or a plugin."`
	Action  string `arg:"" enum:"approve-launch,approve-surface,approve,enable,disable,revoke,rollback" help:"For servers approve-launch, approve-surface, disable or revoke; for plugins approve, enable, disable, revoke or rollback."`
	Launch  string `placeholder:"DIGEST" help:"Refuse unless the launch has this digest (12 hex or more)."`
	Surface string `placeholder:"DIGEST" help:"Refuse unless the surface has this digest (12 hex or more)."`
	By      string `placeholder:"WHO" help:"Who says so; kept in the lock."`

	Package          string   `placeholder:"DIGEST" help:"The version of a plugin, by its package or archive (12 hex or more); else the declared one."`
	Replaces         string   `placeholder:"DIGEST" help:"The enabled version that enable or rollback replaces, by its package or archive (12 hex or more)."`
	Only             []string `placeholder:"KINDS" help:"Enable these kinds of a plugin's contributions alone: skills, mcp_servers, hooks, ui_metadata."`
	ConfirmUntrusted bool     `help:"Take a plugin that nobody whom the policy trusts has signed."`
}

// Run starts nothing.
func (c *reviewCmd) Run(a *app) (finding.Outcome, error) {
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	if plugins, _ := r.pluginsNamed([]string{c.Name}); len(plugins) > 0 {
		return c.reviewPlugin(a, r, plugins[0])
	}
	if err := c.aboutServers(); err != nil {
		return 0, err
	}
	t, err := r.reviewed(c.Name)
	if err != nil {
		return 0, err
	}
	record, err := a.approvals(r.root)
	if err != nil {
		return 0, err
	}
	defer func() { _ = record.Close() }()
	result := c.decide(a, r, t, record)
	if err := c.carryOut(r, t, record, result); err != nil {
		return 0, err
	}
	sealing := finding.NewSealing([]finding.Sealed{result.sealed})
	sealing.ExitCode = exitCodes[sealing.Outcome]
	return sealing.Outcome, c.write(a, view{json: sealing, text: func(w io.Writer, s report.Style) error { return report.Sealing(w, sealing, s) }})
}

// reviewed is the one target that a name means.
func (r *repository) reviewed(name string) (scanner.Target, error) {
	found, err := r.named([]string{name})
	if err != nil {
		return scanner.Target{}, err
	}
	if len(found) > 1 {
		return scanner.Target{}, usage("use the launch digest that toolwarrant list shows", "%q names %d different launches", name, len(found))
	}
	return found[0], nil
}

// decision is the lock that a review would leave.
type decision struct {
	sealed finding.Sealed
	entry  lockfile.Entry
	tree   []byte // of its packages, where it is to be written beside it
}

func (c *reviewCmd) decide(a *app, r *repository, t scanner.Target, record *store.Approvals) decision {
	d := decision{sealed: finding.Sealed{Name: t.Name, Location: t.At(), State: finding.SealRefused, Launch: t.Launch.Digest}}
	refuse := func(format string, args ...any) decision {
		d.sealed.Reason = fmt.Sprintf(format, args...)
		return d
	}
	switch {
	case !t.Understood():
		return refuse("its declaration is not understood in full")
	case c.Launch != "" && !accepts(c.Launch, t.Launch.Digest):
		return refuse("its launch is %s, not %s", scanner.Short(t.Launch.Digest), finding.Claim(c.Launch).Short(80))
	}
	var reason string
	if d.entry, d.tree, reason = c.next(t, record); reason != "" {
		return refuse("%s", reason)
	}
	d.entry.Review.By = c.By
	d.sealed.State, d.sealed.Surface, d.sealed.Tools = finding.SealWritten, d.entry.Surface(), len(d.entry.Tools())
	d.sealed.File = scanner.LockFile(r.Repo, t)
	return d
}

// next is the lock after the action, or why there is none.
func (c *reviewCmd) next(t scanner.Target, record *store.Approvals) (e lockfile.Entry, tree []byte, refused string) {
	switch c.Action {
	case "approve-launch":
		e, refused = c.approveLaunch(t)
		return e, nil, refused
	case "approve-surface":
		return c.approveSurface(t, record)
	}
	if t.Lock == nil {
		return lockfile.Entry{}, nil, "it has no lock"
	}
	if len(t.Declared) > 0 && !t.Sealed() {
		return lockfile.Entry{}, nil, "the lock that lists its place is of another launch: toolwarrant seal comes first"
	}
	e = t.Lock.Entry
	if c.Surface != "" && !accepts(c.Surface, e.Surface()) {
		return e, nil, fmt.Sprintf("its surface is %s, not %s", scanner.Short(e.Surface()), finding.Claim(c.Surface).Short(80))
	}
	e.Review.State = map[string]lockfile.State{"disable": lockfile.Disabled, "revoke": lockfile.Revoked}[c.Action]
	return e, nil, ""
}

// approveLaunch leads out of disabled, and out of revoked only where the digest
// is named.
func (c *reviewCmd) approveLaunch(t scanner.Target) (lockfile.Entry, string) {
	if t.Lock == nil || !t.Sealed() && len(t.Declared) > 0 {
		if len(t.Declared) == 0 {
			return lockfile.Entry{}, "no configuration declares it"
		}
		if t.Lock != nil && t.Lock.Entry.Review.State == lockfile.Revoked {
			return lockfile.Entry{}, "its place is held by a revoked lock"
		}
		return lockfile.Entry{Kind: "server", Name: t.Name, Places: t.Places(), Launch: t.Launch,
			Review: lockfile.Review{State: lockfile.LaunchApproved, Launch: t.Launch.Digest}}, ""
	}
	e := t.Lock.Entry
	if e.Review.State == lockfile.Revoked && c.Launch == "" {
		return e, "it is revoked: name the launch that you approve with --launch " + strings.TrimPrefix(scanner.Short(e.Launch.Digest), "sha256:")
	}
	e.Review.State, e.Review.Surface = lockfile.LaunchApproved, ""
	return e, ""
}

// approveSurface takes the surface that was last read on this machine, and what
// it was read from.
func (c *reviewCmd) approveSurface(t scanner.Target, record *store.Approvals) (e lockfile.Entry, tree []byte, refused string) {
	switch {
	case !t.Sealed():
		return e, nil, "its launch is not approved: approve-launch comes first"
	case t.Lock.Entry.Review.State == lockfile.Disabled, t.Lock.Entry.Review.State == lockfile.Revoked:
		return e, nil, fmt.Sprintf("its lock is %s", t.Lock.Entry.Review.State)
	}
	data, tree, err := record.LastRead(t.Launch.Digest)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil, "its surface was never read on this machine: toolwarrant scan or inspect reads it"
	}
	read, err := lockfile.Parse(data)
	if err != nil {
		return e, nil, "what was read on this machine cannot be read again"
	}
	if c.Surface != "" && !accepts(c.Surface, read.Surface()) {
		return e, nil, fmt.Sprintf("the surface that was last read is %s, not %s", scanner.Short(read.Surface()), finding.Claim(c.Surface).Short(80))
	}
	if a := t.Lock.Entry.Artifact; a != nil && !scanner.SameBytes(t.Lock.Entry, read) {
		return e, nil, "it was last read from other bytes than its lock fixes: toolwarrant seal shows the difference and asks"
	}
	e = t.Lock.Entry
	e.Read, e.Artifact = read.Read, read.Artifact
	e.Review = lockfile.Review{State: lockfile.Approved, Launch: e.Launch.Digest, Surface: read.Surface()}
	return e, tree, ""
}

func (c *reviewCmd) carryOut(r *repository, t scanner.Target, record *store.Approvals, d decision) error {
	if d.sealed.State != finding.SealWritten {
		return nil
	}
	data, err := d.entry.Bytes()
	if err != nil {
		return err
	}
	files := sealedFiles{lock: d.sealed.File, data: data, tree: scanner.TreeFile(d.sealed.File, d.entry.Artifact), treeData: d.tree}
	switch {
	case t.Lock == nil:
	case t.Lock.File == files.lock:
		files.old = scanner.TreeFile(t.Lock.File, t.Lock.Entry.Artifact)
	case files.treeData == nil && t.Lock.Tree != nil: // another file, so another name of the tree
		if files.treeData, err = t.Lock.Tree.Bytes(); err != nil {
			return err
		}
	}
	if err := files.write(r.store); err != nil {
		return err
	}
	if c.Action == "disable" || c.Action == "revoke" || len(t.Declared) == 0 {
		return nil
	}
	var o scanner.Options
	r.workTree(&o)
	code, err := o.Code(t)
	if err != nil {
		return err
	}
	return record.Add(t.Launch.Digest, scanner.Approval(code, d.entry.Artifact))
}
