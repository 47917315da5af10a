package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// initCmd sets a repository up: locks, policy, workflow, and what is to be said
// about them. What is there already stays.
type initCmd struct {
	liveFlags
	outputFlags
	Trial  bool   `help:"A policy under which no outcome fails the job."`
	DryRun bool   `help:"Say what would be written and started, and do neither."`
	Yes    bool   `short:"y" help:"Approve every start without asking."`
	Waive  bool   `help:"Accept for 90 days that a server is not read, where it cannot be read here: the policy says so, and its lock holds the launch alone."`
	Action string `placeholder:"COMMIT" help:"The commit of toolwarrant's action that the workflow names (default: the one that this program was built from)."`
	Date   string `placeholder:"YYYY-MM-DD" help:"The day from which waivers count (default: today)."`
}

// initRun is one call of init.
type initRun struct {
	*initCmd
	a      *app
	r      *repository
	date   string
	result finding.Initialization
}

// Run asks before it starts or writes anything, where there is somebody to ask.
func (c *initCmd) Run(a *app) (finding.Outcome, error) {
	i := &initRun{initCmd: c, a: a, date: a.date(c.Date)}
	if !policy.ValidDate(i.date) {
		return 0, usage("--date 2026-12-31", "%q is no date", c.Date)
	}
	if c.Action != "" && !isCommit(c.Action) {
		return 0, usage("a tag can be moved; name the commit that it points to", "--action is the full id of a commit, 40 hexadecimal digits")
	}
	r, err := a.repositoryFor(c)
	if err != nil {
		return 0, err
	}
	defer r.close()
	i.r = r
	if err := i.run(); err != nil {
		return 0, err
	}
	return i.result.Outcome, c.write(a, view{json: i.result, text: func(w io.Writer, s report.Style) error { return report.Initialization(w, i.result, s) }})
}

func (i *initRun) run() error {
	i.result = finding.Initialization{Schema: finding.InitializationSchema, Outcome: finding.Clean, DryRun: i.DryRun, Trial: i.Trial,
		Found: scanner.List(i.r.Repo), Files: []finding.NewFile{}, Sealed: []finding.Sealed{}, Waivers: []finding.Waiver{}, Next: []string{}}
	planned := i.plan()
	if err := i.show(); err != nil {
		return err
	}
	write := i.DryRun || i.agrees(planned)
	if err := i.locks(); err != nil {
		return err
	}
	if err := i.files(planned, write); err != nil {
		return err
	}
	i.result.Files = append(append(i.result.Files, i.offered()...), i.owners()...)
	i.conclude()
	return nil
}

// show tells a person what was found before anything is asked.
func (i *initRun) show() error {
	if i.Quiet || !i.a.interactive() || i.DryRun {
		return nil
	}
	var b bytes.Buffer
	if err := report.List(&b, i.result.Found, i.style()); err != nil {
		return err
	}
	_, err := i.a.stderr.Write(append(b.Bytes(), '\n'))
	return err
}

func (i *initRun) style() report.Style {
	return report.Style{Width: i.a.width(), Color: i.color(i.a)}
}

// agrees asks once about all files. Without a terminal they are written: they
// start nothing, and whoever commits them reads them.
func (i *initRun) agrees(planned []finding.NewFile) bool {
	var names []string
	for _, f := range planned {
		if f.State == finding.FilePlanned {
			names = append(names, f.Path)
		}
	}
	if len(names) == 0 || i.Yes || !i.a.interactive() {
		return true
	}
	return i.a.ask("Write " + strings.Join(names, ", ") + "?")
}

// locks seals what has no lock yet, through seal itself.
func (i *initRun) locks() error {
	var todo []scanner.Target
	for _, t := range declaredOnly(i.r.Targets) {
		if held, is := i.held(t); is {
			i.result.Sealed = append(i.result.Sealed, held)
			continue
		}
		todo = append(todo, t)
	}
	if i.DryRun {
		i.pretend(todo)
		return nil
	}
	if len(todo) == 0 {
		return nil
	}
	return i.seal(todo)
}

