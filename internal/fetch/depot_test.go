package fetch

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func base64Of(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) }

func install(t testing.TB, d *Depot, tree Tree) Artifact {
	t.Helper()
	a, err := d.Install(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestInstall(t *testing.T) {
	s := newSource(server, sdk)
	d, tree := depot(t, s), smallTree(t, s)
	a := install(t, d, tree)
	want := []string{"node_modules/@scope/server/README.md", "node_modules/@scope/server/dist/index.js",
		"node_modules/@scope/server/package.json", "node_modules/sdk/index.js", "node_modules/sdk/package.json"}
	if got := namesBelow(t, a.Dir()); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("unpacked %v", got)
	}
	err := filepath.WalkDir(a.Dir(), func(p string, e fs.DirEntry, err error) error {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o222 != 0 {
			t.Errorf("%s has mode %v (%v)", p, info.Mode(), err)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	asked := s.total()
	if b := install(t, d, tree); b.Dir() != a.Dir() || s.total() != asked {
		t.Errorf("the second time %d tarballs were fetched again", s.total()-asked)
	}
	discard(d.trees)
	if err := os.MkdirAll(d.trees, 0o755); err != nil {
		t.Fatal(err)
	}
	if install(t, d, tree); s.total() != asked {
		t.Error("tarballs that are in the cache were fetched again")
	}
}

// TestTampering changes one thing at a time in a cache: nothing is handed out,
// the file is named, and the next run has what was locked again.
func TestTampering(t *testing.T) {
	rewrite := func(path string, edit func([]byte) []byte) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, edit(data), 0o644), os.Chmod(path, 0o444)); err != nil {
			t.Fatal(err)
		}
	}
	flip := func(data []byte) []byte { data[len(data)/2] ^= 1; return data }
	open := func(dir string) { _ = os.Chmod(dir, 0o755) }
	tarballOf := func(d *Depot) string {
		found, err := filepath.Glob(filepath.Join(d.tarballs, "*.tgz"))
		if err != nil || len(found) != 2 {
			t.Fatalf("%v %v", found, err)
		}
		return found[0]
	}
	for name, c := range map[string]struct {
		change func(d *Depot, dir string)
		file   string // a part of what is named
	}{
		"a byte of an unpacked file": {func(_ *Depot, dir string) { rewrite(filepath.Join(dir, "node_modules/sdk/index.js"), flip) }, "sdk/index.js"},
		"a file is longer": {func(_ *Depot, dir string) {
			rewrite(filepath.Join(dir, "node_modules/sdk/index.js"), func(b []byte) []byte { return append(b, '\n') })
		}, "sdk/index.js"},
		"a file is added": {func(_ *Depot, dir string) {
			open(filepath.Join(dir, "node_modules/sdk"))
			_ = os.WriteFile(filepath.Join(dir, "node_modules/sdk/extra.js"), []byte("x"), 0o444)
		}, "sdk/extra.js"},
		"a folder is added": {func(_ *Depot, dir string) {
			open(filepath.Join(dir, "node_modules"))
			_ = os.Mkdir(filepath.Join(dir, "node_modules/extra"), 0o755)
		}, "node_modules/extra"},
		"a file is gone": {func(_ *Depot, dir string) {
			open(filepath.Join(dir, "node_modules/sdk"))
			_ = os.Remove(filepath.Join(dir, "node_modules/sdk/index.js"))
		}, "sdk/index.js"},
		"a file is a link": {func(_ *Depot, dir string) {
			at := filepath.Join(dir, "node_modules/sdk/index.js")
			open(filepath.Dir(at))
			_ = errors.Join(os.Rename(at, dir+".moved"), os.Symlink(dir+".moved", at))
		}, "sdk/index.js"},
		"a file can be executed": {func(_ *Depot, dir string) { _ = os.Chmod(filepath.Join(dir, "node_modules/sdk/index.js"), 0o555) }, "sdk/index.js"},
		"a byte of a tarball":    {func(d *Depot, dir string) { discard(dir); rewrite(tarballOf(d), flip) }, ".tgz"},
		"a tarball is another package's": {func(d *Depot, dir string) {
			discard(dir)
			rewrite(tarballOf(d), func([]byte) []byte { return fakePackage{name: "evil", version: "1.0.0"}.tarball() })
		}, ".tgz"},
		"a byte behind a tarball": {func(d *Depot, dir string) {
			discard(dir)
			rewrite(tarballOf(d), func(b []byte) []byte { return append(b, 0) })
		}, ".tgz"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSource(server, sdk)
			d, tree := depot(t, s), smallTree(t, s)
			c.change(d, install(t, d, tree).Dir())
			_, err := d.Install(t.Context(), tree)
			bad := (*BytesError)(nil)
			if !errors.As(err, &bad) || !strings.Contains(bad.File, c.file) || filepath.IsAbs(bad.File) {
				t.Fatalf("got %v, want one that names %s", err, c.file)
			}
			install(t, d, tree)
		})
	}
}

