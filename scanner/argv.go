package scanner

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// variable matches a reference in an argument, as hosts write them.
var variable = regexp.MustCompile(`\$\{([^{}]*)\}`)

// command is the argument vector to start: references replaced, relative paths
// resolved against the folder in which a host would start it.
func (o Options) command(t Target) []string {
	base := filepath.Join(o.Root, filepath.FromSlash(t.base()))
	var argv []string
	for _, a := range t.Declared[0].Launch.Argv {
		argv = append(argv, expand(a, base, o.Environment))
	}
	return inspect.Resolve(argv, base)
}

// expand replaces references: folders by the project's, other names by the
// value that the caller gives, by a harmless default, or by a placeholder.
func expand(a manifest.Arg, base string, env inspect.EnvOptions) string {
	return variable.ReplaceAllStringFunc(a.Text.Reveal(), func(ref string) string {
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
