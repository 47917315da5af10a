package scanner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
)

// unbuilt are the roots of the code that need packages which are not there.
func (c code) unbuilt(fsys fs.FS) []string {
	var out []string
	for _, root := range c.roots {
		data, err := fs.ReadFile(fsys, path.Join(root, "package.json"))
		if err != nil {
			continue
		}
		var p struct{ Dependencies map[string]json.RawMessage }
		if canon.Guard(data, canon.MaxDepth) != nil || json.Unmarshal(data, &p) != nil {
			out = append(out, root)
			continue
		}
		if info, err := fs.Stat(fsys, path.Join(root, "node_modules")); len(p.Dependencies) > 0 && (err != nil || !info.IsDir()) {
			out = append(out, root)
		}
	}
	return out
}

// needsBuild says why the code of a target cannot run as it is, empty where it can:
// it is all there, or it runs from git objects beside a lock that its packages are
// taken from.
func (o Options) needsBuild(t Target) string {
	c := o.codeOf(t)
	if len(c.named) == 0 {
		return ""
	}
	for _, root := range c.unbuilt(o.Head) {
		if !o.builds(t) {
			return "its repository code needs packages that are not installed"
		}
		if _, err := o.project(root); err != nil {
			return "its repository code needs packages, which its package-lock.json does not fix: " + err.Error()
		}
	}
	return ""
}

// builds reports whether packages can be laid beside the code of a target: where it
// is written out into a folder of ours.
func (o Options) builds(t Target) bool {
	return o.Root == "" && o.WriteOut != nil && o.Packages != nil && len(t.Declared) > 0 && t.Declared[0].Base == ""
}

// Reasons why the lock of a project is not used.
var (
	errNoLock    = errors.New("there is none")
	errOtherLock = errors.New("it is not the base's")
)

// project is what the package-lock.json of a root fixes. On a change that is the
// base's.
func (o Options) project(root string) (fetch.Tree, error) {
	file := path.Join(root, "package-lock.json")
	lock, err := fs.ReadFile(o.Head, file)
	if err != nil {
		return fetch.Tree{}, errNoLock
	}
	if o.Anchor.Change {
		if o.Anchor.FS == nil {
			return fetch.Tree{}, errOtherLock
		}
		if base, err := fs.ReadFile(o.Anchor.FS, file); err != nil || !bytes.Equal(base, lock) {
			return fetch.Tree{}, errOtherLock
		}
	}
	manifest, err := fs.ReadFile(o.Head, path.Join(root, "package.json"))
	if err != nil {
		return fetch.Tree{}, errNoLock
	}
	return fetch.ParseProject(lock, manifest)
}

// lay puts verified packages beside the code that was written out for a target,
// and returns the folders in which they lie.
func (o Options) lay(ctx context.Context, t Target, at place) (read []string, err error) {
	if !o.builds(t) {
		return nil, nil
	}
	c := o.codeOf(t)
	if len(c.named) == 0 {
		return nil, nil
	}
	for _, root := range c.unbuilt(o.Head) {
		tree, err := o.project(root)
		if err != nil { // told before a start
			return nil, err
		}
		a, err := o.Packages.Install(ctx, tree)
		if err != nil {
			return nil, err
		}
		if err := a.Lend(filepath.Join(at.root, filepath.FromSlash(root))); err != nil {
			return nil, err
		}
		read = append(read, a.Dir())
	}
	return read, nil
}