// held is what is said of a target whose lock is there: init replaces none.
func (i *initRun) held(t scanner.Target) (finding.Sealed, bool) {
	out := finding.Sealed{Name: t.Name, Location: t.At(), File: scanner.LockFile(i.r.Repo, t), Launch: t.Launch.Digest, Findings: []finding.Finding{}}
	_, err := fs.Stat(i.r.store.FS(), out.File)
	switch {
	case t.Sealed():
		out.State, out.Surface, out.Tools = finding.SealSame, t.Lock.Entry.Surface(), len(t.Lock.Entry.Tools())
	case t.Lock != nil:
		out.State, out.Reason = finding.SealDiffers, "its lock holds another launch"
		out.Next = "toolwarrant seal " + scanner.Short(t.Launch.Digest)
	case err == nil:
		out.State, out.Reason = finding.SealDiffers, "a lock lies there that is not believed"
		out.Next = "toolwarrant seal " + scanner.Short(t.Launch.Digest)
	default:
		return out, false
	}
	return out, true
}

// pretend lists the locks that would be written.
func (i *initRun) pretend(todo []scanner.Target) {
	for _, t := range todo {
		i.result.Files = append(i.result.Files, finding.NewFile{Path: scanner.LockFile(i.r.Repo, t), State: finding.FilePlanned,
			Why: "after its start is approved: " + strings.Join(t.Command(), " ")})
	}
}

func (i *initRun) seal(todo []scanner.Target) error {
	o, done, err := i.options(i.a, i.r, i.Quiet)
	if err != nil {
		return err
	}
	record, err := i.a.approvals(i.r.root)
	if err != nil {
		return err
	}
	defer func() { _ = record.Close() }()
	s := &sealRun{sealCmd: &sealCmd{outputFlags: i.outputFlags, Yes: i.Yes}, a: i.a, r: i.r, o: o, approved: record}
	if err := s.all(todo); err != nil {
		return err
	}
	if err := i.waive(s); err != nil {
		return err
	}
	i.result.Sealed = append(i.result.Sealed, s.results...)
	return done()
}

// conclude takes the outcome from the locks and from what could not be read:
// files that were left out fail nothing.
func (i *initRun) conclude() {
	if len(i.result.Sealed) > 0 {
		sealing := finding.NewSealing(i.result.Sealed)
		i.result.Outcome, i.result.Sealed = sealing.Outcome, sealing.Sealed
	}
	for _, f := range append(i.result.Found.Invalid, i.result.Found.Unread...) {
		if f.Rule == "lock/invalid" || f.Outcome == finding.Undetermined {
			i.result.Outcome = i.result.Outcome.Worse(f.Outcome)
		}
	}
	i.result.ExitCode = exitCodes[i.result.Outcome]
	if i.DryRun {
		i.result.Next = append(i.result.Next, "toolwarrant init   does it, and asks before each start")
		return
	}
	unstarted := false
	for _, x := range i.result.Sealed {
		unstarted = unstarted || x.State == finding.SealRefused
	}
	if unstarted {
		i.result.Next = append(i.result.Next, "toolwarrant init --yes   approves every start; at a terminal init asks for each")
	}
	if added := i.added(); len(added) > 0 {
		i.result.Next = append(i.result.Next, "git add "+strings.Join(added, " ")+"   and review it like code")
	}
}

// added are the folder and the file in which something was written.
func (i *initRun) added() []string {
	var out []string
	for _, x := range i.result.Sealed {
		if x.State == finding.SealWritten {
			out = append(out, topFolder(x.File))
		}
	}
	for _, f := range i.result.Files {
		switch {
		case f.State != finding.FileWritten:
		case f.Path == workflowFile:
			out = append(out, f.Path)
		default:
			out = append(out, topFolder(f.Path))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func topFolder(dir string) string {
	first, _, _ := strings.Cut(dir, "/")
	return first
}

// isCommit reports whether text is the full id of a commit.
func isCommit(text string) bool {
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}

// until is the last day of a waiver that begins on a day.
func until(day string) (string, error) {
	last, err := daysAfter(day, 90)
	if err != nil {
		return "", fmt.Errorf("count days: %w", err)
	}
	return last, nil
}
