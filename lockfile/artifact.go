package lockfile

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Artifact is what a launch was resolved to: the bytes that were read.
type Artifact struct {
	Ecosystem string `json:"ecosystem"` // one of [Ecosystems]
	Name      string `json:"name"`      // of the package, image, program or script
	Spec      string `json:"spec"`      // what the launch asks for; empty where it names no version
	Version   string `json:"version,omitempty"`
	// Integrity is the digest of what was fetched or found: "sha512-…" of a
	// tarball (Subresource Integrity), "sha256:…" of an image or a program.
	Integrity string `json:"integrity,omitempty"`
	// Tree is every package below it; it lies beside the lock, see [TreeFile].
	Tree           *Tree    `json:"tree,omitempty"`
	Bin            string   `json:"bin,omitempty"`            // the file of the package that is started
	InstallScripts []string `json:"installScripts,omitempty"` // packages with scripts that were not run, sorted
}

// Tree names a resolved tree of packages.
type Tree struct {
	Packages int    `json:"packages"`
	Digest   string `json:"digest"`
}

// Ecosystems are the kinds of artifact: packages of two registries, container
// images, programs of the machine, and code of the repository, which its commit
// pins.
var Ecosystems = []string{"npm", "pypi", "oci", "binary", "local"}

var (
	treeDigest = pattern.Of(`^sha256:[0-9a-f]{64}$`)
	integrity  = pattern.Of(`^(sha512-[A-Za-z0-9+/]{86}==|sha256:[0-9a-f]{64})$`)
)

// treeSuffixes end the names of the files that hold trees, by ecosystem.
var treeSuffixes = map[string]string{"npm": ".npm-lock.json", "pypi": ".requirements.txt"}

// TreeFile is the name of the file beside a lock that holds its tree, from the
// lock's name without its suffix: "NAME.<12 hex of the tree digest>.npm-lock.json".
// It is empty where there is none.
func (a *Artifact) TreeFile(name string) string {
	if a == nil || a.Tree == nil || treeSuffixes[a.Ecosystem] == "" || !treeDigest.MatchString(a.Tree.Digest) {
		return ""
	}
	const hex = len("sha256:")
	return name + "." + a.Tree.Digest[hex:hex+12] + treeSuffixes[a.Ecosystem]
}

// purlTypes are the types of package URLs, by ecosystem (purl-spec, PURL-TYPES).
var purlTypes = map[string]string{"npm": "npm", "pypi": "pypi", "oci": "oci", "binary": "generic"}

// PURL is the artifact as a package URL, as "pkg:npm/%40scope/name@1.2.3"; empty
// for code of the repository, and for none.
func (a *Artifact) PURL() string {
	if a == nil || purlTypes[a.Ecosystem] == "" {
		return ""
	}
	parts := strings.Split(a.Name, "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(parts[i]), "@", "%40")
	}
	id := "pkg:" + purlTypes[a.Ecosystem] + "/" + strings.Join(parts, "/")
	if a.Version != "" {
		id += "@" + url.PathEscape(a.Version)
	}
	if a.Version == "" && strings.HasPrefix(a.Integrity, "sha256:") {
		id += "?checksum=" + a.Integrity
	}
	return id
}

// artifact reads the member "artifact", which a lock may lack.
func (p parser) artifact(data json.RawMessage) (*Artifact, error) {
	const at = "/artifact"
	if data == nil {
		return nil, nil
	}
	members, err := p.members(at, data, "ecosystem", "name", "spec", "version", "integrity", "tree", "bin", "installScripts")
	if err != nil {
		return nil, err
	}
	if members["tree"] != nil {
		if _, err := p.members(at+"/tree", members["tree"], "packages", "digest"); err != nil {
			return nil, err
		}
	}
	a := &Artifact{}
	if err := p.decode(at, data, a); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains(Ecosystems, a.Ecosystem):
		return nil, p.fail(at+"/ecosystem", "not an ecosystem that is known")
	case a.Name == "":
		return nil, p.fail(at+"/name", "name is empty")
	case a.Integrity != "" && !integrity.MatchString(a.Integrity):
		return nil, p.fail(at+"/integrity", "not a SHA-512 or SHA-256")
	case a.Tree != nil && (!treeDigest.MatchString(a.Tree.Digest) || a.Tree.Packages < 1):
		return nil, p.fail(at+"/tree", "not the digest of a tree")
	case !slices.IsSorted(a.InstallScripts):
		return nil, p.fail(at+"/installScripts", "installScripts are not sorted")
	}
	return a, nil
}

// artifactFor is the artifact as it is compared with an older one. A program of
// the machine is another file on each platform: there its digest says nothing.
func (e Entry) artifactFor(old Entry) Artifact {
	a := *e.Artifact
	if a.Ecosystem == "binary" && old.Artifact.Ecosystem == "binary" && e.platform() != old.platform() {
		a.Integrity = old.Artifact.Integrity
	}
	return a
}

// platform is where an entry was read, empty where it was not.
func (e Entry) platform() string {
	if e.Read == nil {
		return ""
	}
	return e.Read.Probe.Platform
}

// diffArtifact compares what two launches were resolved to. A version that moves
// explains its tree and its bytes; what is left is told by itself.
func diffArtifact(old, new Artifact) []Change {
	changes := diffIdentity(old, new)
	if scripts := minus(new.InstallScripts, old.InstallScripts); len(scripts) > 0 {
		changes = append(changes, Change{Event: InstallScriptAdded, Path: "artifact.installScripts", Old: jsonOf(append([]string{}, old.InstallScripts...)), New: jsonOf(scripts)})
	}
	for _, m := range []struct{ path, was, is string }{
		{"artifact.ecosystem", old.Ecosystem, new.Ecosystem}, {"artifact.name", old.Name, new.Name},
		{"artifact.spec", old.Spec, new.Spec}, {"artifact.bin", old.Bin, new.Bin},
	} {
		if m.was != m.is {
			changes = append(changes, Change{Event: OtherChanged, Path: m.path, Old: jsonOf(m.was), New: jsonOf(m.is)})
		}
	}
	if lost := minus(old.InstallScripts, new.InstallScripts); len(lost) > 0 {
		changes = append(changes, Change{Event: OtherChanged, Path: "artifact.installScripts", Old: jsonOf(lost)})
	}
	return changes
}

// diffIdentity names the one event that explains why two artifacts are not the
// same bytes.
func diffIdentity(old, new Artifact) []Change {
	same := old.Ecosystem == new.Ecosystem && old.Name == new.Name
	switch {
	case !same:
		return []Change{{Event: VersionChanged, Path: "artifact", Old: jsonOf(old.identity()), New: jsonOf(new.identity())}}
	case old.Version != new.Version:
		return []Change{{Event: VersionChanged, Path: "artifact.version", Old: jsonOf(old.Version), New: jsonOf(new.Version)}}
	case old.Integrity != new.Integrity:
		return []Change{{Event: BytesChanged, Path: "artifact.integrity", Old: jsonOf(old.Integrity), New: jsonOf(new.Integrity)}}
	case old.tree() != new.tree():
		return []Change{{Event: TreeChanged, Path: "artifact.tree", Old: jsonOf(old.tree()), New: jsonOf(new.tree())}}
	}
	return nil
}

// identity names the artifact among those of all ecosystems.
func (a Artifact) identity() string { return a.Ecosystem + " " + a.Name + "@" + a.Version }

func (a Artifact) tree() string {
	if a.Tree == nil {
		return ""
	}
	return a.Tree.Digest
}
