package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/internal/tree"
)

// Deps are what the conductor needs of the program around it.
type Deps struct {
	Version string
	// Refuse is the JSON report of a run that judges nothing.
	Refuse func(why, hint string) ([]byte, error)
	// Write writes a file below a folder, atomically and never through a link.
	Write func(root, name string, data []byte) error
}

// ScanOrder is what the scanner is told. No credential is in it.
type ScanOrder struct {
	Ground
	Root     string
	Path     string // the folder to scan, from the root
	Live     string
	Strict   bool
	Timeout  string
	Sandbox  sandbox.Profile
	Guarded  []sandbox.Guarded
	Inputs   map[string]string // that tighten the policy
	InputsAt string            // the file that sets them; empty where it is not known
}

// exitUnexpected is the exit code of a run without a complete report.
const exitUnexpected = 1

// scanGrace is how long after its time a scanner may still write its report. One
// that does not end has no report.
const scanGrace = 2 * time.Minute

// conductor runs one event.
type conductor struct {
	Deps
	ctx      context.Context
	runner   Runner
	warnings []string
	sandbox  sandbox.Profile
	log      *Log
	temp     string
}

// Conduct is the conductor's role. It returns the job's exit code.
func Conduct(args []string, d Deps) int {
	closed := sandbox.Seclude()
	log := &Log{W: os.Stderr}
	defer func() { _ = log.Close() }()
	h, err := received(args)
	if err != nil {
		_, _ = fmt.Fprintf(log, "toolwarrant: %s\n", err)
		return exitUnexpected
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &conductor{Deps: d, ctx: ctx, runner: h.Runner, warnings: h.Warnings, sandbox: h.Sandbox, log: log}
	c.runner.Token = secret.New(h.Bearer)
	if !closed {
		c.note("this system cannot close a process to others of its user")
	}
	if os.Geteuid() != 0 {
		c.note("not root: poster, scanner and resolver are one user, and only the sandbox stands between them and servers")
	}
	code, err := c.run()
	if err != nil {
		c.note(err.Error())
		return exitUnexpected
	}
	return code
}

func (c *conductor) note(text string) {
	_, _ = fmt.Fprintf(c.log, "toolwarrant: %s\n", finding.Claim(text))
}

func (c *conductor) run() (int, error) {
	for _, w := range c.warnings {
		c.note(w)
	}
	if err := c.rooms(); err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(c.temp) }()
	p := Posting{API: c.runner.API, Repository: c.runner.Repository, Version: c.Version, Approval: policy.ApprovalReview.String()}
	report, err := c.judge(&p)
	var r *Refusal
	if errors.As(err, &r) {
		p.Refused = true
		report, err = c.Refuse(r.Why, r.Advice)
	}
	if err != nil {
		c.note(err.Error())
		report, p.Broken = nil, true
	}
	return c.post(p, report)
}

// rooms makes the folders of this run: what an earlier step left in caches is
// nobody's word.
func (c *conductor) rooms() (err error) {
	if c.temp, err = os.MkdirTemp("", "toolwarrant-action-"); err != nil {
		return errors.New("no temporary folder can be made")
	}
	cache := filepath.Join(c.temp, "cache")
	if err := errors.Join(os.Chmod(c.temp, 0o711), os.Mkdir(cache, 0o711)); err != nil {
		return errors.New("no temporary folder can be made")
	}
	c.runner.Environ = append(c.runner.Environ, "XDG_CACHE_HOME="+cache, "CI=true")
	return nil
}

// judge finds the ground and runs the scanner.
func (c *conductor) judge(p *Posting) ([]byte, error) {
	if err := c.runner.check(); err != nil {
		return nil, refuse(err.Error(), "docs/action.md lists the inputs")
	}
	if err := allowed(c.runner.Event); err != nil {
		return nil, err
	}
	event, err := c.event()
	if err != nil {
		return nil, refuse(err.Error(), "")
	}
	p.Remark = c.remark(event)
	repo, err := tree.OpenRepository(c.runner.Workspace)
	if err != nil {
		return nil, refuse("the checkout is no git repository that can be read", "actions/checkout stands before this step")
	}
	defer func() { _ = repo.Close() }()
	f := &finder{ctx: c.ctx, runner: c.runner, repo: repo, api: c.api(), note: c.note, views: map[string]*tree.Repository{}, lent: map[string]fs.FS{}}
	defer f.close()
	ground, err := f.find(event)
	if err != nil {
		return nil, err
	}
	files, err := f.have(ground.Anchor)
	if err != nil {
		return nil, err
	}
	newest, err := f.newest(ground, files)
	if err != nil {
		return nil, err
	}
	base := policyOf(files)
	c.gate(p, base, newest, ground)
	p.Remark.judgedBy(files, base, c.runner.Event, c.runner.Inputs["on-drift"])
	return c.scan(c.order(ground), f.lent)
}

