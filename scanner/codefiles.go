package scanner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// The most repository code that is looked at.
const (
	maxCodeFiles = 20000
	maxCodeBytes = 256 << 20
)

// errTooMuchCode says that repository code exceeds the bounds.
var errTooMuchCode = errors.New("more repository code than is looked at")

// tracked says which names of a work tree are the repository's: a person's also
// holds what was built and installed there. Without it every file counts.
type tracked struct {
	tree   fs.FS    // of HEAD
	staged []string // names of the index
}

// committed tells names of the repository from what was put beside them. In a
// work tree of which nothing is known no name counts as the repository's.
func (by tracked) committed(fsys fs.FS) func(name string) bool {
	if by.tree == nil {
		_, objects := fsys.(interface{ ID(string) (string, bool) })
		return func(string) bool { return objects }
	}
	return func(name string) bool {
		_, err := fs.Lstat(by.tree, name)
		return err == nil || slices.Contains(by.staged, name)
	}
}

// gatherer collects the files of some code.
type gatherer struct {
	fsys fs.FS
	by   tracked
	set  map[string]bool
	done map[string]bool // folders
}

// files lists the files of the code that lie in a tree.
func (c code) files(fsys fs.FS, by tracked) ([]string, error) {
	g := gatherer{fsys, by, map[string]bool{}, map[string]bool{}}
	for _, name := range slices.Concat(c.named, c.resolver) {
		g.set[name] = true
	}
	from := by.tree
	if from == nil {
		from = fsys
	}
	for _, root := range c.roots {
		if err := g.folder(from, root); err != nil {
			return nil, err
		}
		for _, name := range by.staged {
			if root == "." || strings.HasPrefix(name, root+"/") {
				if err := g.add(name); err != nil {
					return nil, err
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(g.set)), nil
}

func (g *gatherer) folder(from fs.FS, root string) error {
	if g.done[root] {
		return nil
	}
	g.done[root] = true
	return fs.WalkDir(from, root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || name == ".toolwarrant" || g.by.tree == nil && d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if err := g.add(name); err != nil {
			return err
		}
		return g.beyond(from, name, d)
	})
}

// beyond follows a link inside the tree, and a submodule to its files on disk.
func (g *gatherer) beyond(from fs.FS, name string, d fs.DirEntry) error {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		switch to := resolveLinks(g.fsys, name); {
		case kindOf(g.fsys, to) == plainFolder:
			return g.folder(from, to)
		case to != "":
			return g.add(to)
		}
	case d.Type()&fs.ModeIrregular != 0 && kindOf(g.fsys, name) == plainFolder:
		return g.folder(g.fsys, name)
	}
	return nil
}

func (g *gatherer) add(name string) error {
	if manifest.Claims(name) {
		return nil // a configuration is judged by itself
	}
	if len(g.set) >= maxCodeFiles {
		return errTooMuchCode
	}
	g.set[name] = true
	return nil
}

// digest covers the code and the plain literals that a launch binds: the digest
// of sorted lines "sha256 path" and "literal NAME VALUE".
func (c code) digest(fsys fs.FS, by tracked, l manifest.Launch) (string, error) {
	names, err := c.files(fsys, by)
	if err != nil {
		return "", err
	}
	var lines []string
	budget := int64(maxCodeBytes)
	for _, name := range names {
		data, err := c.read(fsys, name, &budget)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(data)
		lines = append(lines, hex.EncodeToString(sum[:])+" "+name)
	}
	for _, b := range l.Env {
		if v := b.Value.Reveal(); b.Literal && !secret.LooksSecret(b.Name, v) { // others are replaced before a start
			lines = append(lines, "literal "+b.Name+" "+v)
		}
	}
	return canon.Digest(canon.Code, []byte(strings.Join(lines, "\n"))), nil
}

// read is the part of a file that decides: of a package.json beside a fetched
// package only what can redirect that package.
func (c code) read(fsys fs.FS, name string, budget *int64) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []byte("absent"), nil
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w", name, err)
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := fs.ReadLink(fsys, name)
		return []byte("link " + to), err
	case !info.Mode().IsRegular():
		return []byte("submodule " + idOf(fsys, name)), nil
	}
	if *budget -= info.Size(); *budget < 0 {
		return nil, errTooMuchCode
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return c.decisive(name, data), nil
}

func (c code) decisive(name string, data []byte) []byte {
	if !slices.Contains(c.resolver, name) || slices.Contains(c.named, name) || len(c.pkgs) != 1 || c.pkgs[0] == "" {
		return data
	}
	switch path.Base(name) {
	case "package.json":
		if !strings.Contains(name, "node_modules/") {
			return redirects(data, c.pkgs[0])
		}
	case "package-lock.json":
		if !bytes.Contains(data, []byte(`"node_modules/`+c.pkgs[0]+`"`)) {
			return nil
		}
	}
	return data
}

// redirects is what a package.json says about one package: a dependency or bin
// of its name, overrides and workspaces. What cannot be parsed counts whole.
func redirects(data []byte, pkg string) []byte {
	var all map[string]json.RawMessage
	if canon.Guard(data, canon.MaxDepth) != nil || json.Unmarshal(data, &all) != nil {
		return data
	}
	out := map[string]any{}
	for _, name := range []string{"overrides", "resolutions", "workspaces", "pnpm"} {
		if all[name] != nil {
			out[name] = all[name]
		}
	}
	for _, name := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "bin"} {
		var deps map[string]json.RawMessage
		if json.Unmarshal(all[name], &deps) == nil && deps[pkg] != nil {
			out[name] = deps[pkg]
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return data
	}
	return text
}

// changed lists the files of the code that differ between the anchor and the
// head, and those that only one of them has.
func (c code) changed(anchor, head fs.FS, by tracked) ([]string, error) {
	if anchor == nil || c.sameByID(anchor, head) {
		return nil, nil
	}
	mine, err := c.files(head, by)
	if err != nil {
		return nil, err
	}
	theirs, err := c.files(anchor, tracked{})
	if err != nil {
		return nil, err
	}
	names := slices.Concat(mine, theirs)
	slices.Sort(names)
	var out []string
	ours, others := int64(maxCodeBytes), int64(maxCodeBytes)
	for _, name := range slices.Compact(names) {
		if sameID(anchor, head, name) && !isLink(head, name) {
			continue
		}
		a, err := c.read(anchor, name, &others)
		if err != nil {
			return nil, err
		}
		h, err := c.read(head, name, &ours)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(a, h) {
			out = append(out, name)
		}
	}
	return out, nil
}

func isLink(fsys fs.FS, name string) bool {
	info, err := fs.Lstat(fsys, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// sameByID reports whether the whole trees are the same to git.
func (c code) sameByID(anchor, head fs.FS) bool { return sameID(anchor, head, ".") }

// idOf is git's own digest of a name, where the tree knows it.
func idOf(fsys fs.FS, name string) string {
	if known, ok := fsys.(interface{ ID(string) (string, bool) }); ok {
		id, _ := known.ID(name)
		return id
	}
	return ""
}

// sameID compares git's own digests where both trees know them.
func sameID(a, b fs.FS, name string) bool {
	id := idOf(a, name)
	return id != "" && id == idOf(b, name)
}
