package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/lockfile"
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
	l.File = a.fromRoot(file)
	return l, nil
}

// fromRoot is a path from the repository's root, as places are told; a path that
// lies elsewhere stays as it was typed.
func (a *app) fromRoot(file string) string {
	rel, err := filepath.Rel(findRoot(a.dir), a.abs(file))
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
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
		locks, err := scanner.LoadLocks(root.FS(), lockFolder(root.FS()))
		if folder := a.fromRoot(what); filepath.IsLocal(folder) {
			locks = below(folder, locks)
		}
		return locks, err
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

// below names locks by their path from the root instead of from a folder; those
// of a folder elsewhere keep their names in it.
func below(folder string, locks []scanner.Lock) []scanner.Lock {
	for i := range locks {
		locks[i].File = path.Join(folder, locks[i].File)
	}
	return locks
}

// lockFolder takes a repository for its folder of locks.
func lockFolder(fsys fs.FS) string {
	for _, dir := range []string{scanner.LockDir, path.Base(scanner.LockDir)} {
		if info, err := fs.Stat(fsys, dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return "."
}

func (a *app) locksAt(rev, name string) ([]scanner.Lock, error) {
	fsys, err := tree.Open(findRoot(a.dir), rev)
	if err != nil {
		return nil, usage("git log shows the revisions", "%v", err)
	}
	name = strings.Trim(filepath.ToSlash(filepath.Clean(name)), "/")
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, usage("", "%s has no %s", rev, name)
	case info.IsDir():
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			return nil, err
		}
		locks, err := scanner.LoadLocks(sub, lockFolder(sub))
		return below(name, locks), err
	}
	return []scanner.Lock{scanner.LoadLock(fsys, name)}, nil
}

// diffCmd compares locks.
type diffCmd struct {
	reportFlags
	Strict bool   `help:"Every change at warning or above counts as an escalation."`
	Old    string `arg:"" help:"A lock, a folder of locks, or REV:PATH."`
	New    string `arg:"" help:"The same, after."`
}

// Run starts nothing.
func (c *diffCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	old, oldPlugins, err := a.allLocks(c.Old)
	if err != nil {
		return 0, err
	}
	after, newPlugins, err := a.allLocks(c.New)
	if err != nil {
		return 0, err
	}
	if len(old)+len(after)+len(oldPlugins)+len(newPlugins) == 0 {
		return 0, usage("name a lock, a repository, its .toolwarrant folder, or REV:PATH of one", "neither %s nor %s holds a lock", c.Old, c.New)
	}
	return a.conclude(scanner.DiffPlugins(scanner.Diff(old, after, version), oldPlugins, newPlugins), c.Strict, c.outputFlags)
}

// showCmd reads a lock.
type showCmd struct {
	outputFlags
	Lock string `arg:"" help:"A lock file, or the name of a sealed server or plugin."`
}

// Run starts nothing. A lock that is not believed is an escalation.
func (c *showCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	if p, ok := c.plugin(a); ok && p.Invalid == nil {
		v := scanner.ShowPlugin(p)
		return finding.Clean, c.write(a, view{json: v, text: func(w io.Writer, s report.Style) error { return report.PluginLock(w, v, s) }})
	} else if ok {
		return a.conclude(scanner.Diff(nil, []scanner.Lock{p.Shown()}, version), false, c.outputFlags)
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

// plugin is the lock of a plugin of this repository, by its file or the plugin's
// name, where no server has that name.
func (c *showCmd) plugin(a *app) (scanner.PluginLock, bool) {
	r, err := a.openRepository()
	if err != nil {
		return scanner.PluginLock{}, false
	}
	defer r.close()
	file := a.fromRoot(c.Lock)
	for _, l := range r.PluginLocks {
		if l.File == file {
			return l, true
		}
	}
	for _, t := range r.Plugins {
		if t.Named(c.Lock) && t.Lock != nil && !r.seals(c.Lock) {
			return *t.Lock, true
		}
	}
	return scanner.PluginLock{}, false
}

// seals reports whether a lock is of a server with a name.
func (r *repository) seals(name string) bool {
	for _, l := range r.Locks {
		if l.Invalid == nil && l.Entry.Name == name {
			return true
		}
	}
	return false
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
		if l.Invalid == nil && l.Entry.Name == c.Lock || path.Base(l.File) == lockfile.FileName(c.Lock)+scanner.LockSuffix {
			return l, nil
		}
	}
	return scanner.Lock{}, usage("toolwarrant list shows what is sealed", "there is no lock %s", c.Lock)
}