// TestListingThatWasTampered: a tree whose listing is not what was written is
// unpacked anew from tarballs that are hashed.
func TestListingThatWasTampered(t *testing.T) {
	s := newSource(server, sdk)
	d, tree := depot(t, s), smallTree(t, s)
	dir := install(t, d, tree).Dir()
	if err := errors.Join(os.Chmod(dir+listSuffix, 0o644), os.WriteFile(dir+listSuffix, []byte("r 00 x\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	evil := filepath.Join(dir, "node_modules/sdk/index.js")
	if err := errors.Join(os.Chmod(evil, 0o644), os.WriteFile(evil, []byte("evil"), 0o444)); err != nil {
		t.Fatal(err)
	}
	install(t, d, tree)
	if text, _ := os.ReadFile(evil); string(text) == "evil" {
		t.Error("a tree without a listing was believed")
	}
}

func TestRegistryThatServesOtherBytes(t *testing.T) {
	s := newSource(server, sdk)
	d, tree := depot(t, s), smallTree(t, s)
	s.bytes["sdk@1.2.0"] = append(s.bytes["sdk@1.2.0"], 0)
	_, err := d.Install(t.Context(), tree)
	bad := (*BytesError)(nil)
	if !errors.As(err, &bad) || bad.File != "sdk@1.2.0" {
		t.Fatalf("got %v", err)
	}
	for _, dir := range []string{d.trees, d.tarballs} {
		for _, n := range namesBelow(t, dir) {
			if data, err := os.ReadFile(filepath.Join(dir, n)); err != nil || bytes.Equal(data, s.bytes["sdk@1.2.0"]) {
				t.Errorf("%s was kept (%v)", n, err)
			}
		}
	}
}

// TestTreesThatLieAboutAPackage: the digest is right, and the package says
// otherwise of itself than the tree.
func TestTreesThatLieAboutAPackage(t *testing.T) {
	evil := fakePackage{name: "evil", version: "1.2.0"}
	for name, change := range map[string]func(*fakeSource, *Tree){
		"another package": func(s *fakeSource, tree *Tree) {
			s.bytes["sdk@1.2.0"] = evil.tarball()
			tree.Packages[1].Integrity = integrityOf(evil.tarball())
		},
		"another version": func(s *fakeSource, tree *Tree) {
			other := fakePackage{name: "sdk", version: "1.3.0"}.tarball()
			s.bytes["sdk@1.2.0"], tree.Packages[1].Integrity = other, integrityOf(other)
		},
		"a dependency that it does not have": func(_ *fakeSource, tree *Tree) {
			tree.Packages[1].needs.Dependencies = map[string]string{"@scope/server": "*"}
		},
		"an alias that it does not have": func(_ *fakeSource, tree *Tree) {
			tree.Packages[0].needs.Dependencies = map[string]string{"sdk": "npm:sdk@1.2.0"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSource(server, sdk)
			tree := smallTree(t, s)
			change(s, &tree)
			_, err := depot(t, s).Install(t.Context(), tree)
			if bad := (*LockError)(nil); !errors.As(err, &bad) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestInstallAtOnce(t *testing.T) {
	s := newSource(server, sdk)
	dir := t.TempDir()
	t.Cleanup(func() { discard(dir) })
	tree := smallTree(t, s)
	var wg sync.WaitGroup
	for range 8 { // each as a process of its own would
		wg.Go(func() {
			d, err := OpenDepot(dir+"/tarballs", dir+"/trees", s)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := d.Install(t.Context(), tree); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(dir + "/*/" + tempPrefix + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPackagesOfOtherPlatforms(t *testing.T) {
	native := fakePackage{name: "native", version: "1.0.0", members: map[string]any{"os": []string{"no-such-system"}, "optional": true}}
	user := fakePackage{name: "user", version: "1.0.0", deps: map[string]string{"native": "1.0.0"}}
	s := newSource(user, native)
	entries := map[string]map[string]any{"node_modules/user": s.entry(user), "node_modules/native": s.entry(native)}
	tree, err := readTree(lockText(t, map[string]string{"user": "1.0.0"}, entries))
	if err != nil {
		t.Fatal(err)
	}
	a := install(t, depot(t, s), tree)
	if got := namesBelow(t, a.Dir()); len(got) != 1 {
		t.Errorf("unpacked %v", got)
	}
	delete(entries["node_modules/native"], "optional")
	if tree, err = readTree(lockText(t, map[string]string{"user": "1.0.0"}, entries)); err != nil {
		t.Fatal(err)
	}
	if _, err := depot(t, s).Install(t.Context(), tree); err == nil {
		t.Error("a package that has to be there, and is for another system, was left out")
	}
}

func TestBundledPackages(t *testing.T) {
	inner := fakePackage{name: "inner", version: "2.0.0"}
	outer := fakePackage{name: "outer", version: "1.0.0", deps: map[string]string{"inner": "2.0.0"},
		members: map[string]any{"bundleDependencies": []string{"inner"}},
		files:   map[string]string{"node_modules/inner/package.json": inner.manifest(), "node_modules/inner/index.js": "1"}}
	s := newSource(outer)
	entries := map[string]map[string]any{"node_modules/outer": s.entry(outer),
		"node_modules/outer/node_modules/inner": {"version": "2.0.0", "inBundle": true}}
	tree, err := readTree(lockText(t, map[string]string{"outer": "1.0.0"}, entries))
	if err != nil {
		t.Fatal(err)
	}
	install(t, depot(t, s), tree)
	entries["node_modules/outer/node_modules/inner"]["version"] = "2.0.1"
	if _, err := readTree(lockText(t, map[string]string{"outer": "1.0.0"}, entries)); err == nil {
		t.Error("a bundled package in another version was believed")
	}
}

func TestFolderWithNodeModulesAbove(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := OpenDepot(filepath.Join(dir, "a", "tarballs"), filepath.Join(dir, "a", "trees"), newSource())
	if shadow := (*ShadowError)(nil); !errors.As(err, &shadow) {
		t.Errorf("got %v", err)
	}
}

func FuzzListing(f *testing.F) {
	f.Add([]byte("r " + strings.Repeat("0", 64) + " a/b\nx " + strings.Repeat("1", 64) + " c d\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, ok := parseListing(data); ok && !bytes.Equal(l.bytes(), data) {
			t.Fatal("read otherwise than it is written")
		}
	})
}
