package scanner

import (
	"context"
	"errors"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Packages turns what launchers fetch into bytes: names to trees, trees to
// artifacts that were verified. *fetch.NPM is one.
type Packages interface {
	Resolve(ctx context.Context, specs []fetch.Spec) (fetch.Tree, error)
	Install(ctx context.Context, t fetch.Tree) (fetch.Artifact, error)
	Node() (string, error)
}

// source says which bytes of a target are started. The zero source starts none
// that a launcher would fetch.
type source struct {
	lock  *Lock // whose tree is taken
	now   bool  // what the registry gives now is taken, whatever a lock says
	open  bool  // what the registry gives now is taken where the lock fixes nothing
	grant grant
}

// sealed is the tree of the lock, nil where it fixes none.
func (s source) sealed() fetch.Closure {
	if s.lock == nil {
		return nil
	}
	return s.lock.Tree
}

// fixed is a launch whose bytes are known: what was hashed is what runs.
type fixed struct {
	argv     []string
	read     []string           // what it has to be able to read, absolute
	artifact *lockfile.Artifact // nil where nothing is recorded of it
	tree     fetch.Closure
}

// Reasons why bytes are not known, beside those of fetch and inspect.
const (
	unresolvable inspect.Reason = "unresolvable"
	bytesDiffer  inspect.Reason = "bytes-changed"
)

// errUnsealed: on a change nothing is resolved.
var errUnsealed = errors.New("its lock fixes no packages, and a change resolves none: seal it again")

// fix replaces a launcher by the program that it would start, from bytes that
// are locked or were resolved now. What fetches nothing is started as it is; env is
// the environment that it gets.
func (o Options) fix(ctx context.Context, t Target, at place, from source, env []string) (f fixed, err error) {
	c := t.Declared[0].Launch.Command()
	argv := o.command(t, at)
	if !fixable(c) {
		as := o.asIs(ctx, t, c, argv, env)
		as.read, err = o.lay(ctx, t, at)
		return as, err
	}
	if err := takenElsewhere(t, c); err != nil {
		return fixed{}, err
	}
	if c.Ecosystem == ecosystemPyPI {
		return o.fixPython(ctx, c, from, o.serverArgs(t, c, argv))
	}
	tree, err := o.treeOf(ctx, c, from)
	if err != nil {
		return fixed{}, err
	}
	a, err := o.Packages.Install(ctx, tree)
	if err != nil {
		return fixed{}, err
	}
	p, err := a.Program(c.Packages[0].Name, c.Program)
	if err != nil {
		return fixed{}, err
	}
	node, err := o.Packages.Node()
	if err != nil {
		return fixed{}, err
	}
	artifact, err := npmArtifact(c, tree, p.Package)
	artifact.Bin = p.File
	return fixed{argv: p.Command(node, o.serverArgs(t, c, argv)), read: []string{a.Dir()}, artifact: &artifact, tree: tree}, err
}

const ecosystemNPM = "npm"

// fixable reports whether the bytes of a launch can be resolved and locked.
func fixable(c manifest.Command) bool {
	return (c.Ecosystem == ecosystemNPM || c.Ecosystem == ecosystemPyPI) && c.Why == "" && len(c.Packages) > 0
}

// takenElsewhere refuses a launch whose client takes other bytes than are resolved
// from the names of its packages.
func takenElsewhere(t Target, c manifest.Command) error {
	what := t.Declared[0].Launch.Elsewhere(c)
	if what == "" {
		return nil
	}
	return &fetch.ResolveError{Reason: fetch.RefusedDependency, Package: c.Packages[0].Name,
		Detail: finding.Claim(what).Quote() + " makes a client take it from elsewhere than this user's configuration says",
		Hint:   "put the setting into the user's own configuration and take it out of the launch; toolwarrant seal --launch-only locks the launch as it is"}
}

// treeOf is the tree of a target's packages: the one of a lock, or what the
// registry gives now.
func (o Options) treeOf(ctx context.Context, c manifest.Command, from source) (fetch.Tree, error) {
	switch {
	case o.Packages == nil:
		return fetch.Tree{}, errNoPackages
	case !from.now:
		if tree, ok := from.sealed().(fetch.Tree); ok && asksFor(c, tree) {
			return tree, nil
		} else if ok {
			return fetch.Tree{}, errOtherTree
		}
		if !from.open {
			return fetch.Tree{}, errUnsealed
		}
	}
	specs, err := specsOf(c)
	if err != nil {
		return fetch.Tree{}, err
	}
	return o.Packages.Resolve(ctx, specs)
}

// errOtherTree: a lock that was named for a launch is about other packages.
var errOtherTree = errors.New("the lock fixes other packages than the launch asks for")

var errNoPackages = errors.New("no resolver of packages is at hand")

// specsOf are the packages that a launch asks a registry for.
func specsOf(c manifest.Command) ([]fetch.Spec, error) {
	var out []fetch.Spec
	for _, p := range c.Packages {
		if p.Source != "registry" {
			return nil, &fetch.ResolveError{Reason: fetch.RefusedDependency, Package: p.Name, Detail: "it comes from a git repository, an address or a folder, not from a registry",
				Hint: "name a version of a registry's package; toolwarrant seal --launch-only locks the launch as it is"}
		}
		out = append(out, fetch.Spec{Name: p.Name, Selector: p.Spec})
	}
	return out, nil
}

// npmArtifact is what is recorded of a resolved tree: of the package that holds the
// program.
func npmArtifact(c manifest.Command, tree fetch.Tree, pkg string) (lockfile.Artifact, error) {
	asked := c.Packages[max(0, slices.IndexFunc(c.Packages, func(p manifest.Package) bool { return p.Name == pkg }))]
	digest, err := tree.Digest()
	if err != nil {
		return lockfile.Artifact{}, err
	}
	main, _ := tree.Main(asked.Name)
	return lockfile.Artifact{
		Ecosystem: ecosystemNPM, Name: asked.Name, Spec: asked.Spec, Version: main.Version, Integrity: main.Integrity,
		Tree: &lockfile.Tree{Packages: len(tree.Packages), Digest: digest}, InstallScripts: tree.InstallScripts(),
	}, nil
}

// serverArgs are the words of a command behind the launcher and its packages, as
// a start has them. A word that a shell's text was split into stands for itself.
func (o Options) serverArgs(t Target, c manifest.Command, argv []string) []string {
	var out []string
	for i := c.Args; i < len(c.Words); i++ {
		w := c.Words[i]
		if whole := t.Declared[0].Launch.Argv[w.Arg]; whole.Shown == w.Text || whole.Secret > 0 {
			out = append(out, argv[w.Arg])
		} else {
			out = append(out, w.Text)
		}
	}
	return out
}

// resolveStage is where a reading stops that could not get its bytes.
const resolveStage = "resolve"

// adviceOf is what whoever failed says is to be done.
func adviceOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	var resolve *fetch.ResolveError
	if errors.As(err, &resolve) {
		return resolve.Hint
	}
	return ""
}

// unfixed is the result of a target whose bytes could not be had.
func unfixed(err error) inspect.Result {
	r := inspect.Result{Stage: resolveStage, Reason: unresolvable, Detail: err.Error()}
	var resolve *fetch.ResolveError
	var bytes *fetch.BytesError
	switch {
	case errors.As(err, &bytes):
		r.Reason, r.Detail = bytesDiffer, bytes.File+": "+bytes.Reason
	case errors.As(err, &resolve):
		r.Reason = inspect.Reason(resolve.Reason)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		r.Reason, r.Detail = inspect.Cancelled, "its packages were not had in time"
	}
	return r
}
