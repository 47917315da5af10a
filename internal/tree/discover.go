package tree

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxSmall is the most bytes of a reference, a gitfile or a configuration.
const maxSmall = 1 << 20

// gitDirs are the folders of one repository, absolute: its own, with HEAD, and the
// one that it shares with other work trees, with objects and references.
type gitDirs struct{ own, common string }

// discover looks for a .git at dir and above, as gitrepository-layout(5) has it. A
// .git that is no repository is passed over, as git does. Owner and environment
// (GIT_DIR and its kin) have no say.
func discover(dir string) (root string, d gitDirs, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if d, ok := gitDirAt(filepath.Join(at, ".git")); ok {
			return at, d, nil
		}
		if at == filepath.Dir(at) {
			return "", d, ErrNoRepository
		}
	}
}

// gitDirAt reads a .git: a folder, or a file that names one (linked work trees,
// submodules).
func gitDirAt(name string) (gitDirs, bool) {
	info, err := os.Stat(name)
	if err != nil {
		return gitDirs{}, false
	}
	own := name
	if info.Mode().IsRegular() {
		text, ok := firstLine(name)
		to, isFile := strings.CutPrefix(text, "gitdir: ")
		if !ok || !isFile {
			return gitDirs{}, false
		}
		own = resolve(filepath.Dir(name), to)
	}
	d := gitDirs{own, own}
	if to, ok := firstLine(filepath.Join(own, "commondir")); ok {
		d.common = resolve(own, to)
	}
	return d, d.plausible()
}

// plausible is git's own test for a repository.
func (d gitDirs) plausible() bool {
	_, hasHead := os.Lstat(filepath.Join(d.own, "HEAD"))
	return hasHead == nil && isDir(filepath.Join(d.common, "objects")) && isDir(filepath.Join(d.common, "refs"))
}

func resolve(base, to string) string {
	if to = filepath.FromSlash(to); filepath.IsAbs(to) {
		return filepath.Clean(to)
	}
	return filepath.Join(base, to)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// readSmall reads a file of git's own; ok is false for one that is not there, is
// no plain file, or is larger than limit.
func readSmall(name string, limit int64) (data []byte, ok bool) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	return data, err == nil && int64(len(data)) <= limit
}

func firstLine(name string) (string, bool) {
	data, ok := readSmall(name, maxSmall)
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r"), ok
}
