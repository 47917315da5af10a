package fetch

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// maxLock is the most bytes of a package-lock.json: the largest of 88 measured
// has 279 kB and 716 packages.
const maxLock = 64 << 20

// LockError says why a tree is not believed, and at which package.
type LockError struct {
	Path   string // of the package, empty for the whole
	Reason string // our words
	URL    bool   // a package asks for another by an address, a git repository, a file or a folder
}

func (e *LockError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return fmt.Sprintf("%q: %s", e.Path, e.Reason)
}

// noDigest is why the bytes of a package cannot be fixed.
const noDigest = "no SHA-512 of its tarball"

// Hint says what to do.
func (e *LockError) Hint() string {
	switch {
	case e.URL:
		return "bytes from such a place cannot be fixed; toolwarrant seal --launch-only locks the launch as it is"
	case e.Reason == noDigest:
		return "the registry gives no SHA-512 for it, so its bytes cannot be fixed; toolwarrant seal --launch-only locks the launch as it is"
	}
	return "resolve the packages anew with toolwarrant seal; if that gives the same tree, toolwarrant seal --launch-only locks the launch as it is"
}

// wireLock is a package-lock.json of version 3, as far as it is read.
type wireLock struct {
	Version  int                    `json:"lockfileVersion"`
	Packages map[string]wirePackage `json:"packages"`
	Requires bool                   `json:"requires"`
}

type wirePackage struct {
	Name      string   `json:"name,omitempty"`
	Version   string   `json:"version,omitempty"`
	Resolved  string   `json:"resolved,omitempty"`
	Integrity string   `json:"integrity,omitempty"`
	Link      bool     `json:"link,omitempty"`
	InBundle  bool     `json:"inBundle,omitempty"`
	Optional  bool     `json:"optional,omitempty"`
	Script    bool     `json:"hasInstallScript,omitempty"`
	OS        []string `json:"os,omitempty"`
	CPU       []string `json:"cpu,omitempty"`
	Libc      []string `json:"libc,omitempty"`
	needs
}

// ParseTree reads a tree that [Tree.Bytes] wrote. It is believed only in exactly
// that form, and only where every package is asked for by another, in a version
// that its asker allows, with a SHA-512 of its tarball. The error is a
// *LockError.
func ParseTree(data []byte) (Tree, error) {
	t, err := readTree(data)
	if err != nil {
		return Tree{}, err
	}
	if want, err := t.Bytes(); err != nil || !bytes.Equal(want, data) {
		return Tree{}, &LockError{Reason: "not in the form that seal writes"}
	}
	return t, nil
}

