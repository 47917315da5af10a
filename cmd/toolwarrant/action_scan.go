package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/action"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// scanRole is the scanner of the action: it judges what the order names, and
// writes a report on descriptor 4. It has no token, and an environment of a few
// variables.
func scanRole() int {
	var o action.ScanOrder
	if action.Ordered(&o) != nil {
		return exitUnexpected
	}
	a := &app{ctx: context.Background(), stdin: os.Stdin, stdout: os.Stderr, stderr: os.Stderr, environ: os.Environ(), dir: o.Root}
	data, err := a.judge(o)
	for _, end := range a.ends {
		end()
	}
	if err != nil {
		a.complain(err)
		return codeOf(0, err)
	}
	out := os.NewFile(4, "report")
	if _, err := out.Write(data); err != nil || out.Close() != nil {
		return exitUnexpected
	}
	return exitClean
}

// judge scans as the order says.
func (a *app) judge(o action.ScanOrder) ([]byte, error) {
	options, err := a.ordered(o)
	if err != nil {
		return nil, err
	}
	limit, err := time.ParseDuration(o.Timeout)
	if err != nil || limit <= 0 {
		return nil, usage("as 90s or 15m", "the input timeout is no length of time")
	}
	ctx, cancel := context.WithTimeout(a.ctx, limit)
	defer cancel()
	r, err := scanner.Scan(ctx, options)
	if err != nil {
		return nil, err
	}
	r.Part = options.Part
	if o.Strict {
		r = scanner.Strict(r)
	}
	return encoded(r)
}

// ordered turns an order into what the scanner works with: head and anchor are git
// objects, and nothing of the work tree is read.
func (a *app) ordered(o action.ScanOrder) (scanner.Options, error) {
	repo, err := tree.OpenRepository(o.Root)
	if err != nil || !sameFolder(repo.Root(), o.Root) {
		return scanner.Options{}, errors.New("the checkout is no git repository that can be read")
	}
	head, err := repo.Tree(o.Head)
	if err != nil {
		return scanner.Options{}, errors.New("the commit that is checked out cannot be read")
	}
	lender := action.NewLender()
	anchor, err := commitOf(repo, lender, o, o.Anchor)
	if err != nil {
		return scanner.Options{}, err
	}
	out := scanner.Options{
		Head: head, Tracked: head, WriteOut: writeOut, Attributes: tree.Attributes, SameRepository: o.SameRepository,
		Anchor: scanner.Anchor{Kind: o.Kind, Commit: o.Anchor, FS: anchor, Change: o.Change},
		Live:   scanCmd{Live: o.Live}.mode(o.Change), Date: a.date(""), Inputs: o.Inputs, InputsAt: inputsAt(head, o.InputsAt),
		Environment: inspect.EnvOptions{Parent: a.environ}, Tool: version, Progress: a.progress(false),
		Confine: a.verified(sandbox.Profile(o.Sandbox), o.Guarded), Limits: inspect.Limits{},
	}
	if o.Tip != "" {
		if out.Tip, err = commitOf(repo, lender, o, o.Tip); err != nil {
			return scanner.Options{}, err
		}
	}
	if o.Change && o.InputsAt != "" && edited(anchor, head, o.InputsAt) {
		a.note("the change edits the workflow: the inputs path and live are left out")
		o.Path = "."
		if o.Static == "" {
			out.Live = scanCmd{}.mode(o.Change)
		}
	}
	if o.Static == "" { // else nothing is fetched either
		f, permit := liveFlags{}, permitted(anchor)
		out.Packages, out.Python = f.packages(a, o.Root, permit), f.python(a, o.Root, permit)
		out.Images = fetch.Engines{PATH: a.getenv("PATH"), Forbidden: []string{o.Root}, Environ: a.environ}
	}
	if part := filepath.ToSlash(filepath.Clean(o.Path)); part != "." {
		if info, err := fs.Stat(head, part); err != nil || !info.IsDir() {
			return out, usage("", "the input path names no folder of the checkout")
		}
		out.Part = part
		out.Only = func(t scanner.Target) bool { return within(t, part) }
	}
	return out, nil
}

// edited reports whether a file differs between two trees, or cannot be read.
func edited(x, y fs.FS, name string) bool {
	a, err1 := fs.ReadFile(x, name)
	b, err2 := fs.ReadFile(y, name)
	return err1 != nil || err2 != nil || !bytes.Equal(a, b)
}

// commitOf is the tree of a commit, which may lie in a store of its own, or be lent
// by the conductor.
func commitOf(repo *tree.Repository, l *action.Lender, o action.ScanOrder, id string) (fs.FS, error) {
	if slices.Contains(o.Lent, id) {
		return l.Tree(id), nil
	}
	if store := o.Stores[id]; store != "" {
		repo = repo.Borrow(store)
	}
	fsys, err := repo.Tree(id)
	if err != nil {
		return nil, errors.New("the commit to compare with cannot be read")
	}
	return fsys, nil
}

// inputsAt is the workflow that sets the inputs, where the head has it.
func inputsAt(head fs.FS, name string) finding.Location {
	if name != "" {
		if info, err := fs.Stat(head, name); err == nil && !info.IsDir() {
			return finding.At(name, 1, 1)
		}
	}
	return finding.Location{}
}

// verified is the profile that confines servers, once a program under it has tried
// to reach the runner's places and failed.
func (a *app) verified(wanted sandbox.Profile, guarded []sandbox.Guarded) func() (sandbox.Profile, string) {
	choose := a.confinement(wanted)
	return sync.OnceValues(func() (sandbox.Profile, string) {
		p, why := choose()
		if why != "" || p == sandbox.None { // none is what tests of this program ask for, and no input can
			return p, why
		}
		if reached := sandbox.Verify(p, guarded); reached != "" {
			return "", "the sandbox does not hold on this runner: " + reached
		}
		return p, ""
	})
}
