package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// packages is the resolver of packages for a run. It reads npm's configuration
// and opens the cache when the first launch needs them: most runs of most
// commands need neither.
type packages struct {
	open func() (*fetch.NPM, error)
	note func(string) // tells once what is weaker than it should be
}

func (p packages) Resolve(ctx context.Context, specs []fetch.Spec) (fetch.Tree, error) {
	n, err := p.open()
	if err != nil {
		return fetch.Tree{}, err
	}
	if weak := n.Note(); weak != "" {
		p.note(weak)
	}
	return n.Resolve(ctx, specs)
}

func (p packages) Install(ctx context.Context, t fetch.Tree) (fetch.Artifact, error) {
	n, err := p.open()
	if err != nil {
		return fetch.Artifact{}, err
	}
	return n.Install(ctx, t)
}

func (p packages) Node() (string, error) {
	n, err := p.open()
	if err != nil {
		return "", err
	}
	return n.Node()
}

// python is the same for packages of Python.
type python struct {
	open func() (*fetch.UV, error)
	note func(string)
}

func (p python) Resolve(ctx context.Context, asked []string) (fetch.Requirements, error) {
	u, err := p.open()
	if err != nil {
		return nil, err
	}
	if weak := u.Note(); weak != "" {
		p.note(weak)
	}
	return u.Resolve(ctx, asked)
}

func (p python) Install(ctx context.Context, r fetch.Requirements) (fetch.Environment, error) {
	u, err := p.open()
	if err != nil {
		return fetch.Environment{}, err
	}
	return u.Install(ctx, r)
}

func (f liveFlags) python(a *app, root string, permit fetch.Permit) scanner.Python {
	var told sync.Once
	open := sync.OnceValues(func() (*fetch.UV, error) {
		where, err := f.cacheFolders(a)
		if err != nil {
			return nil, err
		}
		return fetch.OpenUV(a.environ, fetch.Folders{Tarballs: where.tarballs, Trees: where.trees},
			fetch.ResolverOptions{PATH: a.getenv("PATH"), Forbidden: []string{root}, Permit: permit})
	})
	return python{open, func(text string) { told.Do(func() { a.note(text) }) }}
}

// packages is what a command resolves with: this user's and this machine's
// configuration of npm, and nothing of the repository at root.
func (f liveFlags) packages(a *app, root string, permit fetch.Permit) scanner.Packages {
	var told sync.Once
	open := sync.OnceValues(func() (*fetch.NPM, error) {
		where, err := f.cacheFolders(a)
		if err != nil {
			return nil, err
		}
		return fetch.OpenNPM(a.environ, fetch.Folders{Tarballs: where.tarballs, Trees: where.trees, NPM: where.npm},
			fetch.ResolverOptions{PATH: a.getenv("PATH"), Forbidden: []string{root}, Permit: permit})
	})
	return packages{open, func(text string) { told.Do(func() { a.note(text) }) }}
}

// cacheFolders are where packages are kept.
type cacheFolders struct{ tarballs, trees, npm string }

// cacheFolders lie in $XDG_CACHE_HOME/toolwarrant or ~/.cache/toolwarrant. Only
// tarballs, which are believed by their digest, may lie where --cache says: what
// a pipeline brings back from an earlier run is nobody's word. Where no folder of
// the user is known, the run has one of its own.
func (f liveFlags) cacheFolders(a *app) (cacheFolders, error) {
	dir := a.cacheDir()
	if dir == "" {
		temp, err := os.MkdirTemp("", "toolwarrant-cache-")
		if err != nil {
			return cacheFolders{}, fmt.Errorf("make a folder for packages: %w", err)
		}
		a.atEnd(func() { fetch.Discard(temp) })
		dir = temp
	}
	c := cacheFolders{filepath.Join(dir, "tarballs"), filepath.Join(dir, "trees"), filepath.Join(dir, "npm")}
	if os.Geteuid() == 0 && a.getenv("XDG_CACHE_HOME") == "" && closed(dir) {
		c.trees = rootTrees
	}
	if f.Cache != "" {
		c.tarballs = filepath.Join(a.abs(f.Cache), "tarballs")
	}
	return c, nil
}

// rootTrees is where root unpacks what servers run, who may be users of their own,
// where root's cache lies in a folder that nobody else may enter (Filesystem
// Hierarchy Standard 3.0, /var/cache).
const rootTrees = "/var/cache/toolwarrant/trees"

// closed reports whether a folder on the way to dir lets no other user in.
func closed(dir string) bool {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o001 == 0 {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// cacheDir is the user's cache folder (XDG Base Directory Specification 0.8),
// empty where none is known.
func (a *app) cacheDir() string {
	switch {
	case filepath.IsAbs(a.getenv("XDG_CACHE_HOME")):
		return filepath.Join(a.getenv("XDG_CACHE_HOME"), "toolwarrant")
	case filepath.IsAbs(a.getenv("HOME")):
		return filepath.Join(a.getenv("HOME"), ".cache", "toolwarrant")
	case filepath.IsAbs(a.getenv("LOCALAPPDATA")):
		return filepath.Join(a.getenv("LOCALAPPDATA"), "toolwarrant", "cache")
	}
	return ""
}

// permitted is what the policy of a tree lets our own requests reach beyond
// public addresses; nothing where there is none, or it cannot be read.
func permitted(fsys fs.FS) fetch.Permit {
	if fsys == nil {
		return nil
	}
	data, err := fs.ReadFile(fsys, policy.File)
	if err != nil {
		return nil
	}
	p, _ := policy.Parse(data, policy.File)
	if p.Broken() {
		return nil
	}
	return p.Network.Permits
}