func (c *conductor) event() (github.Event, error) {
	f, err := os.Open(c.runner.EventPath)
	if err != nil {
		return github.Event{}, errors.New("the event's file cannot be read")
	}
	defer func() { _ = f.Close() }()
	return github.ReadEvent(c.runner.Event, f)
}

// api is a client, nil where no address is known.
func (c *conductor) api() API {
	client, err := github.New(github.Config{API: c.runner.API, Repository: c.runner.Repository, Token: c.runner.Token, UserAgent: "toolwarrant/" + c.Version})
	if err != nil {
		return nil
	}
	return client
}

// gate works out what fails the job, and whose word is asked for. On a change
// inputs only tighten the anchor's policy, and so does the policy at the tip of the
// branch: with an old commit its author would choose an old word on what passes.
// Elsewhere the workflow is the owner's.
func (c *conductor) gate(p *Posting, base, newest policy.Policy, g Ground) {
	inputs := c.tightening()
	base, _ = policy.Tighten(base, inputs)
	if word := inputs["fail-on"]; !g.Change && word != "" {
		owner, _ := policy.Parse([]byte("fail-on: "+word+"\n"), policy.File)
		base.FailOn = owner.FailOn
	}
	if !g.Change {
		newest = base
	}
	for _, o := range []finding.Outcome{finding.Drift, finding.Undetermined, finding.Refused, finding.Escalation} {
		if base.Fails(o) || newest.Fails(o) {
			p.Fails = append(p.Fails, o.String())
		}
	}
	p.Judged = true
	p.Approval, p.Approvers = newest.Approval.String(), newest.Approvers
	if base.Approval == policy.ApprovalReview {
		p.Approval = base.Approval.String()
	}
	if len(p.Approvers) == 0 {
		p.Approvers = base.Approvers
	}
	if g.Number > 0 && !base.Broken() && !newest.Broken() {
		p.Number, p.Head = g.Number, g.HeadSHA
	}
}

// tightening are the inputs that are members of the policy.
func (c *conductor) tightening() map[string]string {
	out := map[string]string{}
	if word := c.runner.Inputs["fail-on"]; word != "" {
		out["fail-on"] = word
	}
	return out
}

func (c *conductor) order(g Ground) ScanOrder {
	o := ScanOrder{
		Ground: g, Root: c.runner.Workspace, Path: c.runner.input("path"), Live: c.runner.Inputs["live"], Strict: c.runner.input("strict") == "true",
		Timeout: c.runner.input("timeout"), Sandbox: c.sandbox, Guarded: c.runner.Guarded, InputsAt: c.runner.Workflow,
	}
	if g.Change {
		o.Inputs = c.tightening()
	}
	switch asked := sandbox.Profile(c.runner.Inputs["sandbox"]); {
	case asked == sandbox.Restricted && g.Change:
		c.note("the input sandbox is left out: a change cannot ask for a weaker one than works here")
		o.Sandbox = sandbox.Auto
	case asked != "":
		o.Sandbox = asked
	}
	if g.Static != "" {
		c.note(g.Static)
		o.Live = "none"
	}
	return o
}

