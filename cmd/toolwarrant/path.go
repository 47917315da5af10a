package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keepOutOf takes the folders of a checkout out of PATH in a pipeline: an earlier
// step may have put them there, and what lies in them is the change's to choose,
// a git of its own too. On a command line PATH is the user's word.
func (a *app) keepOutOf(root string) {
	if a.getenv("CI") == "" {
		return
	}
	list := filepath.SplitList(a.getenv("PATH"))
	outside := slices.DeleteFunc(slices.Clone(list), func(dir string) bool { return !filepath.IsAbs(dir) || leadsInto(dir, root) })
	if len(outside) == len(list) {
		return
	}
	a.note("what PATH names in the checkout, or by no whole path, is left out")
	path := "PATH=" + strings.Join(outside, string(filepath.ListSeparator))
	a.environ = append(slices.DeleteFunc(slices.Clone(a.environ), func(e string) bool { return strings.HasPrefix(e, "PATH=") }), path)
	_ = os.Setenv("PATH", strings.TrimPrefix(path, "PATH=")) // git is looked up there
}

// leadsInto reports whether a path lies in a folder, as it is written or where it
// leads.
func leadsInto(name, folder string) bool {
	for _, at := range []string{name, resolvedPath(name)} {
		for _, root := range []string{folder, resolvedPath(folder)} {
			if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// resolvedPath is where a path leads; itself where it leads nowhere.
func resolvedPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}
