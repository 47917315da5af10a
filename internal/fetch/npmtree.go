package fetch

import (
	"maps"
	"slices"
	"strings"
)

// Tree is a resolved tree of npm packages: which version of which package lies
// in which folder, and the digest of its tarball.
type Tree struct {
	Root     map[string]string // what was asked: package to selector
	Packages []Package         // by path
}

// Package is one package of a tree.
type Package struct {
	Path      string // "node_modules/a/node_modules/b"
	Name      string // in the registry; differs from the folder's where a parent declares an alias
	Version   string
	Integrity string // "sha512-…"; empty for a package that its parent's tarball holds
	Bundled   bool   // its parent's tarball holds it
	Optional  bool   // the tree works without it
	Script    bool   // it has an install script, which is never run
	OS        []string
	CPU       []string
	Libc      []string

	resolved string // address that the registry gave; never stored
	needs    needs
}

// needs are what a package asks for, by package name.
type needs struct {
	Dependencies         map[string]string `json:"dependencies,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PeerDependencies     map[string]string `json:"peerDependencies,omitempty"`
	Bundle               []string          `json:"bundleDependencies,omitempty"`
}

// folder is the last name of a path: what a program asks for with require.
func folder(path string) string {
	return path[strings.LastIndex(path, nodeModules)+len(nodeModules):]
}

const nodeModules = "node_modules/"

// parent is the path of the package that holds this one's node_modules, empty
// for the root.
func parent(path string) string {
	i := strings.LastIndex(path, "/"+nodeModules)
	if i < 0 {
		return ""
	}
	return path[:i]
}

// at finds a package by its path.
func (t Tree) at(path string) (Package, bool) {
	i, ok := slices.BinarySearchFunc(t.Packages, path, func(p Package, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return Package{}, false
	}
	return t.Packages[i], true
}

// lookup finds what a package gets when it asks for a name, as Node does: in its
// own node_modules, then in those above.
func (t Tree) lookup(from, name string) (Package, bool) {
	for at := from; ; at = parent(at) {
		path := nodeModules + name
		if at != "" {
			path = at + "/" + path
		}
		if p, ok := t.at(path); ok {
			return p, true
		}
		if at == "" {
			return Package{}, false
		}
	}
}

// Main is the package that was asked for first by name, and InstallScripts are
// the paths of those whose scripts are not run.
func (t Tree) Main(name string) (Package, bool) { return t.at(nodeModules + name) }

// InstallScripts are the paths of packages with an install script, sorted.
func (t Tree) InstallScripts() []string {
	out := []string{}
	for _, p := range t.Packages {
		if p.Script {
			out = append(out, p.Path)
		}
	}
	return out
}

// Moves are the differences of two trees, each as a sorted list of lines.
type Moves struct {
	Added, Removed, Moved, Bytes []string
}

// Compare lists the packages that differ between two trees, by name and version:
// one that only lies in another folder is the same.
func Compare(old, new Tree) Moves {
	was, is := byName(old), byName(new)
	var m Moves
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		gone, come := minus(was[name], is[name]), minus(is[name], was[name])
		switch {
		case len(gone) > 0 && len(come) > 0:
			m.Moved = append(m.Moved, name+" "+strings.Join(gone, ", ")+" → "+strings.Join(come, ", "))
		case len(come) > 0:
			m.Added = append(m.Added, name+" "+strings.Join(come, ", "))
		case len(gone) > 0:
			m.Removed = append(m.Removed, name+" "+strings.Join(gone, ", "))
		}
		for _, version := range slices.Sorted(maps.Keys(was[name])) {
			if other, ok := is[name][version]; ok && other != was[name][version] {
				m.Bytes = append(m.Bytes, name+" "+version)
			}
		}
	}
	return m
}

// byName maps package and version to the integrity.
func byName(t Tree) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, p := range t.Packages {
		if out[p.Name] == nil {
			out[p.Name] = map[string]string{}
		}
		out[p.Name][p.Version] = p.Integrity
	}
	return out
}

func union[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func minus(a, b map[string]string) []string {
	var out []string
	for _, v := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[v]; !ok {
			out = append(out, v)
		}
	}
	return out
}
