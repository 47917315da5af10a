package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// loadLock reads one lock file that the user named.
func (a *app) loadLock(file string) (scanner.Lock, error) {
	abs := a.abs(file)
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) {
		return scanner.Lock{}, usage("toolwarrant list shows the locks of this repository", "there is no lock %s", file)
	}
	root, err := os.OpenRoot(filepath.Dir(abs))
	if err != nil {
		return scanner.Lock{}, fmt.Errorf("open the folder of %s: %w", file, err)
	}
	defer func() { _ = root.Close() }()
	l := scanner.LoadLock(root.FS(), filepath.Base(abs))
	l.File = filepath.ToSlash(file)
	return l, nil
}

// loadLocks reads a lock, a folder of locks, or either at a revision, as
// REV:PATH.
func (a *app) loadLocks(what string) ([]scanner.Lock, error) {
	info, err := os.Stat(a.abs(what))
	switch {
	case err == nil && info.IsDir():
		root, err := os.OpenRoot(a.abs(what))
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", what, err)
		}
		defer func() { _ = root.Close() }()
		return scanner.LoadLocks(root.FS(), lockFolder(root.FS()))
	case err == nil:
		l, err := a.loadLock(what)
		return []scanner.Lock{l}, err
	}
	rev, path, ok := strings.Cut(what, ":")
	if !ok {
		return nil, usage("a lock, a folder of locks, or REV:PATH", "there is no %s", what)
	}
	return a.locksAt(rev, path)
}

// lockFolder takes a repository for its folder of locks.
func lockFolder(fsys fs.FS) string {
	if info, err := fs.Stat(fsys, scanner.LockDir); err == nil && info.IsDir() {
		return scanner.LockDir
	}
	return "."
}

func (a *app) locksAt(rev, path string) ([]scanner.Lock, error) {
	fsys, err := tree.Open(findRoot(a.dir), rev)
	if err != nil {
		return nil, usage("git log shows the revisions", "%v", err)
	}
	path = strings.Trim(filepath.ToSlash(filepath.Clean(path)), "/")
	info, err := fs.Stat(fsys, path)
	switch {
	case err != nil:
		return nil, usage("", "%s has no %s", rev, path)
	case info.IsDir():
		sub, err := fs.Sub(fsys, path)
		if err != nil {
			return nil, err
		}
		return scanner.LoadLocks(sub, lockFolder(sub))
	}
	return []scanner.Lock{scanner.LoadLock(fsys, path)}, nil
}

// diffCmd compares locks.
type diffCmd struct {
	outputFlags
	Strict bool   `help:"Every change at warning or above counts as an escalation."`
	Old    string `arg:"" help:"A lock, a folder of locks, or REV:PATH."`
	New    string `arg:"" help:"The same, after."`
}

// Run starts nothing.
func (c *diffCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	old, err := a.loadLocks(c.Old)
	if err != nil {
		return 0, err
	}
	after, err := a.loadLocks(c.New)
	if err != nil {
		return 0, err
	}
	return a.conclude(scanner.Diff(old, after, version), c.Strict, c.outputFlags)
}

// showCmd reads a lock.
type showCmd struct {
	outputFlags
	Lock string `arg:"" help:"A lock file, or the name of a sealed server."`
}

// Run starts nothing. A lock that is not believed is an escalation.
func (c *showCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	l, err := c.find(a)
	if err != nil {
		return 0, err
	}
	if l.Invalid != nil {
		return a.conclude(scanner.Diff(nil, []scanner.Lock{l}, version), false, c.outputFlags)
	}
	v := scanner.Show(l)
	return finding.Clean, c.write(a, view{json: v, text: func(w io.Writer, s report.Style) error { return report.Lock(w, v, s) }})
}

func (c *showCmd) find(a *app) (scanner.Lock, error) {
	if _, err := os.Lstat(a.abs(c.Lock)); err == nil {
		return a.loadLock(c.Lock)
	}
	r, err := a.openRepository()
	if err != nil {
		return scanner.Lock{}, err
	}
	defer r.close()
	for _, l := range r.Locks {
		if l.Entry.Name == c.Lock && l.Invalid == nil {
			return l, nil
		}
	}
	return scanner.Lock{}, usage("toolwarrant list shows what is sealed", "there is no lock %s", c.Lock)
}
