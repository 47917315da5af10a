package manifest

import (
	"io/fs"
	"path"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
)

// InTree returns an entry with what the tree around it adds: a pin that a lock
// of the tree decides, and findings about configuration that the launcher reads
// there. base is the folder in which a host starts the server, committed as for
// [ResolverConfig].
func InTree(fsys fs.FS, base string, committed func(string) bool, e Entry) Entry {
	c := e.Launch.Command()
	if e.Pin = pinIn(fsys, base, c); e.Pin == "lockfile" {
		e.Findings = slices.DeleteFunc(slices.Clone(e.Findings), func(f finding.Finding) bool { return f.Rule == "launch/floating-minor" })
	}
	for _, f := range ResolverConfig(fsys, base, committed, c) {
		f.Target = e.Name.Value
		e.Findings = append(slices.Clip(e.Findings), f)
	}
	return e
}

// PinIn is the pin of a launch that is declared in a tree: "lockfile" where a
// lock there says what runs, else that of its words. A package of npm that is
// named without a version is what the project's lock holds if the project
// depends on it; "uv run" and "deno run" follow their lock if they are told to.
func PinIn(fsys fs.FS, base string, l Launch) string { return pinIn(fsys, base, l.Command()) }

func pinIn(fsys fs.FS, base string, c Command) string {
	locked := false
	switch p, only := c.Only(); {
	case c.Why != "":
	case c.Frozen && c.Launcher == "uv run" && c.Pin == "local":
		locked = above(path.Join(base, c.Folder), func(dir string) bool { return isFile(fsys, dir, "uv.lock") })
	case c.Frozen && c.Launcher == "deno run" && only:
		locked = above(base, func(dir string) bool { return isFile(fsys, dir, "deno.lock") })
	case only && p.Ecosystem == "npm" && p.Spec == "" && c.Pin == "floating" && (c.Launcher == "npx" || c.Launcher == "npm exec" || c.Launcher == "bunx"):
		locked = above(base, func(dir string) bool { return depends(fsys, dir, p.Name) && npmLocked(fsys, dir) })
	}
	if locked {
		return "lockfile"
	}
	return c.Pin
}

// above asks for a folder and those above it, up to the root of the tree.
func above(dir string, ask func(string) bool) bool {
	for dir = path.Clean(dir); fs.ValidPath(dir); dir = path.Dir(dir) {
		if ask(dir) {
			return true
		}
		if dir == "." {
			break
		}
	}
	return false
}

func isFile(fsys fs.FS, dir, name string) bool {
	info, err := fs.Stat(fsys, path.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

// npmLocks are the locks of the package managers that read package.json.
var npmLocks = []string{"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

func npmLocked(fsys fs.FS, dir string) bool {
	return above(dir, func(dir string) bool {
		return slices.ContainsFunc(npmLocks, func(name string) bool { return isFile(fsys, dir, name) })
	})
}

// depends reports whether the package.json of a folder names a dependency.
func depends(fsys fs.FS, dir, name string) bool {
	file := path.Join(dir, "package.json")
	if !isFile(fsys, dir, "package.json") {
		return false
	}
	data, problem := load(fsys, file)
	if problem != nil {
		return false
	}
	doc, problem := parseJSON(file, data)
	if problem != nil {
		return false
	}
	for _, list := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		if _, ok := doc.root.child(list).get(name); ok {
			return true
		}
	}
	return false
}
