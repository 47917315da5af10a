package manifest

import "strings"

// launchers are programs that start others: package runners, containers and
// interpreters. A command of one string that begins with one is a command line.
var launchers = setOf("npx npm pnpm pnpx yarn bun bunx node deno tsx uv uvx pipx python python3 py docker podman go dnx dotnet php ruby java cargo cmd env sh bash zsh")

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
