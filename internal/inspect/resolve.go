package inspect

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve makes the relative paths of a command absolute, seen from dir, so
// that the command means the same in a neutral directory. A path is an argument
// that names what exists there: with a separator (also behind the "=" of a
// flag), "." or "..", or the bare name of a regular file. All other words are
// left alone, and so is a program that is looked up in PATH.
func Resolve(argv []string, dir string) []string {
	out := make([]string, len(argv))
	for i, arg := range argv {
		switch {
		case i > 0:
			out[i] = resolveArg(arg, dir)
		case strings.ContainsAny(arg, separators) && !filepath.IsAbs(arg):
			out[i] = filepath.Join(dir, arg)
		default:
			out[i] = arg
		}
	}
	return out
}

var separators = "/" + string(filepath.Separator)

func resolveArg(arg, dir string) string {
	if flag, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(flag, "-") {
		if strings.ContainsAny(value, separators) && exists(value, dir) {
			return flag + "=" + filepath.Join(dir, value)
		}
		return arg
	}
	path := strings.ContainsAny(arg, separators) || arg == "." || arg == ".."
	if path && exists(arg, dir) || !path && regular(arg, dir) {
		return filepath.Join(dir, arg)
	}
	return arg
}

func exists(path, dir string) bool {
	if path == "" || filepath.IsAbs(path) {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, path))
	return err == nil
}

func regular(name, dir string) bool {
	if name == "" || strings.HasPrefix(name, "-") {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}
