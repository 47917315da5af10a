package scanner

import "io/fs"

// subset is a tree of which only some files are there: what is written out for a
// start is exactly what was compared, and what was not compared is absent.
type subset struct {
	fsys fs.FS
	keep map[string]bool // files, and every folder above one
}

func newSubset(fsys fs.FS, files []string) subset {
	s := subset{fsys, map[string]bool{".": true}}
	for _, name := range files {
		for at := name; at != "." && !s.keep[at]; at = parentOf(at) {
			s.keep[at] = true
		}
	}
	return s
}

func parentOf(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[:i]
		}
	}
	return "."
}

func (s subset) absent(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

func (s subset) Open(name string) (fs.File, error) {
	if !s.keep[name] {
		return nil, s.absent("open", name)
	}
	return s.fsys.Open(name)
}

func (s subset) Stat(name string) (fs.FileInfo, error) {
	if !s.keep[name] {
		return nil, s.absent("stat", name)
	}
	return fs.Stat(s.fsys, name)
}

func (s subset) Lstat(name string) (fs.FileInfo, error) {
	if !s.keep[name] {
		return nil, s.absent("lstat", name)
	}
	return fs.Lstat(s.fsys, name)
}

func (s subset) ReadLink(name string) (string, error) {
	if !s.keep[name] {
		return "", s.absent("readlink", name)
	}
	return fs.ReadLink(s.fsys, name)
}

func (s subset) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(s.fsys, name)
	var out []fs.DirEntry
	for _, d := range all {
		at := d.Name()
		if name != "." {
			at = name + "/" + at
		}
		if s.keep[at] {
			out = append(out, d)
		}
	}
	return out, err
}
