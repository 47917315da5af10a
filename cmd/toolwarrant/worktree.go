package main

import (
	"io/fs"
	"path/filepath"

	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// workTree makes the files on disk what is read and started.
func (r *repository) workTree(o *scanner.Options) {
	o.Head, o.Root, o.Locate = r.store.FS(), r.root, locator(r.root)
	o.Tracked, o.Staged = trackedNames(r.root)
}

// trackedNames are the tree of HEAD and the names of the index: which files of a
// work tree are the repository's. Without either, every file is.
func trackedNames(root string) (head fs.FS, staged []string) {
	repo, err := tree.OpenRepository(root)
	if err != nil || !sameFolder(repo.Root(), root) {
		return nil, nil
	}
	id, err := repo.Head()
	if err != nil {
		return nil, nil
	}
	fsys, err := repo.Tree(id)
	if err != nil {
		return nil, nil
	}
	if staged, err = repo.Staged(); err != nil {
		return nil, nil
	}
	return fsys, staged
}

// locator finds the names that absolute paths have in a tree. A path is taken as
// it is written, so that a link on its way is seen and compared; only one that
// enters the tree by a link of the machine (/tmp is one on macOS) is resolved.
func locator(root string) func(string) (string, bool) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	return func(name string) (string, bool) {
		for _, pair := range [][2]string{{root, name}, {real, name}, {real, resolved(name)}} {
			if in, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(in) {
				return filepath.ToSlash(in), true
			}
		}
		return "", false
	}
}

// resolved follows links; what is not there is left as it is.
func resolved(name string) string {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		return to
	}
	return name
}
