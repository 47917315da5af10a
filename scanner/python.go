package scanner

import (
	"context"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

const ecosystemPyPI = "pypi"

// Python turns what uvx and pipx fetch into bytes. *fetch.UV is one.
type Python interface {
	Resolve(ctx context.Context, asked []string) (fetch.Requirements, error)
	Install(ctx context.Context, r fetch.Requirements) (fetch.Environment, error)
}

// fixPython replaces uvx or pipx by the program of an environment whose files were
// verified.
func (o Options) fixPython(ctx context.Context, c manifest.Command, from source, args []string) (fixed, error) {
	r, err := o.requirementsOf(ctx, c, from)
	if err != nil {
		return fixed{}, err
	}
	env, err := o.Python.Install(ctx, r)
	if err != nil {
		return fixed{}, err
	}
	argv, err := env.Command(pythonProgram(c), args)
	if err != nil {
		return fixed{}, err
	}
	a, err := pythonArtifact(c, r)
	return fixed{argv: argv, read: []string{env.Dir()}, artifact: &a, tree: r}, err
}

// requirementsOf are the packages of a target: those of a lock, or what the index
// gives now.
func (o Options) requirementsOf(ctx context.Context, c manifest.Command, from source) (fetch.Requirements, error) {
	if o.Python == nil {
		return nil, errNoPackages
	}
	if !from.now {
		if r, ok := from.sealed().(fetch.Requirements); ok {
			return r, nil
		}
		if !from.open {
			return nil, errUnsealed
		}
	}
	asked, err := asksOf(c)
	if err != nil {
		return nil, err
	}
	return o.Python.Resolve(ctx, asked)
}

// asksOf are the requirements that a launch asks an index for, as uv reads them.
func asksOf(c manifest.Command) ([]string, error) {
	if odd := steering(c); odd != "" {
		return nil, &fetch.ResolveError{Reason: fetch.RefusedDependency, Package: c.Packages[0].Name, Detail: "its option " + finding.Claim(odd).Quote() + " changes what is taken, which cannot be fixed",
			Hint: "leave it out; toolwarrant seal --launch-only locks the launch as it is"}
	}
	var out []string
	for _, p := range c.Packages {
		if p.Source != "registry" {
			return nil, &fetch.ResolveError{Reason: fetch.RefusedDependency, Package: p.Name, Detail: "it comes from a repository, an address or a folder, not from an index",
				Hint: "name a version of an index's package; toolwarrant seal --launch-only locks the launch as it is"}
		}
		out = append(out, p.Name+p.Extras+selectorOf(p.Spec))
	}
	return out, nil
}

var plainVersion = pattern.Of(`^v?[0-9]`)

// selectorOf spells the version of "NAME@VERSION" as a requirement does.
func selectorOf(spec string) string {
	switch {
	case spec == "latest":
		return ""
	case plainVersion.MatchString(spec):
		return "==" + strings.TrimPrefix(spec, "v")
	}
	return spec
}

// Options of uvx and pipx that change nothing of what is resolved afresh, with a
// value that names packages, and without one.
var (
	packageOptions = map[string]bool{"--from": true, "--with": true, "-w": true, "--spec": true}
	quietOptions   = map[string]bool{"--isolated": true, "-n": true, "--no-cache": true, "--refresh": true, "-q": true, "--quiet": true, "-v": true, "--verbose": true, "--no-progress": true, "--no-config": true, "-U": true, "--upgrade": true, "--": true}
)

// steering is the first option of a launcher that changes what is taken, empty for
// none.
func steering(c manifest.Command) string {
	for i := c.Inner + 1; i < c.Args-1; i++ {
		w := c.Words[i].Text
		name, _, joined := strings.Cut(w, "=")
		switch {
		case !strings.HasPrefix(w, "-") || quietOptions[w]:
		case packageOptions[name]:
			if !joined {
				i++
			}
		default:
			return name
		}
	}
	return ""
}

// pythonProgram is the program that uvx starts: the one that is named, or the one
// with the package's name as it is written.
func pythonProgram(c manifest.Command) string {
	if c.Program != "" {
		return c.Program
	}
	return c.Packages[0].Name
}

// pythonArtifact is what is recorded of resolved requirements.
func pythonArtifact(c manifest.Command, r fetch.Requirements) (lockfile.Artifact, error) {
	asked := c.Packages[0]
	digest, err := r.Digest()
	main, ok := r.Find(asked.Name)
	if !ok && err == nil {
		err = &fetch.ResolveError{Reason: fetch.Failed, Package: asked.Name, Detail: "uv resolved other packages than were asked for"}
	}
	return lockfile.Artifact{
		Ecosystem: ecosystemPyPI, Name: asked.Name, Spec: asked.Spec, Version: main.Version,
		Tree: &lockfile.Tree{Packages: len(r), Digest: digest}, Bin: pythonProgram(c),
	}, err
}

// differsPython names the member of an artifact that its requirements do not bear out.
func differsPython(a lockfile.Artifact, r fetch.Requirements) string {
	digest, err := r.Digest()
	main, ok := r.Find(a.Name)
	switch {
	case err != nil || digest != a.Tree.Digest:
		return "/tree/digest"
	case len(r) != a.Tree.Packages:
		return "/tree/packages"
	case !ok:
		return "/name"
	case main.Version != a.Version:
		return "/version"
	}
	return ""
}
