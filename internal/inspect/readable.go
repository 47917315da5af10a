package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readable are the folders and files that a command's arguments name: a folder
// is itself, a script comes with the package that it belongs to. The program
// needs no entry.
func readable(argv []string) []string {
	var out []string
	for _, arg := range argv[min(1, len(argv)):] {
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "-") {
			arg = value
		}
		if !filepath.IsAbs(arg) {
			continue
		}
		arg = filepath.Clean(arg)
		info, err := os.Stat(arg)
		switch {
		case err != nil:
		case info.IsDir():
			out = append(out, arg)
		default:
			out = append(out, arg, packageOf(arg))
			if real, err := filepath.EvalSymlinks(arg); err == nil && real != arg {
				out = append(out, real, packageOf(real))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// manifests mark the folder of a package.
var manifests = []string{"package.json", "pyproject.toml", "setup.py", "requirements.txt", "go.mod", "Cargo.toml", "deno.json", "composer.json", "Gemfile"}

// packageOf is the folder that holds everything which a script loads: around the
// outermost node_modules, else the nearest with a manifest, else the script's own.
func packageOf(script string) string {
	if tree, _, ok := strings.Cut(script, "/node_modules/"); ok && tree != "" {
		return tree
	}
	for dir := filepath.Dir(script); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, name := range manifests {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
	}
	return filepath.Dir(script)
}
