package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// maxLinks is how many links are followed for one name.
const maxLinks = 40

// FS is the tree of one commit: an [fs.FS] with ReadDir, ReadFile, Stat, Lstat and
// ReadLink. Links are followed in every element of a name, inside the tree only.
// What is in git and not here is an error (*[MissingError]), never absent and never
// empty; only a name that git does not have is [fs.ErrNotExist]. Times are zero. A
// name that is not UTF-8 is listed and cannot be opened. It is safe for use by
// several goroutines.
type FS struct {
	repo *Repository
	root string // id of the root's tree
}

// node is an entry with the real place of what it is: no element is a link, except
// maybe the last.
type node struct {
	entry
	at string
}

func (f *FS) top() node { return node{entry{".", folder, f.root}, "."} }

// find looks a name up; last says whether a link in its last element is followed.
func (f *FS) find(op, name string, last bool) (node, error) {
	if !fs.ValidPath(name) {
		return node{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	s := search{fs: f, trail: []node{f.top()}, todo: strings.Split(name, "/")}
	for len(s.todo) > 0 {
		if err := s.step(last); err != nil {
			return node{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return s.here(), nil
}

// search is a walk down a name.
type search struct {
	fs    *FS
	trail []node // from the root to where it is
	todo  []string
	hops  int
}

func (s *search) here() node { return s.trail[len(s.trail)-1] }

// step takes one element.
func (s *search) step(last bool) error {
	name := s.todo[0]
	s.todo = s.todo[1:]
	switch here := s.here(); {
	case here.kind == submodule:
		return ErrSubmodule
	case here.kind != folder:
		return fs.ErrNotExist
	case name == "" || name == ".":
		return nil
	case name == "..":
		if len(s.trail) == 1 {
			return ErrOutside
		}
		s.trail = s.trail[:len(s.trail)-1]
		return nil
	}
	entries, err := s.fs.repo.folder(s.here().id)
	if err != nil {
		return err
	}
	e, ok := lookup(entries, name)
	if !ok {
		return fs.ErrNotExist
	}
	if e.kind == link && (last || len(s.todo) > 0) {
		return s.turn(e)
	}
	s.trail = append(s.trail, node{e, path.Join(s.here().at, name)})
	return nil
}

// turn puts a link's target in front of what is left to do.
func (s *search) turn(e entry) error {
	if s.hops++; s.hops > maxLinks {
		return ErrLoop
	}
	target, err := s.fs.repo.typed(e.id, "blob")
	if err != nil {
		return err
	}
	to := string(target)
	if to == "" || strings.HasPrefix(to, "/") || strings.ContainsAny(to, "\\\x00") || len(to) > 1 && to[1] == ':' {
		return ErrOutside // absolute here or on Windows
	}
	s.todo = append(strings.Split(to, "/"), s.todo...)
	return nil
}

// Open opens a file or folder; links are followed.
func (f *FS) Open(name string) (fs.File, error) {
	n, err := f.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if n.kind == folder {
		return &openFolder{fs: f, node: n, name: name}, nil
	}
	data, err := f.read(n)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{bytes.NewReader(data), info{path.Base(name), modeOf(n.kind), int64(len(data))}}, nil
}

// ReadFile is all of a file; links are followed.
func (f *FS) ReadFile(name string) ([]byte, error) {
	n, err := f.find("read", name, true)
	if err == nil && n.kind == folder {
		err = &fs.PathError{Op: "read", Path: name, Err: errFolder}
	}
	if err != nil {
		return nil, err
	}
	data, err := f.read(n)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// ReadDir lists a folder by name; links to it are followed, those in it are not.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := f.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	out, err := f.list(n)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return out, nil
}

// Stat describes what a name leads to.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.describe("stat", name, true) }

// Lstat describes a name itself.
func (f *FS) Lstat(name string) (fs.FileInfo, error) { return f.describe("lstat", name, false) }

// ReadLink is where a link points, as it stands in the tree.
func (f *FS) ReadLink(name string) (string, error) {
	n, err := f.find("readlink", name, false)
	if err == nil && n.kind != link {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	data, err := f.read(n)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(data), nil
}

// ID is git's id of what a name leads to, which is not read: equal ids are equal
// bytes, of a file or of everything in a folder. For a submodule it is the commit.
func (f *FS) ID(name string) (id string, ok bool) {
	n, err := f.find("id", name, true)
	return n.id, err == nil
}

var (
	errFolder    = errors.New("a folder")
	errNotFolder = errors.New("not a folder")
)

func (f *FS) read(n node) ([]byte, error) {
	if n.kind == submodule {
		return nil, ErrSubmodule
	}
	return f.repo.typed(n.id, "blob")
}

func (f *FS) list(n node) ([]fs.DirEntry, error) {
	if n.kind != folder {
		return nil, errNotFolder
	}
	entries, err := f.repo.folder(n.id)
	if err != nil {
		return nil, err
	}
	out := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		out[i] = listed{f, e}
	}
	return out, nil
}

func (f *FS) describe(op, name string, last bool) (fs.FileInfo, error) {
	n, err := f.find(op, name, last)
	if err != nil {
		return nil, err
	}
	i, err := f.info(path.Base(name), n.entry)
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return i, nil
}

func (f *FS) info(name string, e entry) (fs.FileInfo, error) {
	i := info{name: name, mode: modeOf(e.kind)}
	if e.kind == folder || e.kind == submodule {
		return i, nil
	}
	var err error
	i.size, err = f.repo.blobSize(e.id)
	return i, err
}

func modeOf(k kind) fs.FileMode {
	switch k {
	case folder:
		return fs.ModeDir | 0o755
	case link:
		return fs.ModeSymlink | 0o777
	case executable:
		return 0o755
	case submodule:
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
func (i info) String() string     { return fs.FormatFileInfo(i) }

// listed is one name of a folder; its size is looked up when it is asked for.
type listed struct {
	fs *FS
	entry
}

func (l listed) Name() string               { return l.name }
func (l listed) IsDir() bool                { return l.kind == folder }
func (l listed) Type() fs.FileMode          { return modeOf(l.kind).Type() }
func (l listed) Info() (fs.FileInfo, error) { return l.fs.info(l.name, l.entry) }
func (l listed) String() string             { return fs.FormatDirEntry(l) }

type openFile struct {
	*bytes.Reader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	fs   *FS
	node node
	name string
	rest []fs.DirEntry
	read bool
}

func (d *openFolder) Stat() (fs.FileInfo, error) { return d.fs.info(path.Base(d.name), d.node.entry) }
func (d *openFolder) Close() error               { return nil }
func (d *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errFolder}
}

// ReadDir lists the next n names of the folder, or all that are left.
func (d *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if !d.read {
		var err error
		if d.rest, err = d.fs.list(d.node); err != nil {
			return nil, &fs.PathError{Op: "readdir", Path: d.name, Err: err}
		}
		d.read = true
	}
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	out := d.rest[:n:n]
	d.rest = d.rest[n:]
	return out, nil
}
