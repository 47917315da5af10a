package scanner

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// complete takes the belief from a lock that names a tree which does not lie beside
// it: the bytes behind the approval are not known. A lock that is only read, as in
// a comparison of two, may lie alone.
func (l Lock) complete() Lock {
	file := TreeFile(l.File, l.Entry.Artifact)
	if l.Invalid != nil || file == "" || l.Tree != nil || !treed(l.Entry.Artifact) {
		return l
	}
	return l.refuse("/tree/digest", "the file beside it that holds the tree of packages, "+path.Base(file)+", is missing: commit it too (a line of .gitignore may hide it)")
}

// refuse takes the belief from a lock, at a member of its artifact.
func (l Lock) refuse(member, reason string) Lock {
	line, column := lockfile.Position(l.data, "/artifact"+member)
	l.Invalid = &lockfile.InvalidError{Line: line, Column: column, Pointer: "/artifact" + member, Reason: reason}
	return l
}

// withTree reads the tree that lies beside a lock. One that is not what the lock
// names makes it invalid.
func (l Lock) withTree(fsys fs.FS) Lock {
	a := l.Entry.Artifact
	at := TreeFile(l.File, a)
	if at == "" || !treed(a) {
		return l
	}
	file := path.Base(at)
	info, err := fs.Lstat(fsys, at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l
	case err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0:
		return l.refuse("/tree/digest", file+" is not a plain file of mode 100644")
	}
	data, err := fs.ReadFile(fsys, at)
	if err != nil {
		return l.refuse("/tree/digest", file+" cannot be read")
	}
	tree, member, err := readTree(*a, data)
	switch {
	case err != nil:
		return l.refuse("/tree/digest", fmt.Sprintf("%s is not believed: %v", file, err))
	case member != "":
		return l.refuse(member, file+" says otherwise: one of the two was edited by hand")
	}
	l.Tree = tree
	return l
}

// treed reports whether what lies beside the lock of an artifact is read.
func treed(a *lockfile.Artifact) bool {
	return a.Ecosystem == ecosystemNPM || a.Ecosystem == ecosystemPyPI
}

// readTree reads what lies beside a lock, and names the member of the artifact that
// it does not bear out.
func readTree(a lockfile.Artifact, data []byte) (tree fetch.Closure, member string, err error) {
	if a.Ecosystem == ecosystemPyPI {
		r, err := fetch.ParseRequirements(data)
		return r, differsPython(a, r), err
	}
	t, err := fetch.ParseTree(data)
	return t, differs(a, t), err
}

// differs names the member of an artifact that its tree does not bear out.
func differs(a lockfile.Artifact, tree fetch.Tree) string {
	digest, err := tree.Digest()
	main, ok := tree.Main(a.Name)
	switch {
	case err != nil || digest != a.Tree.Digest:
		return "/tree/digest"
	case len(tree.Packages) != a.Tree.Packages:
		return "/tree/packages"
	case !ok || tree.Root[a.Name] != selector(a.Spec):
		return "/spec"
	case main.Version != a.Version:
		return "/version"
	case main.Integrity != a.Integrity:
		return "/integrity"
	case !slices.Equal(a.InstallScripts, tree.InstallScripts()):
		return "/installScripts"
	}
	return ""
}

// selector is what a tree's root asks for where a launch names no version.
func selector(spec string) string {
	if spec == "" {
		return "latest"
	}
	return spec
}

// TreeFile is the file beside a lock that holds the tree of an artifact, empty
// where it fixes none.
func TreeFile(lock string, a *lockfile.Artifact) string {
	name := a.TreeFile(strings.TrimSuffix(path.Base(lock), LockSuffix))
	if name == "" {
		return ""
	}
	return path.Join(path.Dir(lock), name)
}
