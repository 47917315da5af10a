package tree

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
)

// Equal reports whether a name leads to the same bytes and modes in two trees: by
// id, without reading them. A name that one of them lacks, or that cannot be
// looked up, is equal to nothing. What links inside a folder lead to outside of it
// is not compared; [WriteOut] refuses such links.
func Equal(a, b *FS, name string) bool {
	if a == nil || b == nil {
		return false
	}
	m, errA := a.find("id", name, true)
	n, errB := b.find("id", name, true)
	return errA == nil && errB == nil && m.id == n.id && m.kind == n.kind
}

// WalkChanged calls visit with every file, link and submodule that differs between
// two trees in bytes or mode, or that one of them lacks, in the order of names. A
// nil tree is an empty one. Folders with equal ids are not read, so that the work
// is that of what changed. It stops at a folder that cannot be read: what follows
// is not known to be equal.
func WalkChanged(a, b *FS, visit func(name string)) error {
	w := comparison{a, b, visit}
	var old, after *entry
	if a != nil {
		old = &entry{".", folder, a.root}
	}
	if b != nil {
		after = &entry{".", folder, b.root}
	}
	return w.pair(".", old, after)
}

type comparison struct {
	a, b  *FS
	visit func(name string)
}

// pair compares what two trees have under one name; nil for one that lacks it.
func (w comparison) pair(name string, old, after *entry) error {
	if old != nil && after != nil && old.id == after.id && old.kind == after.kind {
		return nil
	}
	if isFile(old) || isFile(after) {
		w.visit(name)
	}
	m, err := children(w.a, old)
	n, errAfter := children(w.b, after)
	if err = errors.Join(err, errAfter); err != nil {
		return &fs.PathError{Op: "compare", Path: name, Err: err}
	}
	return w.merge(name, m, n)
}

// merge goes through two sorted folders at once.
func (w comparison) merge(dir string, m, n []entry) error {
	for len(m) > 0 || len(n) > 0 {
		var old, after *entry
		order := first(m, n)
		if order <= 0 {
			old, m = &m[0], m[1:]
		}
		if order >= 0 {
			after, n = &n[0], n[1:]
		}
		if err := w.pair(path.Join(dir, cmp.Or(old, after).name), old, after); err != nil {
			return err
		}
	}
	return nil
}

// first says which of two sorted lists, not both empty, has the first name.
func first(m, n []entry) int {
	switch {
	case len(n) == 0:
		return -1
	case len(m) == 0:
		return 1
	}
	return byName(m[0], n[0])
}

func isFile(e *entry) bool { return e != nil && e.kind != folder }

func children(f *FS, e *entry) ([]entry, error) {
	if e == nil || e.kind != folder {
		return nil, nil
	}
	return f.repo.folder(e.id)
}
