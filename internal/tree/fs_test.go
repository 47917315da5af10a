package tree

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// linked is a tree with every kind of link.
var linked = map[string]string{
	"a.txt": "one", "d/b.txt": "two", "d/e/c.txt": "three",
	"d/in": "->../a.txt", "dd": "->d/e", "chain": "->dd/../in", "absolute": "->/etc/passwd", "out": "->../../etc/passwd",
	"loop": "->loop", "ping": "->pong", "pong": "->ping", "nowhere": "->none", "d/up": "->..", "sly": "->d/up/../x",
	"through": "->a.txt/b", "drive": `->c:\x`, "self": "->.",
}

func TestNames(t *testing.T) {
	s := newScratch(t)
	s.commit(linked)
	s.write(map[string]string{"a.txt": "edited"})
	both(t, func(t *testing.T, command bool) {
		f := must(s.open(command).Tree("HEAD"))(t)
		for name, want := range map[string]string{
			"a.txt": "one", "d/in": "one", "dd/c.txt": "three", "chain": "one", "d/up/d/b.txt": "two", "self/self/d/b.txt": "two",
		} {
			if got := text(f, name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		for name, want := range map[string]error{
			"absolute": ErrOutside, "out": ErrOutside, "sly": ErrOutside, "drive": ErrOutside,
			"loop": ErrLoop, "ping": ErrLoop,
			"nowhere": fs.ErrNotExist, "none": fs.ErrNotExist, "through": fs.ErrNotExist, "a.txt/x": fs.ErrNotExist,
			"../a.txt": fs.ErrInvalid, "/a.txt": fs.ErrInvalid, "d/": fs.ErrInvalid, "": fs.ErrInvalid, "d": errFolder,
		} {
			if _, err := fs.ReadFile(f, name); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
	})
}

func TestLinks(t *testing.T) {
	s := newScratch(t)
	s.commit(linked)
	f := s.tree("HEAD")
	if to, err := f.ReadLink("d/in"); err != nil || to != "../a.txt" {
		t.Errorf("ReadLink: %q, %v", to, err)
	}
	if _, err := f.ReadLink("a.txt"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("ReadLink of a file: %v", err)
	}
	info := must(f.Lstat("dd"))(t)
	if info.Mode().Type() != fs.ModeSymlink || info.Size() != int64(len("d/e")) {
		t.Errorf("Lstat: %v", info)
	}
	if info = must(f.Stat("dd"))(t); !info.IsDir() || info.Name() != "dd" {
		t.Errorf("Stat: %v", info)
	}
}

func TestContract(t *testing.T) {
	s := newScratch(t)
	s.write(map[string]string{"run": "#!/bin/sh\n"})
	if err := os.Chmod(filepath.Join(s.dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.commit(map[string]string{"a": "1", "d/b": "2", "d/e/c": "3", "d.x": "4", "in": "->d/b", "empty": ""})
	both(t, func(t *testing.T, command bool) {
		f := must(s.open(command).Tree("HEAD"))(t)
		if err := fstest.TestFS(f, "a", "d/b", "d/e/c", "d.x", "in", "empty"); err != nil {
			t.Error(err)
		}
		for name, want := range map[string]fs.FileMode{"a": 0o644, "run": 0o755, "d": fs.ModeDir | 0o755} {
			if got := must(f.Lstat(name))(t).Mode(); got != want {
				t.Errorf("%s: mode %v", name, got)
			}
		}
	})
}

// TestBackends: both give the same bytes, ids and modes of one repository, its
// objects loose and packed.
func TestBackends(t *testing.T) {
	s := newScratch(t)
	for _, text := range []string{"", "x\n", strings.Repeat("long\n", 10_000)} {
		s.commit(map[string]string{"d/changing": text, "bytes\x01": "\x00\xff"})
	}
	compare := func(t *testing.T) {
		var got [2]map[string]string
		for i, command := range []bool{false, true} {
			got[i] = contents(t, must(s.open(command).Tree("HEAD"))(t))
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" || len(got[0]) == 0 {
			t.Error(diff)
		}
	}
	t.Run("loose", compare)
	s.git("gc", "-q", "--aggressive")
	t.Run("packed", compare)
}

// contents is all that a tree says.
func contents(t *testing.T, f *FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		id, _ := f.ID(name)
		out[name] = id + " " + d.Type().String()
		if !d.IsDir() {
			data, err := fs.ReadFile(f, name)
			out[name] += string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConcurrent(t *testing.T) {
	s := newScratch(t)
	files := map[string]string{}
	for _, a := range "abcdefgh" {
		files[string(a)+"/x"] = string(a)
	}
	s.commit(files)
	both(t, func(t *testing.T, command bool) {
		f := must(s.open(command).Tree("HEAD"))(t)
		var wg sync.WaitGroup
		for name, want := range files {
			wg.Go(func() {
				for range 20 {
					if got := text(f, name); got != want {
						t.Errorf("%s: %q", name, got)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestSubmodule(t *testing.T) {
	inner := newScratch(t)
	inner.commit(map[string]string{"x": "1"})
	s := newScratch(t)
	s.git("submodule", "--quiet", "add", "file://"+filepath.ToSlash(inner.dir), "sub")
	s.commit(map[string]string{"a": "1"})
	f := s.tree("HEAD")
	for _, name := range []string{"sub", "sub/x", "sub/.mcp.json"} {
		if _, err := f.Open(name); !errors.Is(err, ErrSubmodule) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info := must(f.Stat("sub"))(t); info.Mode() != fs.ModeIrregular {
		t.Errorf("mode %v", info.Mode())
	}
	if id, ok := f.ID("sub"); !ok || id != inner.git("rev-parse", "HEAD") {
		t.Errorf("id %s", id)
	}
	// Its own .git is a file that names a folder.
	sub := &scratch{t: t, dir: filepath.Join(s.dir, "sub")}
	if got := text(sub.tree("HEAD"), "x"); got != "1" {
		t.Errorf("inside: %q", got)
	}
}

func TestNotUTF8(t *testing.T) {
	s := newScratch(t)
	blob := s.input("x", "hash-object", "-w", "--stdin")
	tree := s.input("100644 blob "+blob+"\tb\xff\x00100644 blob "+blob+"\ta\x00", "mktree", "-z")
	f := s.tree(s.git("commit-tree", "-m", "x", tree))
	listed := must(f.ReadDir("."))(t)
	if len(listed) != 2 || listed[1].Name() != "b\xff" {
		t.Errorf("%v", listed)
	}
	if _, err := f.Open("b\xff"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// memory is a store of objects that counts what is read.
type memory struct {
	kinds map[string]string
	data  map[string][]byte
	reads map[string]int
}

func newMemory() *memory {
	return &memory{map[string]string{}, map[string][]byte{}, map[string]int{}}
}

func (m *memory) add(kind string, data []byte) string {
	id := identify(kind, data, 40)
	m.kinds[id], m.data[id] = kind, data
	return id
}

// folder stores a tree of entries, "mode name" to id.
func (m *memory) folder(entries map[string]string) string {
	var b []byte
	for _, head := range slices.Sorted(maps.Keys(entries)) {
		b = append(append(b, head...), 0)
		b = append(b, unhex(entries[head])...)
	}
	return m.add("tree", b)
}

func unhex(id string) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, len(id)/2)
	for i := range out {
		out[i] = byte(strings.IndexByte(digits, id[2*i])<<4 | strings.IndexByte(digits, id[2*i+1]))
	}
	return out
}

func (m *memory) get(id string) (kind string, data []byte, err error) {
	m.reads[m.kinds[id]]++
	data, ok := m.data[id]
	if !ok {
		return "", nil, &MissingError{id}
	}
	return m.kinds[id], data, nil
}

func (m *memory) size(id string) (int64, error)            { return int64(len(m.data[id])), nil }
func (m *memory) prefixed(prefix string) ([]string, error) { return nil, nil }
func (m *memory) close() error                             { return nil }

func (m *memory) tree(root string) *FS {
	return &FS{&Repository{objects: m, folders: map[string][]entry{}}, root}
}

// TestEqualFoldersAreNotRead: 100,000 entries, one of which differs.
func TestEqualFoldersAreNotRead(t *testing.T) {
	m := newMemory()
	blob, other := m.add("blob", []byte("1")), m.add("blob", []byte("2"))
	big := func(changed string) string {
		top := map[string]string{}
		for d := range 1000 {
			in := map[string]string{}
			for f := range 100 {
				in["100644 "+fileName(f)] = blob
			}
			if fileName(d) == "f0500" && changed != "" {
				in["100644 f0050"] = changed
			}
			top["40000 "+fileName(d)] = m.folder(in)
		}
		return m.folder(top)
	}
	head, anchor := m.tree(big("")), m.tree(big(other))
	files, problems := manifest.Find(head)
	m.reads = map[string]int{}
	same := func(dir string) bool {
		x, ok := head.ID(dir)
		y, found := anchor.ID(dir)
		return ok && found && x == y
	}
	if files, problems = manifest.FindLike(anchor, same, files, problems); len(files) != 0 || len(problems) != 0 {
		t.Errorf("%v, %v", files, problems)
	}
	if m.reads["tree"] > 3 || m.reads["blob"] != 0 {
		t.Errorf("%v objects were read: the roots and one folder differ", m.reads)
	}
}

func fileName(i int) string {
	return "f" + string([]byte{'0' + byte(i/1000), '0' + byte(i/100%10), '0' + byte(i/10%10), '0' + byte(i%10)})
}

// TestMissingIsNoAbsence: what git says is there and is not here is an error of its
// own kind wherever it is met.
func TestMissingIsNoAbsence(t *testing.T) {
	m := newMemory()
	gone := strings.Repeat("1", 40)
	f := m.tree(m.folder(map[string]string{"100644 file": gone, "120000 link": gone, "40000 dir": gone}))
	for _, name := range []string{"file", "link", "link/x", "dir/x"} {
		_, err := f.Open(name)
		if _, ok := errors.AsType[*MissingError](err); !ok || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.ReadDir("dir"); err == nil {
		t.Error("a folder that is not here was listed")
	}
}

// TestMalformed: bytes that are not those of the id, and trees that no checkout can
// make.
func TestMalformed(t *testing.T) {
	m := newMemory()
	blob := m.add("blob", []byte("1"))
	for name, heads := range map[string][]string{
		"climbs": {"100644 .."}, "dot": {"100644 ."}, "empty": {"100644 "}, "slash": {"100644 a/b"}, "mode": {"100600 a"},
		"twice": {"100644 a", "100755 a"}, "file and folder": {"100644 a", "40000 a"}, "no mode": {"a"},
	} {
		entries := map[string]string{}
		for _, h := range heads {
			entries[h] = blob
		}
		if _, err := m.tree(m.folder(entries)).ReadDir("."); !isMalformed(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := m.folder(map[string]string{"100644 a": blob})
	m.data[blob] = []byte("2")
	if _, err := m.tree(good).ReadFile("a"); !isMalformed(err) {
		t.Errorf("changed bytes: %v", err)
	}
}

func isMalformed(err error) bool {
	_, ok := errors.AsType[*MalformedError](err)
	return ok
}

func FuzzParse(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add([]byte("100644 a\x00" + strings.Repeat("x", 20)))
	f.Add([]byte("tree " + id + "\nparent " + id + "\nauthor a <a> 1 +0\ncommitter a <a> 1 +0\n\nx"))
	f.Add([]byte("object " + id + "\ntype commit\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if entries, err := parseTree(id, data); err == nil {
			for i, e := range entries {
				if e.name == "" || strings.Contains(e.name, "/") || !isID(e.id) || i > 0 && entries[i-1].name >= e.name {
					t.Errorf("%q", e.name)
				}
			}
		}
		if c, err := parseCommit(id, data); err == nil && !isID(c.tree) {
			t.Errorf("%q", c.tree)
		}
		if to, err := parseTag(id, data); err == nil && !isID(to) {
			t.Errorf("%q", to)
		}
	})
}
