// Package tree gives trees as fs.FS: a revision of a git repository, read from
// its objects. The work tree, its attributes and filters, and the
// repository's configuration have no say in what the bytes are.
package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxBlob is the most bytes of one file that are read.
const maxBlob = 256 << 20

// maxLinks is how many links are followed for one name.
const maxLinks = 40

// FS is the tree of one commit. Links are followed inside the tree only. It is
// safe for use by several goroutines as far as the object store is.
type FS struct{ root *object.Tree }

// Open reads the tree of a revision of the repository at dir.
func Open(dir, revision string) (*FS, error) {
	repo, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{EnableDotGitCommonDir: true})
	if err != nil {
		return nil, fmt.Errorf("no git repository can be read here")
	}
	hash, err := repo.ResolveRevision(plumbing.Revision(revision))
	if err != nil {
		return nil, fmt.Errorf("there is no revision %q here", revision)
	}
	commit, err := repo.CommitObject(*hash)
	if err != nil {
		return nil, fmt.Errorf("revision %q is no commit", revision)
	}
	root, err := commit.Tree()
	if err != nil {
		return nil, fmt.Errorf("the tree of %q is not in this repository", revision)
	}
	return &FS{root}, nil
}

// Open opens a file or folder; links are followed.
func (f *FS) Open(name string) (fs.File, error) {
	e, at, err := f.follow("open", name)
	if err != nil {
		return nil, err
	}
	if e.Mode == filemode.Dir {
		return &folder{fs: f, name: at, entry: e}, nil
	}
	data, err := f.blob(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{Reader: bytes.NewReader(data), info: info{name: path.Base(name), mode: modeOf(e.Mode), size: int64(len(data))}}, nil
}

// Stat describes what a name leads to.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	e, _, err := f.follow("stat", name)
	if err != nil {
		return nil, err
	}
	return f.describe(path.Base(name), e)
}

// Lstat describes a name itself.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	e, err := f.entry("lstat", name)
	if err != nil {
		return nil, err
	}
	return f.describe(path.Base(name), e)
}

// ReadLink returns where a link points.
func (f *FS) ReadLink(name string) (string, error) {
	e, err := f.entry("readlink", name)
	if err != nil {
		return "", err
	}
	if e.Mode != filemode.Symlink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	data, err := f.blob(e)
	return string(data), err
}

func (f *FS) describe(name string, e object.TreeEntry) (fs.FileInfo, error) {
	i := info{name: name, mode: modeOf(e.Mode)}
	if e.Mode.IsFile() {
		size, err := f.root.Size(e.Name)
		if err == nil {
			i.size = size
		}
	}
	return i, nil
}

// entry finds a name without following a link in its last element; a link in
// an element before it is followed. Its Name is the whole path.
func (f *FS) entry(op, name string) (object.TreeEntry, error) {
	if !fs.ValidPath(name) {
		return object.TreeEntry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		return object.TreeEntry{Name: ".", Mode: filemode.Dir, Hash: f.root.Hash}, nil
	}
	e, err := f.root.FindEntry(name)
	if err != nil {
		return object.TreeEntry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	found := *e
	found.Name = name
	return found, nil
}

// follow resolves links, in every element of the name.
func (f *FS) follow(op, name string) (e object.TreeEntry, at string, err error) {
	if !fs.ValidPath(name) {
		return e, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	todo, at := strings.Split(name, "/"), "."
	for hops := 0; len(todo) > 0; {
		next := path.Join(at, todo[0])
		if e, err = f.entry(op, next); err != nil {
			return e, "", err
		}
		todo = todo[1:]
		if e.Mode != filemode.Symlink {
			at = next
			continue
		}
		target, err := f.blob(e)
		if hops++; err != nil || hops > maxLinks || path.IsAbs(string(target)) {
			return e, "", &fs.PathError{Op: op, Path: name, Err: errors.New("a link that leads out of the tree or in a circle")}
		}
		joined := path.Join(at, string(target))
		if !fs.ValidPath(joined) {
			return e, "", &fs.PathError{Op: op, Path: name, Err: errors.New("a link that leads out of the tree")}
		}
		todo, at = append(strings.Split(joined, "/"), todo...), "."
	}
	e, err = f.entry(op, at)
	return e, at, err
}

func (f *FS) blob(e object.TreeEntry) ([]byte, error) {
	if e.Mode == filemode.Submodule {
		return nil, errors.New("a submodule")
	}
	file, err := f.root.TreeEntryFile(&e)
	if err != nil {
		return nil, errors.New("an object that is not in this repository")
	}
	if file.Size > maxBlob {
		return nil, errors.New("larger than a file that is read may be")
	}
	r, err := file.Reader()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(io.LimitReader(r, maxBlob))
}

func modeOf(m filemode.FileMode) fs.FileMode {
	switch m {
	case filemode.Dir:
		return fs.ModeDir | 0o755
	case filemode.Symlink:
		return fs.ModeSymlink | 0o777
	case filemode.Executable:
		return 0o755
	case filemode.Submodule:
		return fs.ModeIrregular
	}
	return 0o644
}

type info struct {
	name string
	mode fs.FileMode
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// listed is one name of a folder; its size is looked up when it is asked for.
type listed struct {
	fs   *FS
	at   string
	mode fs.FileMode
}

func (l listed) Name() string               { return path.Base(l.at) }
func (l listed) IsDir() bool                { return l.mode.IsDir() }
func (l listed) Type() fs.FileMode          { return l.mode.Type() }
func (l listed) Info() (fs.FileInfo, error) { return l.fs.Lstat(l.at) }
func (l listed) String() string             { return fs.FormatDirEntry(l) }

type file struct {
	*bytes.Reader
	info info
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

type folder struct {
	fs    *FS
	name  string
	entry object.TreeEntry
	rest  []fs.DirEntry
	read  bool
}

func (d *folder) Stat() (fs.FileInfo, error) {
	return info{name: path.Base(d.name), mode: fs.ModeDir | 0o755}, nil
}
func (d *folder) Close() error             { return nil }
func (d *folder) Read([]byte) (int, error) { return 0, errors.New("a folder") }

// ReadDir lists the folder by name.
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if !d.read {
		t := d.fs.root
		if d.name != "." {
			var err error
			if t, err = d.fs.root.Tree(d.name); err != nil {
				return nil, &fs.PathError{Op: "readdir", Path: d.name, Err: fs.ErrNotExist}
			}
		}
		for _, e := range t.Entries {
			d.rest = append(d.rest, listed{d.fs, path.Join(d.name, e.Name), modeOf(e.Mode)})
		}
		slices.SortFunc(d.rest, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		d.read = true
	}
	if n <= 0 {
		out := d.rest
		d.rest = nil
		return out, nil
	}
	if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	out := d.rest[:n]
	d.rest = d.rest[n:]
	return out, nil
}
