package fetch

import (
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// check holds the packages of a tree against what they ask for: each is asked
// for, in a version that its asker allows, under a name that its asker uses. A
// committed lock is somebody's word and no more than that.
func (t Tree) check() error {
	asked := map[string]bool{}
	queue := []Package{}
	visit := func(from string, deps map[string]string, mustExist, ranged bool) error {
		for _, name := range slices.Sorted(maps.Keys(deps)) {
			p, ok := t.lookup(from, name)
			if !ok {
				if mustExist {
					return &LockError{Path: from, Reason: "it asks for a package that the tree lacks"}
				}
				continue
			}
			if err := allows(from, deps[name], p, ranged); err != nil {
				return err
			}
			if !asked[p.Path] {
				asked[p.Path] = true
				queue = append(queue, p)
			}
		}
		return nil
	}
	if err := visit("", t.Root, true, true); err != nil {
		return err
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, step := range []struct {
			deps              map[string]string
			mustExist, ranged bool
		}{
			{required(p.needs), true, true}, {p.needs.OptionalDependencies, false, true}, {p.needs.PeerDependencies, false, false},
		} {
			if err := visit(p.Path, step.deps, step.mustExist && !p.Optional, step.ranged); err != nil {
				return err
			}
		}
	}
	return t.allAsked(asked)
}

// required are the dependencies that are not optional; a package may list one in
// both, and then it is.
func required(n needs) map[string]string {
	out := maps.Clone(n.Dependencies)
	for name := range n.OptionalDependencies {
		delete(out, name)
	}
	return out
}

func (t Tree) allAsked(asked map[string]bool) error {
	for _, p := range t.Packages {
		switch {
		case !asked[p.Path]:
			return &LockError{Path: p.Path, Reason: "no package asks for it"}
		case p.Bundled && !t.bundles(p):
			return &LockError{Path: p.Path, Reason: "no package above bundles it, and it has no SHA-512"}
		}
	}
	return nil
}

// bundles reports whether a package above holds this one in its tarball.
func (t Tree) bundles(p Package) bool {
	for at := parent(p.Path); at != ""; at = parent(at) {
		if above, ok := t.at(at); ok && len(above.needs.Bundle) > 0 && !above.Bundled {
			return true
		}
	}
	return false
}

// allows holds a package against the selector of one that asks for it.
func allows(from, selector string, p Package, ranged bool) error {
	name := folder(p.Path)
	if alias, ok := strings.CutPrefix(selector, "npm:"); ok {
		name, selector = cutSelector(alias)
	}
	switch {
	case byAddress(selector):
		return &LockError{Path: from, Reason: "it asks for a package by an address, a git repository, a file or a folder", URL: true}
	case p.Name != name:
		return &LockError{Path: p.Path, Reason: "an alias that its parent did not declare"}
	case ranged && !satisfies(selector, p.Version):
		return &LockError{Path: p.Path, Reason: "a version that its parent does not allow"}
	}
	return nil
}

// cutSelector splits "@scope/name@^1.2" at the "@" behind the name.
func cutSelector(spec string) (name, selector string) {
	i := strings.LastIndexByte(spec, '@')
	if i <= 0 {
		return spec, ""
	}
	return spec[:i], spec[i+1:]
}

// byAddress reports whether a selector names no version of a registry:
// "git+ssh://…", "https://…", "owner/repository", "file:…", "link:…", "./x".
func byAddress(selector string) bool {
	return strings.ContainsAny(selector, `/:\`) || strings.HasPrefix(selector, ".") || strings.HasPrefix(selector, "~/")
}

// satisfies reports whether a version lies in a range of npm's. A dist-tag says
// nothing about versions and allows every one, and so does "*": npm takes the tag
// latest for it, which may be a prerelease.
func satisfies(selector, version string) bool {
	selector = strings.TrimSpace(selector)
	if selector == "" || selector == "*" || isTag(selector) {
		return true
	}
	spans, ok := parseRange(selector)
	v, err := semver.NewVersion(version)
	return ok && err == nil && slices.ContainsFunc(spans, func(s span) bool { return s.holds(v) })
}

// isTag reports whether a selector is a dist-tag: npm takes for one what is no
// range, and a range begins with a digit, an operator, "v" and a digit, or is an
// "x".
func isTag(selector string) bool {
	c := selector[0]
	switch {
	case strings.ContainsAny(selector, " |"):
		return false
	case selector == "x" || selector == "X" || strings.HasPrefix(selector, "x.") || strings.HasPrefix(selector, "X."):
		return false
	case c == 'v' && len(selector) > 1 && selector[1] >= '0' && selector[1] <= '9':
		return false
	}
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
