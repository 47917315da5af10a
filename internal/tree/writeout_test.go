package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestWriteOut(t *testing.T) {
	files := mapFS(map[string]string{
		"s/server.js": "1", "s/lib/a.js": "2", "s/link": "->lib/a.js", "s/lib/up": "->../server.js", "s/nowhere": "->none", "s/dir": "->lib",
		"s/.git/config": "x", "s/lib/.GIT": "x", "s/.gitignore": "y", "other": "z",
	})
	files["s/run"] = &fstest.MapFile{Data: []byte("#!/bin/sh\n"), Mode: 0o755}
	dir, cleanup, err := WriteOut(files, "s")
	if err != nil {
		t.Fatal(err)
	}
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 { // a confined server is somebody else
		mode = 0o755
	}
	if info := must(os.Stat(dir))(t); info.Mode().Perm() != mode {
		t.Errorf("mode %v", info.Mode())
	}
	got := map[string]string{}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			info, _ := d.Info()
			got[filepath.ToSlash(rel)] = info.Mode().Type().String() + "x"[:info.Mode()>>6&1]
			if data, err := os.ReadFile(name); err == nil {
				got[filepath.ToSlash(rel)] += string(data)
			}
		}
		return err
	})
	want := map[string]string{
		"server.js": "----------1", "lib/a.js": "----------2", "run": "----------x#!/bin/sh\n", ".gitignore": "----------y",
		"link": "L---------x2", "lib/up": "L---------x1", "nowhere": "L---------x", "dir": "L---------x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	cleanup()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it is still there")
	}
}

func TestWriteOutRefuses(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	submodule := mapFS(map[string]string{"s/a": "1"})
	submodule["s/sub"] = &fstest.MapFile{Mode: fs.ModeIrregular}
	for _, c := range []struct {
		name  string
		files fs.FS
		want  error
	}{
		{"out by one", mapFS(map[string]string{"s/a": "->../b", "b": "1"}), ErrOutside},
		{"out of the tree", mapFS(map[string]string{"s/a": "->../../etc/passwd"}), ErrOutside},
		{"absolute", mapFS(map[string]string{"s/a": "->/etc/passwd"}), ErrOutside},
		{"out through another link", mapFS(map[string]string{"s/d/q": "->..", "s/d/e/a": "->../q/../x", "s/d/e/f": "1"}), ErrOutside},
		{"in a circle", mapFS(map[string]string{"s/a": "->b", "s/b": "->a"}), ErrOutside},
		{"a submodule", submodule, ErrSubmodule},
		{"too many", mapFS(map[string]string{"s/a": "", "s/b": "", "s/c": "", "s/d": ""}), ErrTooLarge},
		{"too large", mapFS(map[string]string{"s/a": "123456", "s/b": "12345"}), ErrTooLarge},
		{"no folder", mapFS(map[string]string{"s": "1"}), errNotFolder},
		{"not there", mapFS(nil), fs.ErrNotExist},
	} {
		_, cleanup, err := writeOut(c.files, "s", bounds{files: 3, bytes: 10})
		if c.name == "out through another link" {
			_, cleanup, err = WriteOut(c.files, "s")
		}
		cleanup()
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if left := must(os.ReadDir(temp))(t); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWriteOutOfCommit: the bytes are git's, not those of the work tree.
func TestWriteOutOfCommit(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"s/a.js": "committed", "s/l": "->a.js"})
	s.write(map[string]string{"s/a.js": "edited", "s/new.js": "untracked"})
	dir, cleanup, err := WriteOut(s.tree("HEAD"), "s")
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	if data := must(os.ReadFile(filepath.Join(dir, "l")))(t); string(data) != "committed" {
		t.Errorf("%q", data)
	}
	if _, err := os.Stat(filepath.Join(dir, "new.js")); err == nil {
		t.Error("an untracked file was written")
	}
}
