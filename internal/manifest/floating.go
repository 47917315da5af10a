package manifest

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

// floating reports a package that no version or digest holds, and says what to
// write instead. No registry is asked which versions there are.
func (r *entryReader) floating(p Package, at finding.Location) {
	if p.Pin != "floating" {
		return
	}
	f := finding.New("launch/floating-minor", finding.Warning, at,
		fmt.Sprintf("%s is not pinned: %s", finding.Claim(p.Name).Short(120), p.loose()))
	f.Hint = p.remedy()
	r.note(f)
}

// loose says why a package floats.
func (p Package) loose() string {
	switch {
	case p.Source == "git" && p.Spec == "":
		return "it is what a repository's default branch holds today"
	case p.Source == "git":
		return "a branch, tag or short commit can be moved"
	case p.Source == "url":
		return "what an address gives can change"
	case p.Source == "path":
		return "the file may name anything"
	case p.Ecosystem == "oci" && p.Spec == "":
		return "without a tag it is whatever \"latest\" is today"
	case p.Spec == "":
		return "without a version it is whatever is newest today"
	}
	return fmt.Sprintf("%s can be another version tomorrow", finding.Claim(p.Spec).Quote())
}

// remedy says what pins a package of its kind.
func (p Package) remedy() string {
	name := finding.Claim(p.Name).Short(80)
	switch {
	case p.Source == "git" && p.Ecosystem == "pypi":
		return "name the full commit: " + name + "@ and its 40 hexadecimal digits"
	case p.Source == "git":
		return "name the full commit: " + name + "# and its 40 hexadecimal digits"
	case p.Source == "url" && p.Ecosystem == "pypi":
		return "name a release of the package, or append #sha256= and the file's digest"
	case p.Source == "url":
		return "name a release of the package in its registry"
	case p.Source == "path":
		return "name each package with its version instead"
	}
	switch p.Ecosystem {
	case "pypi":
		return "name one release: " + name + "==X.Y.Z"
	case "oci":
		return "name the digest: " + name + "@sha256: and its 64 hexadecimal digits (docker image inspect shows it)"
	case "go":
		return "name one version: " + name + "@vX.Y.Z"
	}
	return "name one version: " + name + "@X.Y.Z"
}
