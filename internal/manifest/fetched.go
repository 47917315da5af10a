package manifest

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
