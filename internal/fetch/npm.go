package fetch

import (
	"context"
	"errors"
)

// Folders are where packages are kept, each absolute: tarballs by their digest,
// unpacked trees, and what npm keeps for itself.
type Folders struct{ Tarballs, Trees, NPM string }

// NPM resolves packages of npm's registries and makes them ready to be started.
type NPM struct {
	resolver *Resolver
	depot    *Depot
}

// OpenNPM reads the configuration of the user whose environment environ is, and
// opens the folders. The error is a *ConfigError, a *ShadowError or one of the
// file system.
func OpenNPM(environ []string, f Folders, o ResolverOptions) (*NPM, error) {
	node, err := FindNode(o.PATH, o.Forbidden)
	if err != nil {
		node = "" // told by what needs it
	}
	config, err := ReadConfig(environ, node, o.Forbidden...)
	if err != nil {
		return nil, err
	}
	o.Cache = f.NPM
	r := NewResolver(config, o)
	d, err := OpenDepot(f.Tarballs, f.Trees, r)
	if err != nil {
		return nil, err
	}
	return &NPM{r, d}, nil
}

// Node is the absolute path of the node that runs servers.
func (n *NPM) Node() (string, error) { return n.resolver.Node() }

// Note says what is weaker than it should be about how npm is run; empty for nothing.
func (n *NPM) Note() string { return n.resolver.Note() }

// Install makes a tree ready to be started from, see [Depot.Install].
func (n *NPM) Install(ctx context.Context, t Tree) (Artifact, error) { return n.depot.Install(ctx, t) }

// Resolve asks npm for the tree that specs give today. The error is a
// *ResolveError, a *LockError, or the context's.
func (n *NPM) Resolve(ctx context.Context, specs []Spec) (Tree, error) {
	data, err := n.resolver.ResolveNPM(ctx, specs)
	if err != nil {
		return Tree{}, err
	}
	t, err := readTree(data)
	if bad := (*LockError)(nil); errors.As(err, &bad) && bad.URL {
		return Tree{}, &ResolveError{Reason: RefusedDependency, Package: specs[0].String(), Detail: "one of its packages comes from an address, a git repository, a file or a folder: " + bad.Error(),
			Hint: "such bytes cannot be fixed; toolwarrant seal --launch-only locks the launch as it is"}
	} else if err != nil {
		return Tree{}, err
	}
	if !Asks(t, specs) {
		return Tree{}, &ResolveError{Reason: Failed, Package: specs[0].String(), Detail: "npm resolved other packages than were asked for"}
	}
	return t, nil
}

// Asks reports whether the root of a tree asks for exactly these packages.
func Asks(t Tree, specs []Spec) bool {
	want := map[string]string{}
	for _, s := range specs {
		if want[s.Name] = s.Selector; s.Selector == "" {
			want[s.Name] = "latest"
		}
	}
	for name, selector := range t.Root {
		if want[name] != selector {
			return false
		}
	}
	return len(t.Root) == len(want)
}
