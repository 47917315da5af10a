package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/internal/store"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// repository is the tree that a command works on.
type repository struct {
	root  string // absolute
	store *store.Store
	scanner.Repo
}

// openRepository finds the root of the caller's repository, the nearest folder
// above that holds .git, else the caller's own, and reads it.
func (a *app) openRepository() (*repository, error) {
	r, err := a.openFolder(findRoot(a.dir))
	if err != nil {
		return nil, err
	}
	if r.Repo, err = scanner.Load(r.store.FS()); err != nil {
		r.close()
		return nil, fmt.Errorf("read the repository: %w", err)
	}
	return r, nil
}

// repositoryFor opens the repository for a command whose -o makes sense: a wrong
// call is told before anything is read.
func (a *app) repositoryFor(c reporting) (*repository, error) {
	if _, err := c.outputs(); err != nil {
		return nil, err
	}
	return a.openRepository()
}

// openFolder opens a root without reading what is in it.
func (a *app) openFolder(root string) (*repository, error) {
	s, err := store.Open(root)
	if err != nil {
		return nil, err
	}
	return &repository{root: root, store: s}, nil
}

func findRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

func (r *repository) close() { _ = r.store.Close() }

// liveFlags shape how servers are started.
type liveFlags struct {
	Env        []string      `sep:"none" placeholder:"NAME[=VALUE]" help:"Give servers this variable; without a value, yours. Repeats."`
	InheritEnv bool          `help:"Give servers your whole environment, credentials included."`
	Cwd        string        `placeholder:"DIR" help:"Start servers in this directory instead of a neutral one."`
	Timeout    time.Duration `placeholder:"DURATION" help:"Time for one server (default 120s)."`
	Sandbox    string        `enum:"auto,full,restricted,none" default:"${sandbox}" help:"How servers are confined: auto, full, restricted or none (default: ${sandbox}). auto takes the strongest that works here."`
	Trace      string        `placeholder:"FILE" help:"Write one line for each message: target, method, direction, bytes, milliseconds; no content."`
	Cache      string        `placeholder:"DIR" help:"Where tarballs of packages are kept, by digest (default: your cache folder)."`
}

// options turns flags into what the scanner works with; done flushes the trace.
func (f liveFlags) options(a *app, r *repository, quiet bool) (o scanner.Options, done func() error, err error) {
	done = func() error { return nil }
	env, err := f.environment(a)
	if err != nil {
		return o, done, err
	}
	o = scanner.Options{
		Environment: env, Packages: f.packages(a, r.root, nil),
		Python: f.python(a, r.root, nil), Images: fetch.Engines{PATH: a.getenv("PATH"), Forbidden: []string{r.root}, Environ: a.environ},
		Limits: inspect.Limits{Server: f.Timeout}, Progress: a.progress(quiet), Tool: version,
	}
	o.Plugins = f.plugins(a, r.root, nil)
	o.Confine, o.ConfineAuto = a.confinement(sandbox.Profile(f.Sandbox)), f.Sandbox == string(sandbox.Auto)
	r.workTree(&o)
	if f.Timeout < 0 {
		return o, done, usage("--timeout 60s", "a timeout cannot be negative")
	}
	if f.Cwd != "" {
		if o.Dir = a.abs(f.Cwd); !isDir(o.Dir) {
			return o, done, usage("", "--cwd %s is not a directory", f.Cwd)
		}
	}
	if f.Trace != "" {
		t := &trace{}
		o.Trace, done = t, func() error { return a.writeFile(f.Trace, t.bytes()) }
	}
	return o, done, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// environment reads --env. A name alone takes the caller's own value.
func (f liveFlags) environment(a *app) (inspect.EnvOptions, error) {
	o := inspect.EnvOptions{Set: map[string]secret.Value{}, Inherit: f.InheritEnv, Parent: a.environ}
	for _, e := range f.Env {
		name, value, given := cutEnv(e)
		if name == "" {
			return o, usage("--env NAME=VALUE, or --env NAME for your own value", "--env without a name")
		}
		if !given {
			if value, given = a.lookupEnv(name); !given {
				return o, usage("set it, or write --env NAME=VALUE", "--env %s: your environment has no such variable", name)
			}
		}
		o.Set[name] = secret.New(value)
	}
	return o, nil
}

// approvals opens this user's record for a repository.
func (a *app) approvals(root string) (*store.Approvals, error) {
	dir, err := store.StateDir(a.getenv)
	if err != nil {
		return nil, err
	}
	return store.OpenApprovals(dir, root)
}

// maxInput is the most bytes of a file that the user names.
const maxInput = 256 << 20

// readFile reads a file that the user named.
func (a *app) readFile(file string) ([]byte, error) {
	f, err := os.Open(a.abs(file))
	if err == nil {
		defer func() { _ = f.Close() }()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("", "there is no file %s", file)
	}
	if err != nil {
		return nil, usage("", "%s cannot be read", file)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err != nil || len(data) > maxInput {
		return nil, usage("", "%s cannot be read, or is larger than %d MiB", file, maxInput>>20)
	}
	return data, nil
}
