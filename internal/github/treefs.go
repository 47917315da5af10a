package github

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// maxLinks is how many links are followed for one name.
const maxLinks = 40

// What a name may lead to beside files and folders.
var (
	errOutside   = errors.New("a link that leads out of the tree")
	errLoop      = errors.New("a link that leads to itself")
	errSubmodule = errors.New("a submodule")
	errFolder    = errors.New("a folder")
	errNoFolder  = errors.New("not a folder")
)

// find looks a name up; last says whether a link in its last element is followed.
func (f *files) find(op, name string, last bool) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	w := way{files: f, trail: []*node{f.root}, todo: strings.Split(name, "/")}
	for len(w.todo) > 0 {
		if err := w.step(last); err != nil {
			return nil, &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return w.here(), nil
}

// way is a walk down a name.
type way struct {
	*files
	trail []*node // from the root to where it is
	todo  []string
	hops  int
}

func (w *way) here() *node { return w.trail[len(w.trail)-1] }

// step takes one element of the name.
func (w *way) step(last bool) error {
	element := w.todo[0]
	w.todo = w.todo[1:]
	switch here := w.here(); {
	case here.mode == modes[modeSubmodule]:
		return errSubmodule
	case !here.mode.IsDir():
		return fs.ErrNotExist
	case element == "" || element == ".":
		return nil
	case element == "..":
		if len(w.trail) == 1 {
			return errOutside
		}
		w.trail = w.trail[:len(w.trail)-1]
		return nil
	}
	i, ok := slices.BinarySearchFunc(w.here().list, element, func(n *node, name string) int { return strings.Compare(n.name(), name) })
	if !ok {
		return fs.ErrNotExist
	}
	n := w.here().list[i]
	if n.mode == modes[modeLink] && (last || len(w.todo) > 0) {
		return w.turn(n)
	}
	w.trail = append(w.trail, n)
	return nil
}

// turn puts a link's target in front of what is left of the name.
func (w *way) turn(n *node) error {
	if w.hops++; w.hops > maxLinks {
		return errLoop
	}
	target, err := w.blob(n)
	if err != nil {
		return err
	}
	to := string(target)
	if to == "" || to[0] == '/' || strings.ContainsAny(to, "\\\x00") || len(to) > 1 && to[1] == ':' {
		return errOutside // absolute here or on Windows
	}
	w.todo = append(strings.Split(to, "/"), w.todo...)
	return nil
}

// Open opens a file or folder; links are followed.
func (f *files) Open(name string) (fs.File, error) {
	n, err := f.find("open", name, true)
	if err != nil {
		return nil, err
	}
	i := info{path.Base(name), n}
	if n.mode.IsDir() {
		return &openFolder{info: i, name: name}, nil
	}
	data, err := f.contents("open", name, n)
	if err != nil {
		return nil, err
	}
	return &openFile{bytes.NewReader(data), i}, nil
}

func (f *files) contents(op, name string, n *node) ([]byte, error) {
	err := errSubmodule
	switch {
	case n.mode.IsDir():
		err = errFolder
	case n.mode != modes[modeSubmodule]:
		var data []byte
		if data, err = f.blob(n); err == nil {
			return slices.Clone(data), nil
		}
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: err}
}

// ReadFile is all of a file; links are followed.
func (f *files) ReadFile(name string) ([]byte, error) {
	n, err := f.find("read", name, true)
	if err != nil {
		return nil, err
	}
	return f.contents("read", name, n)
}

// ReadDir lists a folder; links to it are followed, those in it are not.
func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := f.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNoFolder}
	}
	return entries(n), nil
}

func entries(n *node) []fs.DirEntry {
	out := make([]fs.DirEntry, len(n.list))
	for i, child := range n.list {
		out[i] = fs.FileInfoToDirEntry(info{child.name(), child})
	}
	return out
}

// Stat describes what a name leads to.
func (f *files) Stat(name string) (fs.FileInfo, error) { return f.describe("stat", name, true) }

// Lstat describes a name itself.
func (f *files) Lstat(name string) (fs.FileInfo, error) { return f.describe("lstat", name, false) }

func (f *files) describe(op, name string, last bool) (fs.FileInfo, error) {
	n, err := f.find(op, name, last)
	if err != nil {
		return nil, err
	}
	return info{path.Base(name), n}, nil
}

// ReadLink is where a link points, as it stands in the tree.
func (f *files) ReadLink(name string) (string, error) {
	n, err := f.find("readlink", name, false)
	if err == nil && n.mode != modes[modeLink] {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	data, err := f.contents("readlink", name, n)
	return string(data), err
}

// ID is git's id of what a name leads to; equal ids are equal bytes.
func (f *files) ID(name string) (id string, ok bool) {
	n, err := f.find("id", name, true)
	if err != nil {
		return "", false
	}
	return n.id, true
}

// info describes a node under the name by which it was reached.
type info struct {
	called string
	node   *node
}

func (i info) Name() string       { return i.called }
func (i info) Size() int64        { return i.node.size }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.node.mode.IsDir() }
func (i info) Sys() any           { return nil }

type openFile struct {
	*bytes.Reader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	info info
	name string
	done int
}

func (d *openFolder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openFolder) Close() error               { return nil }
func (d *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errFolder}
}

// ReadDir lists the next n names of the folder, or all that are left.
func (d *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := entries(d.info.node)[d.done:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	d.done += len(rest)
	return rest, nil
}
