package manifest

import (
	"regexp"
	"slices"
	"strings"
)

// Pin says how far a launch fixes what it starts, by its words alone, in the
// report's terms: "immutable" (content named by a digest), "exact" (one version
// of a package), "floating" (whatever a registry hands out today), "local" (a
// file of the repository), "host" (a program of the machine), "remote" (an
// address), "indirect" (a shell's text, or a form that is not read here).
func Pin(l Launch) string {
	if len(l.Argv) == 0 {
		return "remote"
	}
	argv := shown(l.Argv)
	if scriptAt(argv) >= 0 {
		return "indirect"
	}
	if _, version, ok := NPX(l.Argv); ok {
		return versionPin(version)
	}
	argv = unwrap(argv)
	switch program(argv[0]) {
	case "npx", "npm", "pnpm", "pnpx", "yarn":
		return runnerPin(argv)
	case "bunx":
		return specPin(firstWord(argv[1:]))
	case "uvx", "pipx":
		return pythonPin(argv)
	case "docker", "podman":
		return imagePin(argv)
	case "node", "bun", "deno", "tsx", "python", "python3", "py", "php", "ruby", "java", "uv", "go", "cargo", "dotnet", "sh", "bash", "zsh":
		return scriptPin(argv)
	}
	return pathPin(argv[0])
}

var (
	fullVersion = regexp.MustCompile(`^[v=]*[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	pythonExact = regexp.MustCompile(`^[A-Za-z0-9._-]+(\[[^\]]*\])?(==|===|@)v?[0-9]+(\.[0-9]+)+[0-9A-Za-z.+-]*$`)
	gitCommit   = regexp.MustCompile(`[#@][0-9a-f]{40}$`)
	imageDigest = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
	imageExact  = regexp.MustCompile(`:v?[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z._-]*$`)
)

func versionPin(v string) string {
	if fullVersion.MatchString(v) {
		return "exact"
	}
	return "floating"
}

// specPin reads a package spec of the npm family.
func specPin(spec string) string {
	m := npmSpec.FindStringSubmatch(spec)
	switch {
	case m != nil:
		return versionPin(m[2])
	case strings.HasPrefix(spec, "."):
		return "local"
	case gitCommit.MatchString(spec):
		return "immutable"
	case spec == "":
		return "indirect"
	}
	return "floating"
}

// runnerPin reads "pnpm dlx", "yarn dlx", "npm exec" and what NPX does not take.
func runnerPin(argv []string) string {
	rest := argv[1:]
	if program(argv[0]) == "npx" || program(argv[0]) == "pnpx" {
		return specPin(firstWord(rest))
	}
	if len(rest) > 0 && slices.Contains([]string{"dlx", "exec", "x"}, rest[0]) {
		return specPin(firstWord(rest[1:]))
	}
	return "local"
}

func pythonPin(argv []string) string {
	rest := argv[1:]
	if program(argv[0]) == "pipx" && len(rest) > 0 && rest[0] == "run" {
		rest = rest[1:]
	}
	spec := firstWord(rest)
	for i, w := range rest {
		if (w == "--from" || w == "--spec") && i+1 < len(rest) {
			spec = rest[i+1]
			break
		}
	}
	switch {
	case spec == "":
		return "indirect"
	case strings.HasPrefix(spec, "git+") && gitCommit.MatchString(spec):
		return "immutable"
	case strings.HasPrefix(spec, "."):
		return "local"
	case pythonExact.MatchString(spec):
		return "exact"
	}
	return "floating"
}

// imagePin wants a digest or version anywhere behind "run", because finding the
// image among the many flags with values needs the whole grammar. Every other
// subcommand starts what a file or a running container says.
func imagePin(argv []string) string {
	if len(argv) < 2 || argv[1] != "run" {
		return "indirect"
	}
	for _, w := range argv[2:] {
		switch {
		case imageDigest.MatchString(w):
			return "immutable"
		case imageExact.MatchString(w) && !strings.HasPrefix(w, "-"):
			return "exact"
		}
	}
	return "floating"
}

// scriptPin reads an interpreter's first word: a script, or a subcommand that
// works on the project.
func scriptPin(argv []string) string {
	first := firstWord(argv[1:])
	switch {
	case first == "" && len(argv) > 1:
		return "indirect"
	case first == "":
		return "host"
	case pathPin(first) == "host" && strings.ContainsAny(first, `/\`):
		return "host"
	}
	return "local"
}

// firstWord is the first word that is no flag.
func firstWord(words []string) string {
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return ""
}

var absolute = regexp.MustCompile(`^([/~\\]|[A-Za-z]:[/\\]|\$\{?HOME|%)`)

// pathPin tells a program of the repository from one of the machine.
func pathPin(path string) string {
	if strings.ContainsAny(path, `/\`) && !absolute.MatchString(path) {
		return "local"
	}
	return "host"
}
