package scanner

import (
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// variable matches a reference in an argument, as hosts write them.
var variable = regexp.MustCompile(`\$\{([^{}]*)\}`)

// command is the argument vector to start: references replaced, relative paths
// resolved against the folder in which a host would start it.
func (o Options) command(t Target, base string) []string {
	var argv []string
	for _, a := range t.Declared[0].Launch.Argv {
		argv = append(argv, expand(a.Text.Reveal(), base, o.Environment))
	}
	switch dir := value(t.Declared[0].Launch.Dir); {
	case filepath.IsAbs(dir):
		base = dir
	case dir != "":
		base = filepath.Join(base, filepath.FromSlash(expand(dir, base, o.Environment)))
	}
	return inspect.Resolve(argv, base)
}

// place is the folder on disk in which a host would start a target. Where the
// tree is git objects, the code that the target runs is written out, and a
// target that runs none gets an empty folder.
func (o Options) place(t Target) (base string, cleanup func(), err error) {
	if given := t.Declared[0].Base; given != "" {
		return given, func() {}, nil
	}
	if o.Root != "" {
		return filepath.Join(o.Root, filepath.FromSlash(t.base())), func() {}, nil
	}
	if o.WriteOut == nil {
		return "", nil, errNoFolder
	}
	c := o.codeOf(t)
	if len(c.named) == 0 {
		return o.WriteOut(o.Head, "")
	}
	top := t.base()
	for _, root := range c.roots {
		for top != "." && top != root && !strings.HasPrefix(root+"/", top+"/") {
			top = path.Dir(top)
		}
	}
	dir, cleanup, err := o.WriteOut(o.Head, top)
	if err != nil {
		return "", nil, err
	}
	below := strings.TrimPrefix(strings.TrimPrefix(t.base(), top), "/")
	if top == "." {
		below = t.base()
	}
	return filepath.Join(dir, filepath.FromSlash(below)), cleanup, nil
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
