package fetch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// platform is the machine in npm's words (process.platform, process.arch).
type platform struct{ os, cpu, libc string }

func thisPlatform() platform {
	p := platform{os: runtime.GOOS, cpu: runtime.GOARCH}
	if p.os == "windows" {
		p.os = "win32"
	}
	switch p.cpu {
	case "amd64":
		p.cpu = "x64"
	case "386":
		p.cpu = "ia32"
	}
	if p.os == "linux" {
		p.libc = "glibc"
		if found, _ := filepath.Glob("/lib/ld-musl-*"); len(found) > 0 && !exists("/lib64/ld-linux-x86-64.so.2") {
			p.libc = "musl"
		}
	}
	return p
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (p platform) String() string {
	return strings.TrimSuffix(p.os+"-"+p.cpu+"-"+p.libc, "-")
}

// takes reports whether a package is for this machine.
func (p platform) takes(pkg Package) bool {
	return listed(pkg.OS, p.os) && listed(pkg.CPU, p.cpu) && (p.libc == "" || listed(pkg.Libc, p.libc))
}

// listed reads npm's lists: "!x" excludes x, a list of exclusions takes the
// rest, an empty one takes everything (package.json, "os").
func listed(list []string, word string) bool {
	if len(list) == 0 || slices.Contains(list, "any") {
		return true
	}
	negative := true
	for _, l := range list {
		if l == "!"+word {
			return false
		}
		if !strings.HasPrefix(l, "!") {
			negative = false
		}
	}
	return negative || slices.Contains(list, word)
}

// here are the packages of a tree that are unpacked on a machine: an optional one
// for other machines is left out, with everything below it that only it brings.
func (t Tree) here(p platform) ([]Package, error) {
	var out []Package
	var left []string
	for _, pkg := range t.Packages {
		below := slices.ContainsFunc(left, func(path string) bool { return strings.HasPrefix(pkg.Path, path+"/") })
		switch {
		case below:
		case p.takes(pkg):
			out = append(out, pkg)
		case pkg.Optional:
			left = append(left, pkg.Path)
		default:
			return nil, &LockError{Path: pkg.Path, Reason: "it is not for this platform, " + p.String()}
		}
	}
	return out, nil
}
