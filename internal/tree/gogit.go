package tree

import (
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// maxAlternates is how deep one store of objects may borrow from another; git has
// the same bound.
const maxAlternates = 5

// goGit reads SHA-1 objects with go-git: from one folder, and from those that it
// borrows from (objects/info/alternates). Only the stores are used, not go-git's
// Repository, which would read the configuration.
type goGit struct {
	stores []*filesystem.ObjectStorage
	limit  int64 // the most bytes of an object
}

func newGoGit(dir string) *goGit {
	g := &goGit{limit: maxObject}
	g.add(dir, cache.NewObjectLRUDefault(), map[string]bool{}, 0)
	return g
}

// add opens a folder named objects and what it borrows from. One that is not there
// adds nothing: its objects are missing, and said to be.
func (g *goGit) add(dir string, c cache.Object, seen map[string]bool, depth int) {
	dir = filepath.Clean(dir)
	if seen[dir] || depth > maxAlternates || filepath.Base(dir) != "objects" || !isDir(dir) {
		return
	}
	seen[dir] = true
	store := filesystem.NewObjectStorageWithOptions(dotgit.New(osfs.New(filepath.Dir(dir))), c, filesystem.Options{KeepDescriptors: true})
	g.stores = append(g.stores, store)
	text, _ := readSmall(filepath.Join(dir, "info", "alternates"), maxSmall)
	for line := range strings.SplitSeq(string(text), "\n") {
		if line = strings.TrimRight(line, "\r"); line != "" && line[0] != '#' && line[0] != '"' {
			g.add(resolve(dir, line), c, seen, depth+1)
		}
	}
}

func (g *goGit) get(id string) (kind string, data []byte, err error) {
	defer recovered(&err)
	store, size, err := g.find(id)
	if err != nil {
		return "", nil, err
	}
	if size > g.limit {
		return "", nil, ErrTooLarge
	}
	o, err := store.EncodedObject(plumbing.AnyObject, plumbing.NewHash(id))
	if err != nil {
		return "", nil, unreadable(id)
	}
	r, err := o.Reader()
	if err != nil {
		return "", nil, unreadable(id)
	}
	defer func() { _ = r.Close() }()
	data, err = io.ReadAll(io.LimitReader(r, g.limit))
	if err != nil {
		return "", nil, unreadable(id)
	}
	return o.Type().String(), data, nil
}

func (g *goGit) size(id string) (size int64, err error) {
	defer recovered(&err)
	_, size, err = g.find(id)
	return size, err
}

// find is the store that holds an object. Its size is asked for first, so that a
// small object that unpacks to gigabytes is never unpacked.
func (g *goGit) find(id string) (*filesystem.ObjectStorage, int64, error) {
	if len(id) != 40 {
		return nil, 0, &MissingError{id}
	}
	for _, s := range g.stores {
		size, err := s.EncodedObjectSize(plumbing.NewHash(id))
		switch {
		case err == nil:
			return s, size, nil
		case !errors.Is(err, plumbing.ErrObjectNotFound):
			return nil, 0, unreadable(id)
		}
	}
	return nil, 0, &MissingError{id}
}

func (g *goGit) prefixed(prefix string) (out []string, err error) {
	defer recovered(&err)
	whole, _ := hex.DecodeString(prefix[:len(prefix)&^1])
	for _, s := range g.stores {
		hashes, err := s.HashesWithPrefix(whole)
		if err != nil {
			return nil, unreadable(prefix)
		}
		for _, h := range hashes {
			if id := h.String(); strings.HasPrefix(id, prefix) {
				out = append(out, id)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (g *goGit) close() error {
	var errs []error
	for _, s := range g.stores {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

func unreadable(id string) error { return &MalformedError{id, "it cannot be read"} }

// recovered turns a panic of a parser of foreign bytes into an error: several of
// go-git's published vulnerabilities were panics on crafted packs.
func recovered(err *error) {
	if recover() != nil {
		*err = errors.New("a file of the repository cannot be read")
	}
}
