package fetch

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Closure is everything that a launch brings, resolved: a [Tree] of npm or
// [Requirements] of Python.
type Closure interface {
	Bytes() ([]byte, error)  // as it lies beside a lock
	Digest() (string, error) // of these bytes, in a domain of its own
}

// Requirements are the packages of Python that a launch brings, by name: which
// version, and the SHA-256 of each file of it that an index may hand out.
type Requirements []Requirement

// Requirement is one package.
type Requirement struct {
	Name    string // in its normal form (PEP 503)
	Version string
	Hashes  []string // in hex, sorted
}

const (
	maxRequirements = 16 << 20 // bytes
	maxPins         = 5000
)

var (
	pinLine  = pattern.Of(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)==([0-9A-Za-z][0-9A-Za-z.!+_-]*)$`)
	hashWord = pattern.Of(`^--hash=sha256:([0-9a-f]{64})$`)
	nameRuns = pattern.Of(`[-_.]+`)
)

// PythonName is a name of a package in its normal form (PEP 503).
func PythonName(name string) string { return strings.ToLower(nameRuns.ReplaceAllString(name, "-")) }

// ParseRequirements reads requirements that [Requirements.Bytes] wrote, and
// believes only exactly that form. The error is a *LockError.
func ParseRequirements(data []byte) (Requirements, error) {
	r, err := readRequirements(data)
	if err != nil {
		return nil, err
	}
	if want, err := r.Bytes(); err != nil || !bytes.Equal(want, data) {
		return nil, &LockError{Reason: "not in the form that seal writes"}
	}
	return r, nil
}

// readRequirements reads what "uv pip compile --generate-hashes" writes: of each
// package "name==version" and its hashes, in lines joined by a backslash. Any other
// requirement (an address, a repository, a path, a marker, an option) is refused.
func readRequirements(data []byte) (Requirements, error) {
	if len(data) > maxRequirements {
		return nil, &LockError{Reason: "larger than a list of requirements can be"}
	}
	seen := map[string]bool{}
	var out Requirements
	text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := requirementOf(strings.Fields(line))
		switch {
		case err != nil:
			return nil, err
		case seen[r.Name] || len(out) == maxPins:
			return nil, &LockError{Path: r.Name, Reason: "named twice, or one of too many"}
		}
		seen[r.Name] = true
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, &LockError{Reason: "it asks for no package"}
	}
	slices.SortFunc(out, func(a, b Requirement) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func requirementOf(words []string) (Requirement, error) {
	m := pinLine.FindStringSubmatch(words[0])
	if m == nil {
		return Requirement{}, &LockError{Reason: "a requirement that is not NAME==VERSION of an index", URL: strings.Contains(words[0], "/") || slices.Contains(words, "@")}
	}
	r := Requirement{Name: PythonName(m[1]), Version: m[2]}
	for _, w := range words[1:] {
		h := hashWord.FindStringSubmatch(w)
		if h == nil {
			return Requirement{}, &LockError{Path: r.Name, Reason: "something stands behind its version that is no SHA-256"}
		}
		r.Hashes = append(r.Hashes, h[1])
	}
	if len(r.Hashes) == 0 {
		return Requirement{}, &LockError{Path: r.Name, Reason: "no SHA-256 of its files"}
	}
	slices.Sort(r.Hashes)
	r.Hashes = slices.Compact(r.Hashes)
	return r, nil
}

// Bytes are the requirements as a file that pip and uv install from.
func (r Requirements) Bytes() ([]byte, error) {
	var b bytes.Buffer
	for _, p := range r {
		fmt.Fprintf(&b, "%s==%s", p.Name, p.Version)
		for _, h := range p.Hashes {
			fmt.Fprintf(&b, " \\\n    --hash=sha256:%s", h)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// Digest is the digest of the bytes.
func (r Requirements) Digest() (string, error) {
	data, err := r.Bytes()
	return canon.Digest(canon.PyPITree, data), err
}

// Find is the package of a name.
func (r Requirements) Find(name string) (Requirement, bool) {
	i := slices.IndexFunc(r, func(p Requirement) bool { return p.Name == PythonName(name) })
	if i < 0 {
		return Requirement{}, false
	}
	return r[i], true
}

// CompareRequirements lists the packages that differ, as [Compare] does.
func CompareRequirements(old, new Requirements) Moves {
	was, is := old.byName(), new.byName()
	var m Moves
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		a, before := was[name]
		b, after := is[name]
		switch {
		case !before:
			m.Added = append(m.Added, name+" "+b.Version)
		case !after:
			m.Removed = append(m.Removed, name+" "+a.Version)
		case a.Version != b.Version:
			m.Moved = append(m.Moved, name+" "+a.Version+" → "+b.Version)
		case !slices.Equal(a.Hashes, b.Hashes):
			m.Bytes = append(m.Bytes, name+" "+b.Version)
		}
	}
	return m
}

func (r Requirements) byName() map[string]Requirement {
	out := map[string]Requirement{}
	for _, p := range r {
		out[p.Name] = p
	}
	return out
}
