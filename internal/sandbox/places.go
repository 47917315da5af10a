package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tooWide reports whether a path shows the places of other programs and people.
func tooWide(name, slot string) bool {
	return slices.Contains([]string{"/", "/tmp", "/var", "/var/tmp", "/home", "/root", "/etc", "/dev", "/proc", "/sys", "/run", "/mnt", "/srv", os.Getenv("HOME")}, name) ||
		strings.HasPrefix(slot+"/", name+"/") || strings.HasPrefix(neutralPath+"/", name+"/")
}

// Places are a program's file, and the folder of the installation that it
// belongs to: what lies beside its bin.
func Places(program string) (out []string) {
	for range 10 {
		out = append(out, program)
		dir := filepath.Dir(program)
		if root := filepath.Dir(dir); slices.Contains([]string{"bin", "sbin", "shims"}, filepath.Base(dir)) && installation(root) {
			out = append(out, root)
		}
		to, err := os.Readlink(program)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		program = to
	}
	if real, err := filepath.EvalSymlinks(program); err == nil && real != program {
		out = append(out, real)
		if root := filepath.Dir(filepath.Dir(real)); filepath.Base(filepath.Dir(real)) == "bin" && installation(root) {
			out = append(out, root)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return tooWide(name, "") || strings.HasPrefix(name, "/proc/") })
}

// installation reports whether a folder that has a bin is one program's, and not
// somebody's home.
func installation(root string) bool {
	return !slices.Contains([]string{"/", "/usr", "/usr/local", os.Getenv("HOME")}, root) && filepath.Base(root) != ".local" && !tooWide(root, "")
}