// scan runs the scanner, lends it the trees that it asks for, and returns its
// report.
func (c *conductor) scan(o ScanOrder, trees map[string]fs.FS) ([]byte, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, errors.New("no pipe can be made")
	}
	defer func() { _ = r.Close() }()
	questions, asks, err1 := os.Pipe()
	answers, gives, err2 := os.Pipe()
	if err1 != nil || err2 != nil {
		return nil, errors.New("no pipe can be made")
	}
	cmd, start, err := role(ScanRole, c.runner.Environ, o, w, asks, answers)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = c.log, c.log
	err = start()
	for _, theirs := range []*os.File{w, asks, answers} {
		_ = theirs.Close()
	}
	go func() { lend(trees, questions, gives); _ = questions.Close(); _ = gives.Close() }()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(c.ctx, func() { _ = cmd.Process.Signal(os.Interrupt) })
	defer stop()
	late := time.AfterFunc(c.runner.timeout()+scanGrace, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	report, err := io.ReadAll(io.LimitReader(r, finding.MaxReport+1))
	_, _ = io.Copy(io.Discard, r)
	if failed := cmd.Wait(); failed != nil || err != nil || len(report) == 0 {
		return nil, errors.New("the scan broke as a whole")
	}
	return report, nil
}

// post runs the poster, which decides the job's exit code.
func (c *conductor) post(p Posting, report []byte) (int, error) {
	p.Bearer, p.SARIF = c.runner.Token.Reveal(), filepath.ToSlash(c.runner.input(sarifInput))
	p.Report = trimExt(p.SARIF) + ".json"
	if p.Report == p.SARIF {
		p.Report += ".report.json"
	}
	files, done, err := c.files()
	if err != nil {
		return 0, err
	}
	defer done()
	cmd, start, err := role(PostRole, c.runner.Environ, p, files...)
	if err != nil {
		return 0, err
	}
	apart(cmd)
	in, out, err := os.Pipe()
	if err != nil {
		return 0, errors.New("no pipe can be made")
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, os.Stdout, os.Stderr
	if err := start(); err != nil {
		return 0, err
	}
	_ = in.Close()
	_, _ = out.Write(report)
	_ = out.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, errors.New("the poster ended without a word")
	}
	for i, name := range []string{p.SARIF, p.Report} {
		if err := c.keep(name, files[2+i]); err != nil {
			return 0, err
		}
	}
	return cmd.ProcessState.ExitCode(), nil
}

// files are what the poster writes to, from its descriptor 4 on: outputs, summary,
// SARIF and report.
func (c *conductor) files() (list []*os.File, done func(), err error) {
	done = func() {
		for _, f := range list {
			_ = f.Close()
		}
	}
	summary := c.runner.Summary
	if c.runner.input("summary") != "true" {
		summary = ""
	}
	for _, name := range []string{c.runner.Output, summary} {
		f, err := appendTo(name)
		if err != nil {
			done()
			return nil, nil, err
		}
		list = append(list, f)
	}
	for _, name := range []string{"sarif", "report"} {
		f, err := os.Create(filepath.Join(c.temp, name))
		if err != nil {
			done()
			return nil, nil, errors.New("no temporary file can be made")
		}
		list = append(list, f)
	}
	return list, done, nil
}

// appendTo opens a file of the runner's, which is no link, and none that waits for
// a reader; without a name nothing is kept.
func appendTo(name string) (*os.File, error) {
	if name == "" {
		name = os.DevNull
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE|plainFile, 0o644)
	if err != nil {
		return nil, errors.New("a file of the runner's cannot be written")
	}
	return f, nil
}

// keep puts a file into the checkout, as its owner's: what belongs to root stands in
// the way of the next checkout on a machine that is kept.
func (c *conductor) keep(name string, f *os.File) error {
	_, err := f.Seek(0, io.SeekStart) // not by its name, which others may have taken
	data, err2 := io.ReadAll(f)
	if err != nil || err2 != nil {
		return errors.New("a result cannot be read")
	}
	if len(data) == 0 {
		return nil
	}
	if err := c.Write(c.runner.Workspace, name, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	root, err := os.OpenRoot(c.runner.Workspace)
	if err != nil {
		return errors.New("the checkout cannot be opened")
	}
	defer func() { _ = root.Close() }()
	if uid, gid, ok := ownerOf(c.runner.Workspace); ok && os.Geteuid() == 0 {
		_ = root.Lchown(filepath.FromSlash(name), uid, gid)
	}
	return nil
}

func trimExt(name string) string { return name[:len(name)-len(filepath.Ext(name))] }

func itoa(n int) string { return strconv.Itoa(n) }
