package manifest

import (
	"regexp"
	"slices"
	"strings"
)

// launchers are programs that start others: package runners, containers and
// interpreters.
var launchers = map[string]bool{
	"npx": true, "npm": true, "pnpm": true, "pnpx": true, "yarn": true, "bun": true, "bunx": true, "node": true, "deno": true, "tsx": true,
	"uv": true, "uvx": true, "pipx": true, "python": true, "python3": true, "py": true, "docker": true, "podman": true,
	"go": true, "dnx": true, "dotnet": true, "php": true, "ruby": true, "java": true, "cargo": true, "cmd": true, "env": true,
	"sh": true, "bash": true, "zsh": true,
}

// shells run text that is not an argument vector.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "ash": true, "fish": true}

// program is the bare name of a program: without folders, the suffixes that
// Windows adds, and case.
func program(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, suffix := range []string{".exe", ".cmd", ".ps1", ".bat"} {
		if s, ok := strings.CutSuffix(name, suffix); ok {
			return s
		}
	}
	return name
}

// shown are the words of a launch as they may be printed. Launcher grammar needs
// no more: a masked word is never a program, flag or package.
func shown(argv []Arg) []string {
	out := make([]string, len(argv))
	for i, a := range argv {
		out[i] = a.Shown
	}
	return out
}

var (
	windowsFlag = regexp.MustCompile(`^/[A-Za-z]$`)
	assignment  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// unwrap takes "cmd /c" and "env K=V" off the front of a command line.
func unwrap(argv []string) []string {
	for len(argv) > 1 {
		rest := argv[1:]
		switch program(argv[0]) {
		case "cmd":
			for len(rest) > 0 && windowsFlag.MatchString(rest[0]) {
				rest = rest[1:]
			}
		case "env":
			for len(rest) > 0 && assignment.MatchString(rest[0]) {
				rest = rest[1:]
			}
		default:
			return argv
		}
		if len(rest) == 0 || len(rest) == len(argv)-1 && program(argv[0]) == "cmd" {
			return argv
		}
		argv = rest
	}
	return argv
}

// NPX reads "npx [-y|--yes|-q] PKG[@VERSION] ARGS…", also as npx.cmd and behind
// "cmd /c". What follows the package belongs to the server. ok is false for
// every other form: a script (-c), several packages, a registry of its own, a
// package that is no name of the registry.
func NPX(argv []Arg) (pkg, version string, ok bool) {
	words := unwrap(shown(argv))
	if len(words) == 0 || program(words[0]) != "npx" {
		return "", "", false
	}
	spec := ""
	for words = words[1:]; len(words) > 0 && spec == ""; words = words[1:] {
		switch w := words[0]; {
		case slices.Contains([]string{"-y", "--yes", "-q", "--quiet", "--"}, w):
		case (w == "-p" || w == "--package") && len(words) > 1:
			spec = words[1]
			if slices.Contains(words[2:], "-p") || slices.Contains(words[2:], "--package") {
				return "", "", false
			}
		case strings.HasPrefix(w, "--package="):
			spec = strings.TrimPrefix(w, "--package=")
		case strings.HasPrefix(w, "-"):
			return "", "", false
		default:
			spec = w
		}
	}
	m := npmSpec.FindStringSubmatch(spec)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// npmSpec is a package's name in the registry, with what is behind its "@".
var npmSpec = regexp.MustCompile(`^((?:@[a-z0-9~][a-z0-9._~-]*/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*)(?:@([^/:#@$\s]*))?$`)
