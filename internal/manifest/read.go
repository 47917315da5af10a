package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// MaxSize is the most bytes of one file that are read, MaxServers the most servers
// in it. The most seen in a file of the wild are 24.
const (
	MaxSize    = 1 << 20
	MaxServers = 1000
)

// Read reads one file of a tree. It never fails: what could not be read is a
// finding in Problems, with place, reason and remedy. fsys must refuse links
// that lead out of it, as the FS of an os.Root does.
func Read(fsys fs.FS, path string) File {
	path = named(path)
	data, problem := load(fsys, path)
	if problem != nil {
		return File{Path: path, Problems: []finding.Finding{*problem}}
	}
	return ReadAs(data, path)
}

// load reads the bytes of a regular file within MaxSize.
func load(fsys fs.FS, path string) ([]byte, *finding.Finding) {
	start := finding.At(path, 1, 1)
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return nil, unread(start, whyNot(err), "")
	}
	if !info.Mode().IsRegular() {
		return nil, unread(start, "not a regular file", "replace it by a plain file")
	}
	f, err := fsys.Open(path)
	if err != nil {
		return nil, unread(start, whyNot(err), "")
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	switch {
	case err != nil:
		return nil, unread(start, whyNot(err), "")
	case len(data) > MaxSize:
		return nil, unread(start, fmt.Sprintf("larger than %d bytes", MaxSize), "split the file, or remove what is no configuration")
	}
	return data, nil
}

// whyNot is our own word for a failure to open.
func whyNot(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file, or a link leads nowhere"
	case errors.Is(err, fs.ErrPermission):
		return "no permission"
	}
	return "it cannot be opened; a link that leads out of the tree is not followed"
}

// lfsPointer begins a file that stands for one kept by Git LFS (its pointer
// specification, version 1).
const lfsPointer = "version https://git-lfs.github.com/spec/v1\n"

// ReadAs reads bytes as the dialect that path names, or, where it names none, as
// what their content looks like: a map under "mcpServers" or "servers", or
// servers without such a key.
func ReadAs(data []byte, path string) File {
	path = named(path)
	d, _ := claim(path)
	if d == nil {
		d = &anyJSON
	}
	f := File{Path: path, Dialect: d.name}
	doc, problem := d.parse(path, data)
	if len(strings.TrimSpace(strings.TrimPrefix(string(data), string(byteOrderMark)))) == 0 {
		doc, problem = document{root: node{kind: object, at: finding.At(path, 1, 1)}}, nil
	}
	if problem != nil && bytes.HasPrefix(data, []byte(lfsPointer)) {
		problem = unread(finding.At(path, 1, 1), "a pointer of Git LFS, whose content is kept elsewhere", "take the file out of Git LFS")
	}
	if problem != nil {
		f.Problems = append(f.Problems, *problem)
		return f
	}
	r := fileReader{d: d, doc: doc, file: &f, traits: doc.traits()}
	r.read()
	return f
}

// named gives bytes without a file the name of the standard input, because every
// finding has a place.
func named(path string) string {
	if path == "" {
		return "-"
	}
	return path
}
