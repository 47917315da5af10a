package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/store"
)

// folder is a store in a fresh folder.
func folder(t *testing.T) (*store.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// names lists every file below dir, slash-separated.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const lock = store.Dir + "/notes" + store.Suffix

func TestWrite(t *testing.T) {
	s, dir := folder(t)
	for _, text := range []string{"one", "two, which is longer", "3", ""} {
		if err := s.Write(lock, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(dir, lock)); got != text {
			t.Errorf("%q was written as %q", text, got)
		}
		if got := names(t, dir); !slices.Equal(got, []string{lock}) {
			t.Errorf("files are left behind: %q", got)
		}
	}
}

// TestWriteSame: bytes that are there already are not written again, but a lock
// that somebody made executable is replaced by a plain one.
func TestWriteSame(t *testing.T) {
	s, dir := folder(t)
	file := filepath.Join(dir, lock)
	if err := s.Write(lock, []byte("text")); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(lock, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("the same bytes were written again (%v)", err)
	}
	if runtime.GOOS == "windows" {
		return // no such mode there
	}
	if err := os.Chmod(file, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(lock, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(file); err != nil || after.Mode().Perm()&0o111 != 0 {
		t.Errorf("the lock is still executable (%v)", err)
	}
}

// TestReaderSeesOneOrTheOther: a file that is open keeps its old bytes, because
// a write puts another file in its place.
func TestReaderSeesOneOrTheOther(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows refuses to replace a file that is open")
	}
	s, dir := folder(t)
	if err := s.Write(lock, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, lock))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := s.Write(lock, []byte("newer")); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 10)
	if n, _ := f.Read(data); string(data[:n]) != "old" {
		t.Errorf("a reader of the old file sees %q", data[:n])
	}
}

// TestKilledBefore: what a killed run left behind is in nobody's way and is no
// lock.
func TestKilledBefore(t *testing.T) {
	s, dir := folder(t)
	left := store.Dir + "/.tmp-abcdefghijklmnopqrstuvwxyz"
	write(t, filepath.Join(dir, left), "half a lo")
	if err := s.Write(lock, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, lock)); got != "whole" {
		t.Errorf("the lock is %q", got)
	}
	if strings.HasSuffix(left, store.Suffix) {
		t.Errorf("%s would be read as a lock", left)
	}
}

// TestFailedWrite leaves the old lock and nothing else.
func TestFailedWrite(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("a write cannot be made to fail here: root, and windows, write into a folder of mode 555")
	}
	s, dir := folder(t)
	if err := s.Write(lock, []byte("old")); err != nil {
		t.Fatal(err)
	}
	locks := filepath.Join(dir, filepath.FromSlash(store.Dir))
	if err := os.Chmod(locks, 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(locks, 0o755) }()
	if err := s.Write(lock, []byte("new")); err == nil {
		t.Error("writing into a folder without permission succeeds")
	}
	if got := read(t, filepath.Join(dir, lock)); got != "old" {
		t.Errorf("the old lock is %q", got)
	}
}

// TestLinks: no element of the path may be a link, wherever it leads.
func TestLinks(t *testing.T) {
	elements := []string{".toolwarrant", ".toolwarrant/servers", lock}
	for _, element := range elements {
		for _, where := range []string{"outside", "inside", "nowhere"} {
			t.Run(element+" "+where, func(t *testing.T) {
				s, dir := folder(t)
				target := filepath.Join(dir, "elsewhere")
				if where == "outside" {
					target = t.TempDir()
				}
				plant(t, element, target, where)
				at := filepath.Join(dir, filepath.FromSlash(element))
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(linkTo(target, element), at); err != nil {
					t.Skipf("no links here: %v", err)
				}
				err := s.Write(lock, []byte("ours"))
				var link *store.LinkError
				if !errors.As(err, &link) || link.Path != element {
					t.Errorf("the error is %v, want a LinkError for %s", err, element)
				}
				if where == "nowhere" {
					if _, err := os.Lstat(target); err == nil {
						t.Error("the link's target was made")
					}
				} else if got := read(t, filepath.Join(target, "victim")); got != "untouched" {
					t.Errorf("the target was written: %q", got)
				}
				if got := names(t, dir); slices.ContainsFunc(got, func(n string) bool { return strings.Contains(n, ".tmp-") }) {
					t.Errorf("a file is left behind: %q", got)
				}
			})
		}
	}
}

// plant makes what the link leads to.
func plant(t *testing.T, element, target, where string) {
	t.Helper()
	if where != "nowhere" {
		write(t, filepath.Join(target, "victim"), "untouched")
	}
}

// linkTo is a file for a lock, and a folder for a folder.
func linkTo(target, element string) string {
	if element == lock {
		return filepath.Join(target, "victim")
	}
	return target
}

func TestNotPlain(t *testing.T) {
	for what, plant := range map[string]func(dir string) error{
		"a folder in place of the lock": func(dir string) error { return os.MkdirAll(filepath.Join(dir, lock), 0o755) },
		"a file in place of the folder": func(dir string) error { return os.WriteFile(filepath.Join(dir, ".toolwarrant"), nil, 0o644) },
	} {
		s, dir := folder(t)
		if err := plant(dir); err != nil {
			t.Fatal(err)
		}
		var link *store.LinkError
		if err := s.Write(lock, []byte("ours")); !errors.As(err, &link) {
			t.Errorf("%s: %v, want a LinkError", what, err)
		}
	}
}

func TestOutside(t *testing.T) {
	s, dir := folder(t)
	for _, name := range []string{"../out", "a/../../out", filepath.ToSlash(filepath.Join(t.TempDir(), "out"))} {
		if err := s.Write(name, []byte("x")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(dir), "out")); err == nil {
		t.Error("a file lies outside")
	}
}

func TestOpenWithoutFolder(t *testing.T) {
	if _, err := store.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist gives %v", err)
	}
}
