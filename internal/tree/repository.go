// Package tree gives trees as fs.FS: a commit of a git repository, read from its
// objects, and never through anything that the repository says about how it wants
// to be read.
//
// Two backends read objects. Go-git's object store serves every repository with
// SHA-1 ids, partial clones and linked work trees included: it is given the folder
// of the objects and no configuration. The git command serves the others (SHA-256
// ids, references in a reftable); it runs in an empty git folder of ours that
// points at the objects, so that there too no configuration, replace reference,
// graft, hook, filter or promisor of the repository exists. Nothing is ever
// fetched on demand: an object that is not here is a [MissingError].
//
// Whatever the backend, the id of every object is computed again from its bytes,
// and commits and trees are parsed here, as gitformat-pack(5) and git's tree.c and
// commit.c have them.
package tree

import (
	"errors"
	"path/filepath"
	"sync"
)

// maxCached is the most entries of parsed folders that are kept in memory.
const maxCached = 1 << 20

// Repository reads commits, trees and references. It never writes into the
// repository. It is safe for use by several goroutines.
type Repository struct {
	root  string
	dirs  gitDirs
	conf  settings
	refs  references
	store string         // of a view, the folder that a fetch made
	extra []func() error // run by Close

	mu      sync.Mutex // guards what follows; neither backend is safe by itself
	objects objects
	folders map[string][]entry // parsed trees by id
	cached  int                // entries in folders
}

// OpenRepository opens the repository whose work tree holds dir: the nearest
// folder at or above it with a .git that git would take. A repository without a
// work tree is not found, so that one which is committed as plain files says
// nothing. [ErrNoRepository] where there is none.
func OpenRepository(dir string) (*Repository, error) {
	return open(dir, false)
}

// open opens a repository; command asks for the git command where go-git would do.
func open(dir string, command bool) (*Repository, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, ErrNoRepository
	}
	root, dirs, err := discover(abs)
	if err != nil {
		return nil, err
	}
	conf, err := readSettings(dirs.common)
	if err != nil {
		return nil, err
	}
	r := &Repository{root: root, dirs: dirs, conf: conf, folders: map[string][]entry{}}
	r.objects = openObjects(filepath.Join(dirs.common, "objects"), conf, command)
	r.extra = append(r.extra, r.objects.close)
	if conf.reftable {
		r.refs, err = commandReferences(dirs)
	} else {
		r.refs = fileReferences{dirs}
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func openObjects(dir string, conf settings, command bool) objects {
	if command || conf.sha256 {
		return &commandObjects{dir: dir, sha256: conf.sha256, limit: maxObject}
	}
	return newGoGit(dir)
}

// Root is the folder of the work tree, absolute.
func (r *Repository) Root() string { return r.root }

// Close ends what was started to read objects. Trees of r cannot be read after.
func (r *Repository) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, f := range r.extra {
		errs = append(errs, f())
	}
	r.extra = nil
	return errors.Join(errs...)
}

// Shallow reports whether the history was cut when it was fetched.
func (r *Repository) Shallow() bool { return sizeOf(filepath.Join(r.dirs.common, "shallow")) > 0 }

// Tree is the tree of a commit, given as a full id or as a revision.
func (r *Repository) Tree(commit string) (*FS, error) {
	id, err := r.Resolve(commit)
	if err != nil {
		return nil, err
	}
	c, err := r.commit(id)
	if err != nil {
		return nil, err
	}
	if _, err := r.folder(c.tree); err != nil {
		return nil, err
	}
	return &FS{repo: r, root: c.tree}, nil
}

// Open reads the tree of a revision of the repository around dir.
func Open(dir, revision string) (*FS, error) {
	r, err := OpenRepository(dir)
	if err != nil {
		return nil, err
	}
	f, err := r.Tree(revision)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return f, nil
}
