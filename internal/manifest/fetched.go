package manifest

import (
	"slices"
)

// Claims reports whether a path is one that a dialect reads.
func Claims(path string) bool {
	d, _ := claim(path)
	return d != nil
}

// fetchers take what they run from a registry.
var fetchers = map[string]bool{"npx": true, "npm": true, "pnpm": true, "pnpx": true, "yarn": true, "bun": true, "bunx": true, "uv": true, "uvx": true, "pipx": true, "deno": true}

// Fetched reports whether a launch may take its program from a registry, which
// configuration beside it can redirect.
func Fetched(l Launch) bool {
	if len(l.Argv) == 0 {
		return false
	}
	return fetchers[program(unwrap(shown(l.Argv))[0])]
}

// Script is the word of a launch that names what an interpreter runs, or the
// program itself; empty where it is a module, a task or a subcommand.
func Script(l Launch) string {
	if len(l.Argv) == 0 {
		return ""
	}
	words := unwrap(shown(l.Argv))
	if !launchers[program(words[0])] {
		return words[0]
	}
	first := firstWord(words[1:])
	for _, w := range words[1:] {
		if slices.Contains([]string{"-m", "-c", "-e", "-p", "--eval", "--print"}, w) {
			return ""
		}
	}
	if slices.Contains(subcommands, first) {
		return ""
	}
	return first
}

// subcommands of interpreters and runners that work on a project.
var subcommands = []string{"run", "exec", "x", "dlx", "start", "serve", "task", "compose", "tool", "artisan", "test", "build"}
