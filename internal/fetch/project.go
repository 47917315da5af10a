package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// ParseProject reads the package-lock.json (version 3) that a project has beside
// its package.json, as "npm ci --omit=dev" would install it: without what is for
// development alone. Addresses in it are not followed: the configured registry is
// asked, and the SHA-512 decides. Links and workspaces are refused. The error is a
// *LockError.
func ParseProject(lock, manifest []byte) (Tree, error) {
	w, err := projectLock(lock)
	if err != nil {
		return Tree{}, err
	}
	root := w.Packages[""]
	if !sameNeeds(root, manifest) {
		return Tree{}, &LockError{Reason: "it was not written for the package.json beside it"}
	}
	var t Tree
	for path, p := range w.Packages {
		if path == "" || p.Dev {
			continue
		}
		pkg, err := p.pkg(path)
		if err != nil {
			return Tree{}, err
		}
		pkg.resolved = ""
		t.Packages = append(t.Packages, pkg)
	}
	slices.SortFunc(t.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	t.Root = map[string]string{}
	for name, selector := range root.PeerDependencies { // npm installs those that are not optional
		if _, there := t.at(nodeModules + name); there {
			t.Root[name] = selector
		}
	}
	maps.Copy(t.Root, root.OptionalDependencies)
	maps.Copy(t.Root, root.Dependencies)
	if len(t.Root) == 0 {
		return Tree{}, &LockError{Reason: "it asks for no package"}
	}
	return t, t.check()
}

// projectEntry is an entry of a project's own lock.
type projectEntry struct {
	wirePackage
	Dev        bool            `json:"dev"`
	Workspaces json.RawMessage `json:"workspaces"`
}

type wireProject struct {
	Version  int                     `json:"lockfileVersion"`
	Packages map[string]projectEntry `json:"packages"`
}

func projectLock(lock []byte) (w wireProject, err error) {
	if len(lock) > maxLock {
		return w, &LockError{Reason: "larger than a lock of packages can be"}
	}
	if _, err := canon.Parse(lock, canon.MaxDepth); err != nil {
		return w, &LockError{Reason: "not JSON that is read alike by all"}
	}
	if json.Unmarshal(lock, &w) != nil {
		return w, &LockError{Reason: "not of the form of a package-lock.json"}
	}
	root, ok := w.Packages[""]
	switch {
	case w.Version != 3 || !ok:
		return w, &LockError{Reason: "lockfileVersion is not 3"}
	case len(root.Workspaces) > 0:
		return w, &LockError{Reason: "it is of several workspaces"}
	}
	return w, nil
}

// sameNeeds reports whether a lock's root asks for what the package.json asks for.
func sameNeeds(root projectEntry, manifest []byte) bool {
	var m needs
	if canon.Guard(manifest, canon.MaxDepth) != nil || json.Unmarshal(manifest, &m) != nil {
		return false
	}
	return maps.Equal(required(root.needs), required(m)) && maps.Equal(root.OptionalDependencies, m.OptionalDependencies) && maps.Equal(root.PeerDependencies, m.PeerDependencies)
}

// Lend puts the packages of a tree beside the code of a project in dir: a link, behind
// which Node finds packages by where they really lie.
func (a Artifact) Lend(dir string) error {
	err := os.Symlink(filepath.Join(a.dir, "node_modules"), filepath.Join(dir, "node_modules"))
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	if err != nil {
		return fmt.Errorf("lay packages beside the code that runs: %w", err)
	}
	return nil
}