// readTree reads a package-lock.json of version 3, npm's own or ours.
func readTree(data []byte) (Tree, error) {
	if len(data) > maxLock {
		return Tree{}, &LockError{Reason: "larger than a lock of packages can be"}
	}
	if _, err := canon.Parse(data, canon.MaxDepth); err != nil {
		return Tree{}, &LockError{Reason: "not JSON that is read alike by all"}
	}
	var w wireLock
	if err := json.Unmarshal(data, &w); err != nil {
		return Tree{}, &LockError{Reason: "not of the form of a package-lock.json"}
	}
	if w.Version != 3 {
		return Tree{}, &LockError{Reason: "lockfileVersion is not 3"}
	}
	root, ok := w.Packages[""]
	if !ok || len(root.Dependencies) == 0 {
		return Tree{}, &LockError{Reason: "it asks for no package"}
	}
	t := Tree{Root: root.Dependencies}
	for path, p := range w.Packages {
		if path == "" {
			continue
		}
		pkg, err := p.pkg(path)
		if err != nil {
			return Tree{}, err
		}
		t.Packages = append(t.Packages, pkg)
	}
	slices.SortFunc(t.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return t, t.check()
}

var (
	packageName = pattern.Of(`^(@[a-zA-Z0-9~_-][a-zA-Z0-9._~-]*/)?[a-zA-Z0-9~_-][a-zA-Z0-9._~-]*$`)
	fullVersion = pattern.Of(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

// maxName is npm's bound on the name of a package.
const maxName = 214

func validName(name string) bool {
	return len(name) <= maxName && packageName.MatchString(name) && !strings.Contains("/"+name+"/", "/node_modules/")
}

// pkg checks what can be told of one entry by itself.
func (w wirePackage) pkg(path string) (Package, error) {
	p := Package{
		Path: path, Name: w.Name, Version: w.Version, Bundled: w.InBundle, Optional: w.Optional, Script: w.Script,
		OS: w.OS, CPU: w.CPU, Libc: w.Libc, resolved: w.Resolved, needs: w.needs,
	}
	fail := func(reason string) (Package, error) { return Package{}, &LockError{Path: path, Reason: reason} }
	if !validPath(path) {
		return fail("not a folder of a package below node_modules")
	}
	if p.Name == "" {
		p.Name = folder(path)
	}
	switch {
	case foreignAddress(w.Resolved):
		return Package{}, &LockError{Path: path, Reason: "it comes from an address that is no registry's", URL: true}
	case w.Link:
		return fail("a link, not a package of a registry")
	case !validName(p.Name):
		return fail("not the name of a package")
	case !fullVersion.MatchString(w.Version):
		return fail("not a version of a registry's package")
	}
	if p.Integrity = strongest(w.Integrity); p.Integrity == "" && !p.Bundled {
		return fail(noDigest)
	}
	if p.Bundled {
		p.Integrity = ""
	}
	return p, nil
}

func validPath(path string) bool {
	rest, ok := strings.CutPrefix(path, nodeModules)
	if !ok {
		return false
	}
	for _, name := range strings.Split(rest, "/"+nodeModules) {
		if !validName(name) {
			return false
		}
	}
	return true
}

// foreignAddress reports whether an address is not of the kind that registries
// give: over http or https.
func foreignAddress(resolved string) bool {
	return resolved != "" && !strings.HasPrefix(resolved, "https://") && !strings.HasPrefix(resolved, "http://")
}

// strongest is the one SHA-512 of an integrity value (Subresource Integrity,
// section 3.5: several digests stand apart by spaces), empty where there is none.
func strongest(integrity string) string {
	for _, one := range strings.Fields(integrity) {
		if sum, err := sha512Of(one); err == nil && len(sum) == 64 {
			return one
		}
	}
	return ""
}

var errDigest = errors.New("not a SHA-512")

func sha512Of(integrity string) ([]byte, error) {
	text, ok := strings.CutPrefix(integrity, "sha512-")
	if !ok {
		return nil, errDigest
	}
	sum, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(sum) != 64 {
		return nil, errDigest
	}
	return sum, nil
}

// Bytes is the tree as a package-lock.json of version 3 without addresses, keys
// sorted: npm can install from it too.
func (t Tree) Bytes() ([]byte, error) {
	canonical, err := t.canonical()
	if err != nil {
		return nil, err
	}
	return canon.Indent(canonical)
}

func (t Tree) canonical() ([]byte, error) {
	w := wireLock{Version: 3, Requires: true, Packages: map[string]wirePackage{"": {needs: needs{Dependencies: t.Root}}}}
	for _, p := range t.Packages {
		w.Packages[p.Path] = p.wire()
	}
	raw, err := json.Marshal(w)
	if err != nil {
		return nil, fmt.Errorf("write the tree of packages: %w", err)
	}
	out, err := canon.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("write the tree of packages: %w", err)
	}
	return out, nil
}

func (p Package) wire() wirePackage {
	w := wirePackage{
		Version: p.Version, Integrity: p.Integrity, InBundle: p.Bundled, Optional: p.Optional, Script: p.Script,
		OS: p.OS, CPU: p.CPU, Libc: p.Libc, needs: p.needs,
	}
	if p.Name != folder(p.Path) {
		w.Name = p.Name
	}
	return w
}

// Digest is the digest of the whole tree: what [Tree.Bytes] says.
func (t Tree) Digest() (string, error) {
	canonical, err := t.canonical()
	if err != nil {
		return "", err
	}
	return canon.Digest(canon.NPMTree, canonical), nil
}
