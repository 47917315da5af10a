package tree

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxPacked is the most bytes of a packed-refs file.
const maxPacked = 256 << 20

// maxSymbolic is how many references may lead to each other; git has the same bound.
const maxSymbolic = 5

// references are the names of a repository for its commits.
type references interface {
	// read is what one holds: an id, or the name of another. Both are empty for
	// one that is not there.
	read(name string) (id, other string)
	// remotes are the names of remotes that there are references of.
	remotes() []string
}

// follow resolves a reference to an id; "" where it leads to none.
func follow(r references, name string) string {
	for range maxSymbolic {
		id, other := r.read(name)
		if other == "" {
			return id
		}
		name = other
	}
	return ""
}

// fileReferences are files, as gitrepository-layout(5) has them: one for each
// reference, and packed-refs for those that have none.
type fileReferences struct{ dirs gitDirs }

func (f fileReferences) read(name string) (id, other string) {
	if !readable(name) {
		return "", ""
	}
	dir := f.dirs.common
	if private(name) {
		dir = f.dirs.own
	}
	if text, ok := firstLine(filepath.Join(dir, filepath.FromSlash(name))); ok {
		if to, ok := strings.CutPrefix(text, "ref:"); ok {
			return "", strings.TrimSpace(to)
		}
		if id, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " "); isID(id) {
			return id, ""
		}
		return "", ""
	}
	for packed, id := range f.packed {
		if packed == name {
			return id, ""
		}
	}
	return "", ""
}

// readable keeps a name inside the folder of references: a revision such as
// "config" or "refs/../config" is none.
func readable(name string) bool {
	if path.Clean(name) != name || strings.ContainsAny(name, "\\:\x00") || strings.Contains(name, "..") {
		return false
	}
	return strings.HasPrefix(name, "refs/") || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && name != ""
}

// private reports whether each work tree has its own reference of this name.
func private(name string) bool {
	for _, prefix := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return !strings.HasPrefix(name, "refs/")
}

// packed goes through packed-refs: "ID NAME" lines, comments and peeled tags apart.
func (f fileReferences) packed(yield func(name, id string) bool) {
	data, _ := readSmall(filepath.Join(f.dirs.common, "packed-refs"), maxPacked)
	for line := range strings.SplitSeq(string(data), "\n") {
		id, name, ok := strings.Cut(strings.TrimRight(line, "\r"), " ")
		if ok && isID(id) && !yield(name, id) {
			return
		}
	}
}

func (f fileReferences) remotes() []string {
	var out []string
	listed, _ := os.ReadDir(filepath.Join(f.dirs.common, "refs", "remotes"))
	for _, d := range listed {
		if d.IsDir() {
			out = append(out, d.Name())
		}
	}
	for name := range f.packed {
		if rest, ok := strings.CutPrefix(name, "refs/remotes/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			out = append(out, first)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listedReferences are what the git command said once.
type listedReferences map[string]struct{ id, other string }

func (l listedReferences) read(name string) (id, other string) { return l[name].id, l[name].other }

func (l listedReferences) remotes() []string {
	var out []string
	for name := range l {
		if rest, ok := strings.CutPrefix(name, "refs/remotes/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			out = append(out, first)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// commandReferences asks git for all of them. It is the one command that runs in
// the repository itself: no other program knows where a reftable is read.
func commandReferences(d gitDirs) (references, error) {
	c := command{gitDir: d.own, options: []string{"-c", "safe.directory=*"}}
	out, err := c.output("for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)")
	if err != nil {
		return nil, err
	}
	l := listedReferences{}
	for _, line := range lines(out) {
		if f := strings.Split(line, "\x00"); len(f) == 3 {
			l[f[0]] = struct{ id, other string }{f[1], f[2]}
		}
	}
	if branch, err := c.output("symbolic-ref", "-q", "HEAD"); err == nil {
		l["HEAD"] = struct{ id, other string }{other: strings.TrimSpace(string(branch))}
	} else if id, err := c.output("rev-parse", "-q", "--verify", "HEAD"); err == nil {
		l["HEAD"] = struct{ id, other string }{id: strings.TrimSpace(string(id))}
	}
	return l, nil
}
