package fetch

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// ResolverOptions are what a Resolver needs beside npm's configuration.
type ResolverOptions struct {
	PATH      string   // the user's; see FindNode for what of it counts
	Forbidden []string // folders from which nothing is started or read: the scanned repository
	Cache     string   // a folder of ours for npm's cache, kept; fresh each time where empty or not open to npm's user
	Temp      string   // where fresh folders are made; empty is the system's
	Permit    Permit   // beyond public addresses; nil permits nothing
}

// Resolver turns package names into npm locks, and entries of locks into
// tarballs. Its methods may be called at the same time.
type Resolver struct {
	config  Config
	options ResolverOptions
	dialer  Dialer
	node    string // empty where there is none
	npm     []string

	mu         sync.Mutex
	transports map[string]*http.Transport // by the client certificate's PEM
}

// NewResolver makes a Resolver. That node or npm is missing is told by the
// methods that need them.
func NewResolver(c Config, o ResolverOptions) *Resolver {
	r := &Resolver{config: c, options: o, dialer: c.Dialer(o.Permit), transports: map[string]*http.Transport{}}
	if node, err := FindNode(o.PATH, o.Forbidden); err == nil {
		r.node = node
		r.npm = npmCommand(node, o.PATH, o.Forbidden)
	}
	return r
}

// Node is the absolute path of the node that resolvers and servers run under.
// The error is a *ResolveError.
func (r *Resolver) Node() (string, error) {
	if r.node == "" {
		return FindNode(r.options.PATH, r.options.Forbidden)
	}
	return r.node, nil
}

// Path is the part of PATH that counts, as directories.
func (r *Resolver) Path() []string { return trustedPath(r.options.PATH, r.options.Forbidden) }

// resolverUID is the user and group that npm runs as where we are root: of no
// account, and low enough for a container that has 65,536 of them.
const resolverUID = 65301

// uid is the user for npm, zero for ours, and a note where we would change it
// and cannot.
func (r *Resolver) uid() (uid int, note string) {
	if os.Geteuid() != 0 {
		return 0, ""
	}
	for _, path := range append([]string{r.node}, r.npm...) {
		if !open(path) {
			return 0, "npm runs as root: node or npm lies in a folder that other users cannot enter"
		}
	}
	if !enterable(r.base()) {
		return 0, "npm runs as root: the temporary directory cannot be entered by other users"
	}
	return resolverUID, ""
}

// base is where fresh folders are made.
func (r *Resolver) base() string {
	if r.options.Temp != "" {
		return r.options.Temp
	}
	return os.TempDir()
}

// cache is npm's folder in the caller's, one for each user that npm runs as;
// empty where the caller keeps none or that user could not enter it.
func (r *Resolver) cache(uid int) string {
	kept := r.options.Cache
	if kept == "" || os.MkdirAll(kept, 0o755) != nil || uid != 0 && !enterable(kept) {
		return ""
	}
	return filepath.Join(kept, fmt.Sprintf("npm-%d", uid))
}

// Note says what is weaker than it should be about how npm is run; empty for nothing.
func (r *Resolver) Note() string {
	uid, note := r.uid()
	if note != "" {
		return note + ", and without a sandbox"
	}
	return confinedNote("npm", uid)
}

// open reports whether a user of no group of ours can read the file at path and
// reach it, by its own name and by where links lead.
func open(path string) bool {
	for _, p := range []string{path, resolved(path)} {
		info, err := os.Stat(p)
		if err != nil || info.Mode().Perm()&0o004 == 0 {
			return false
		}
		if !enterable(filepath.Dir(p)) {
			return false
		}
	}
	return true
}

// enterable reports whether every folder down to dir can be entered by anybody.
func enterable(dir string) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}
