package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// bounds are what WriteOut writes at most.
type bounds struct {
	files int
	bytes int64
}

var writeBounds = bounds{files: 20_000, bytes: 256 << 20}

// WriteOut writes a folder of a tree into a fresh temporary directory (mode 0700)
// and returns its path and what removes it; on an error nothing is left and cleanup
// does nothing. Plain files keep their executable bit. Links are written if they
// lead to something inside the folder, or to nothing. Any .git is left out.
//
// [ErrOutside] for a link that leads out or in a circle; [ErrSubmodule];
// [ErrTooLarge] beyond 20,000 files and folders or 256 MiB; *[MissingError].
func WriteOut(fsys fs.FS, dir string) (path string, cleanup func(), err error) {
	return writeOut(fsys, dir, writeBounds)
}

func writeOut(fsys fs.FS, dir string, limits bounds) (string, func(), error) {
	nothing := func() {}
	to, err := os.MkdirTemp("", "toolwarrant-tree-") // 0700 at first
	if err != nil {
		return "", nothing, fmt.Errorf("make a directory for a tree: %w", err)
	}
	cleanup := func() { _ = os.RemoveAll(to) }
	if err := fill(fsys, dir, to, limits); err != nil {
		cleanup()
		return "", nothing, fmt.Errorf("write out %s: %w", dir, err)
	}
	if os.Geteuid() == 0 { // a confined server is another user then, and reads what it runs
		if err := os.Chmod(to, 0o755); err != nil {
			cleanup()
			return "", nothing, fmt.Errorf("open a directory for a tree: %w", err)
		}
	}
	return to, cleanup, nil
}

func fill(fsys fs.FS, dir, to string, limits bounds) error {
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	w := writer{fsys: fsys, base: dir, root: root, left: limits}
	if info, err := fs.Stat(fsys, dir); err != nil || !info.IsDir() {
		return errors.Join(err, errNotFolder)
	}
	if err := fs.WalkDir(fsys, dir, w.visit); err != nil {
		return err
	}
	return w.link()
}

// writer copies one folder. Links come last, so that nothing is written through one.
type writer struct {
	fsys  fs.FS
	base  string
	root  *os.Root
	left  bounds
	links []string
}

func (w *writer) visit(name string, d fs.DirEntry, err error) error {
	rel := strings.TrimPrefix(strings.TrimPrefix(name, w.base), "/")
	switch {
	case err != nil:
		return err
	case name == w.base:
		return nil
	case strings.EqualFold(path.Base(name), ".git"):
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if w.left.files--; w.left.files < 0 {
		return ErrTooLarge
	}
	switch t := d.Type(); {
	case t.IsDir():
		return w.root.Mkdir(rel, 0o755)
	case t.IsRegular():
		return w.copy(name, rel)
	case t == fs.ModeSymlink:
		w.links = append(w.links, rel)
		return nil
	}
	return &fs.PathError{Op: "write", Path: name, Err: ErrSubmodule}
}

func (w *writer) copy(name, rel string) error {
	src, err := w.fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	dst, err := w.root.OpenFile(rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	n, err := io.Copy(dst, io.LimitReader(src, w.left.bytes+1))
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	if w.left.bytes -= n; w.left.bytes < 0 {
		return ErrTooLarge
	}
	return nil
}

// link makes the links and then asks the system where they lead: os.Root refuses
// every way out, also one through other links.
func (w *writer) link() error {
	for _, rel := range w.links {
		target, err := fs.ReadLink(w.fsys, path.Join(w.base, rel))
		if err != nil {
			return err
		}
		if err := w.root.Symlink(target, rel); err != nil {
			return err
		}
	}
	for _, rel := range w.links {
		if _, err := w.root.Stat(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fs.PathError{Op: "write", Path: path.Join(w.base, rel), Err: ErrOutside}
		}
	}
	return nil
}
