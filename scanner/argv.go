package scanner

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// variable matches a reference in an argument, as hosts write them.
var variable = pattern.Of(`\$\{([^{}]*)\}`)

// command is the argument vector to start: references replaced, relative paths
// resolved against the folder in which a host would start it, and absolute ones
// inside a checkout that is read as git objects led to what was written out.
func (o Options) command(t Target, at place) []string {
	var argv []string
	for _, a := range t.Declared[0].Launch.Argv {
		word := expand(a.Text.Reveal(), at.base, o.Environment)
		if o.Root == "" && filepath.IsAbs(word) && o.Locate != nil {
			if name, ok := o.Locate(word); ok {
				word = filepath.Join(at.root, filepath.FromSlash(name))
			}
		}
		argv = append(argv, word)
	}
	base := at.base
	if dir := expand(value(t.Declared[0].Launch.Dir), at.base, o.Environment); filepath.IsAbs(dir) {
		base = dir
	} else if dir != "" {
		base = filepath.Join(base, filepath.FromSlash(dir))
	}
	return inspect.Resolve(argv, base)
}

// place is where a target is started: the root of the tree on disk, and the
// folder below it in which a host would start the target.
type place struct{ root, base string }

// placeOf finds the place. Where the tree is git objects, exactly the code of
// the target is written out; a target that runs none gets an empty folder.
func (o Options) placeOf(t Target) (at place, cleanup func(), err error) {
	if given := t.Declared[0].Base; given != "" {
		return place{given, given}, func() {}, nil
	}
	below := filepath.FromSlash(t.base())
	if o.Root != "" {
		return place{o.Root, filepath.Join(o.Root, below)}, func() {}, nil
	}
	if o.WriteOut == nil {
		return place{}, nil, errNoFolder
	}
	c := o.codeOf(t)
	if len(c.named)+len(c.roots) == 0 {
		dir, cleanup, err := o.WriteOut(o.Head, "")
		return place{dir, dir}, cleanup, err
	}
	files, err := c.files(o.Head, tracked{})
	if err != nil {
		return place{}, nil, err
	}
	dir, cleanup, err := o.WriteOut(newSubset(o.Head, files), ".")
	return place{dir, filepath.Join(dir, below)}, cleanup, err
}

// readable is the repository code of a target where it is started, with the
// packages that are installed beside it and above.
func (o Options) readable(t Target, at place) []string {
	c := o.codeOf(t)
	var out []string
	for _, name := range slices.Concat(c.named, c.roots) {
		out = append(out, filepath.Join(at.root, filepath.FromSlash(name)))
		for dir := name; dir != "." && dir != "/"; {
			dir = path.Dir(dir)
			for _, beside := range []string{"node_modules", "package.json", ".venv"} {
				if p := path.Join(dir, beside); kindOf(o.Head, p) != 0 || o.Root != "" {
					out = append(out, filepath.Join(at.root, filepath.FromSlash(p)))
				}
			}
		}
	}
	return out
}

var errNoFolder = errors.New("there is no folder to start it in")

// expand replaces references: folders by the project's, other names by the
// value that the caller gives, by a harmless default, or by a placeholder.
func expand(text, base string, env inspect.EnvOptions) string {
	return variable.ReplaceAllStringFunc(text, func(ref string) string {
		name, fallback, hasFallback := strings.Cut(strings.TrimPrefix(ref[2:len(ref)-1], "env:"), ":-")
		switch name {
		case "workspaceFolder", "CLAUDE_PROJECT_DIR", "PWD", "workspacePath":
			return base
		case "workspaceFolderBasename":
			return filepath.Base(base)
		case "pathSeparator", "/":
			return string(filepath.Separator)
		}
		if v, ok := env.Set[name]; ok {
			return v.Reveal()
		}
		if hasFallback && !secret.LooksSecret(name, fallback) {
			return fallback
		}
		return inspect.StandIn(name)
	})
}
