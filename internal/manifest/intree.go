package manifest

import (
	"io/fs"
	"path"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Tree is what lies around declarations, as the launchers that they name read
// it: configuration, locks, copies of packages. It remembers what it has read;
// one goroutine at a time uses it.
type Tree struct {
	fsys      fs.FS
	committed func(name string) bool
	kept      map[string]parsed
	there     map[string]bool
	folders   map[string]map[string][]string
}

// NewTree looks into fsys, which must refuse links that lead out of it.
// committed says whether a name below node_modules is the repository's own; in a
// person's work tree the others are what an installation put there.
func NewTree(fsys fs.FS, committed func(name string) bool) *Tree {
	return &Tree{fsys: fsys, committed: committed, kept: map[string]parsed{}, there: map[string]bool{}, folders: map[string]map[string][]string{}}
}

// parsed is a file that was read once.
type parsed struct {
	root    node
	problem *finding.Finding
}

// read parses a file that is there.
func (t *Tree) read(name string, parse syntax) parsed {
	if p, ok := t.kept[name]; ok {
		return p
	}
	var p parsed
	data, problem := load(t.fsys, name)
	if problem == nil {
		var doc document
		doc, problem = parse(name, data)
		p.root = doc.root
	}
	p.problem = problem
	t.kept[name] = p
	return p
}

// has reports whether there is anything of a name, a link that leads nowhere
// included: a client may not care.
func (t *Tree) has(name string) bool {
	if known, ok := t.there[name]; ok {
		return known
	}
	there := false
	if fs.ValidPath(name) {
		_, err := fs.Lstat(t.fsys, name)
		there = err == nil
	}
	t.there[name] = there
	return there
}

// named lists the files of a folder that file systems which fold names take for
// one of a resolver's files, by that file's own name.
func (t *Tree) named(dir string) map[string][]string {
	if known, ok := t.folders[dir]; ok {
		return known
	}
	out := map[string][]string{}
	list, _ := fs.ReadDir(t.fsys, dir) // a folder that cannot be listed is told by Find
	for _, d := range list {
		for _, f := range resolverFormats {
			if sameName(d.Name(), f.name) && !d.IsDir() {
				out[f.name] = append(out[f.name], path.Join(dir, d.Name()))
			}
		}
	}
	t.folders[dir] = out
	return out
}

// Entry returns an entry with what the tree around it adds: a pin that a lock of
// the tree decides, and findings about configuration that the launcher reads
// there. base is the folder in which a host starts the server.
func (t *Tree) Entry(base string, e Entry) Entry {
	c := e.Launch.Command()
	if e.Pin = t.pin(base, c); e.Pin == "lockfile" {
		e.Findings = slices.DeleteFunc(slices.Clone(e.Findings), func(f finding.Finding) bool { return f.Rule == "launch/floating-minor" })
	}
	for _, f := range t.ResolverConfig(base, c) {
		f.Target = e.Name.Value
		e.Findings = append(slices.Clip(e.Findings), f)
	}
	return e
}

// Pin is the pin of a launch that is declared in the tree: "lockfile" where a
// lock there says what runs, else that of its words. A package of npm that is
// named without a version is what the project's lock holds if the project
// depends on it; "uv run" and "deno run" follow their lock if they are told to.
func (t *Tree) Pin(base string, l Launch) string { return t.pin(base, l.Command()) }

func (t *Tree) pin(base string, c Command) string {
	locked := false
	switch p, only := c.Only(); {
	case c.Why != "":
	case c.Frozen && c.Launcher == "uv run" && c.Pin == "local":
		locked = t.above(path.Join(base, c.Folder), "uv.lock")
	case c.Frozen && c.Launcher == "deno run" && only:
		locked = t.above(base, "deno.lock")
	case only && p.Ecosystem == "npm" && p.Spec == "" && c.Pin == "floating" && (c.Launcher == "npx" || c.Launcher == "npm exec" || c.Launcher == "bunx"):
		locked = slices.ContainsFunc(foldersAbove(base), func(dir string) bool { return t.depends(dir, p.Name) && t.above(dir, npmLocks...) })
	}
	if locked {
		return "lockfile"
	}
	return c.Pin
}

// foldersAbove lists a folder and those above it, up to the root of the tree.
func foldersAbove(dir string) []string {
	var out []string
	for dir = path.Clean(dir); fs.ValidPath(dir); dir = path.Dir(dir) {
		if out = append(out, dir); dir == "." {
			break
		}
	}
	return out
}

// above reports whether one of the names is in a folder or above it.
func (t *Tree) above(dir string, names ...string) bool {
	return slices.ContainsFunc(foldersAbove(dir), func(dir string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return t.has(path.Join(dir, name)) })
	})
}

// npmLocks are the locks of the package managers that read package.json.
var npmLocks = []string{"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

// depends reports whether the package.json of a folder names a dependency.
func (t *Tree) depends(dir, name string) bool {
	file := path.Join(dir, "package.json")
	if !t.has(file) {
		return false
	}
	root := t.read(file, parseJSON).root
	for _, list := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		if _, ok := root.child(list).get(name); ok {
			return true
		}
	}
	return false
}
