package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// allLocks are the locks at a place that the user named, those of plugins apart.
func (a *app) allLocks(what string) ([]scanner.Lock, []scanner.PluginLock, error) {
	servers, err := a.loadLocks(what)
	if err != nil {
		return nil, nil, err
	}
	fsys, name, done, err := a.lockPlace(what)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	var plugins []scanner.PluginLock
	if info, err := fs.Stat(fsys, name); err == nil && !info.IsDir() {
		plugins = []scanner.PluginLock{scanner.LoadPluginLock(fsys, name)}
	} else if plugins, err = scanner.LoadPluginLocks(fsys, pluginFolder(fsys, name)); err != nil {
		return nil, nil, err
	}
	servers, plugins = apart(servers, plugins)
	if folder := a.fromRoot(what); filepath.IsLocal(folder) && !strings.Contains(what, ":") {
		for i := range plugins {
			if plugins[i].File != "" && name == "." {
				plugins[i].File = path.Join(folder, plugins[i].File)
			} else {
				plugins[i].File = folder
			}
		}
	}
	return servers, plugins, nil
}

// lockPlace opens what the user named: a folder as ".", a file by its name, and what
// stands behind a revision by its path there.
func (a *app) lockPlace(what string) (fsys fs.FS, name string, done func(), err error) {
	info, err := os.Stat(a.abs(what))
	if err == nil {
		dir, name := a.abs(what), "."
		if !info.IsDir() {
			dir, name = filepath.Dir(dir), filepath.Base(dir)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, "", nil, fmt.Errorf("open %s: %w", what, err)
		}
		return root.FS(), name, func() { _ = root.Close() }, nil
	}
	rev, at, _ := strings.Cut(what, ":")
	if fsys, err = tree.Open(findRoot(a.dir), rev); err != nil {
		return nil, "", nil, usage("git log shows the revisions", "%v", err)
	}
	return fsys, strings.Trim(filepath.ToSlash(filepath.Clean(at)), "/"), func() {}, nil
}

// pluginFolder takes a repository, or its .toolwarrant, for the folder of the locks.
func pluginFolder(fsys fs.FS, name string) string {
	for _, dir := range []string{scanner.PluginDir, path.Base(scanner.PluginDir)} {
		if info, err := fs.Stat(fsys, path.Join(name, dir)); err == nil && info.IsDir() {
			return path.Join(name, dir)
		}
	}
	return name
}

// apart takes what is a believed lock of the one kind out of the other. What is
// neither is told once, where it lies.
func apart(servers []scanner.Lock, plugins []scanner.PluginLock) ([]scanner.Lock, []scanner.PluginLock) {
	base := func(l scanner.PluginLock) string { return path.Base(l.File) }
	servers = slices.DeleteFunc(servers, func(s scanner.Lock) bool {
		return s.Invalid != nil && slices.ContainsFunc(plugins, func(p scanner.PluginLock) bool {
			return base(p) == path.Base(s.File) && (p.Invalid == nil || strings.Contains(p.File, path.Base(scanner.PluginDir)+"/"))
		})
	})
	plugins = slices.DeleteFunc(plugins, func(p scanner.PluginLock) bool {
		return p.Invalid != nil && slices.ContainsFunc(servers, func(s scanner.Lock) bool { return path.Base(s.File) == base(p) })
	})
	return servers, plugins
}
