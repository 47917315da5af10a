package scanner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// shelf is a registry of two packages: notes-server, which is the fake server in
// each of its versions, and sdk below it.
type shelf struct {
	t        testing.TB
	dir      string
	tarballs map[string][]byte
	depot    *fetch.Depot
	resolved atomic.Int32
	sdk      string // the version that the registry gives today
	latest   string // the version of the server that it calls so
	damage   func(trees string)
}

func newShelf(t testing.TB, log string) *shelf {
	t.Helper()
	s := &shelf{t: t, dir: t.TempDir(), tarballs: map[string][]byte{}, sdk: "1.0.0", latest: "1.0.1"}
	t.Cleanup(func() { fetch.Discard(s.dir) })
	script := fmt.Sprintf("#!/bin/sh\nexec %q %s -log %q -behaviour base\n", os.Args[0], fakeWord, log)
	for _, version := range []string{"1.0.0", "1.0.1"} {
		s.put(fakenpm.Package{Name: "notes-server", Version: version, Dependencies: map[string]string{"sdk": "^1.0.0"},
			Bin: map[string]string{"notes-server": "run"}, Files: map[string]string{"run": script}})
		s.put(fakenpm.Package{Name: "sdk", Version: version})
	}
	var err error
	if s.depot, err = fetch.OpenDepot(filepath.Join(s.dir, "tarballs"), filepath.Join(s.dir, "trees"), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shelf) put(p fakenpm.Package) { s.tarballs[p.Name+"@"+p.Version] = p.Tarball() }

func (s *shelf) Tarball(_ context.Context, name, version, _ string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(s.tarballs[name+"@"+version])), nil
}

// tree is what a selector gives with a version of the SDK.
func (s *shelf) tree(selector, sdk string) fetch.Tree {
	s.t.Helper()
	version := selector
	if selector == "" || selector == "latest" {
		selector, version = "latest", s.latest
	}
	entry := func(name, version string, deps map[string]string) map[string]any {
		e := map[string]any{"version": version, "integrity": fakenpm.Integrity(s.tarballs[name+"@"+version])}
		if deps != nil {
			e["dependencies"] = deps
		}
		return e
	}
	text, err := json.MarshalIndent(map[string]any{"lockfileVersion": 3, "requires": true, "packages": map[string]any{
		"":                          map[string]any{"dependencies": map[string]string{"notes-server": selector}},
		"node_modules/notes-server": entry("notes-server", version, map[string]string{"sdk": "^1.0.0"}),
		"node_modules/sdk":          entry("sdk", sdk, nil),
	}}, "", "  ")
	if err != nil {
		s.t.Fatal(err)
	}
	t, err := fetch.ParseTree(append(text, '\n'))
	if err != nil {
		s.t.Fatal(err)
	}
	return t
}

// aliased is a tree that calls the SDK notes-server.
func (s *shelf) aliased() fetch.Tree {
	s.t.Helper()
	t, err := fetch.ParseTree([]byte(fmt.Sprintf(`{
  "lockfileVersion": 3,
  "packages": {
    "": {
      "dependencies": {
        "notes-server": "npm:sdk@1.0.0"
      }
    },
    "node_modules/notes-server": {
      "integrity": %q,
      "name": "sdk",
      "version": "1.0.0"
    }
  },
  "requires": true
}
`, fakenpm.Integrity(s.tarballs["sdk@1.0.0"]))))
	if err != nil {
		s.t.Fatal(err)
	}
	return t
}

func (s *shelf) Resolve(_ context.Context, specs []fetch.Spec) (fetch.Tree, error) {
	s.resolved.Add(1)
	return s.tree(specs[0].Selector, s.sdk), nil
}

func (s *shelf) Install(ctx context.Context, t fetch.Tree) (fetch.Artifact, error) {
	if s.damage != nil {
		if _, err := s.depot.Install(ctx, t); err != nil {
			return fetch.Artifact{}, err
		}
		s.damage(filepath.Join(s.dir, "trees"))
	}
	return s.depot.Install(ctx, t)
}

func (s *shelf) Node() (string, error) { return "/no/node/is/needed", nil }

// fixes gives a lock the packages that its launch resolves to, and writes the
// tree beside it.
func (w *world) fixes(e *lockfile.Entry, l manifest.Launch) {
	w.t.Helper()
	c := l.Command()
	if !fixable(c) {
		return
	}
	tree := w.shelf.tree(c.Packages[0].Spec, w.shelf.sdk)
	a, err := npmArtifact(c, tree, c.Packages[0].Name)
	if err != nil {
		w.t.Fatal(err)
	}
	a.Bin = "run"
	e.Artifact = &a
	data, err := tree.Bytes()
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[TreeFile(LockDir+"/"+lockfile.FileName(e.Name)+LockSuffix, &a)] = string(data)
}

// withSDK seals notes with another version of what is below it.
func withSDK(version string) func(*world) {
	return func(w *world) {
		before := w.shelf.sdk
		w.shelf.sdk = version
		relocked("base")(w)
		w.shelf.sdk = before
	}
}

// withLatest seals notes with another version of the server.
func withLatest(version string) func(*world) {
	return func(w *world) {
		before := w.shelf.latest
		w.shelf.latest = version
		relocked("base")(w)
		w.shelf.latest = before
	}
}

// unfixedLock seals notes without its packages.
func unfixedLock(w *world) {
	relocked("base", func(e *lockfile.Entry) {
		delete(w.files, TreeFile(notesLock, e.Artifact))
		e.Artifact = nil
	})(w)
}

// offers is what the registry gives from now on.
func offers(version string) func(*world) { return func(w *world) { w.shelf.sdk = version } }

// tampering damages the first unpacked file of a name.
func tampering(pattern string, edit func(path string) error) func(*world) {
	return func(w *world) {
		w.shelf.damage = func(trees string) {
			found, err := filepath.Glob(filepath.Join(trees, "*", filepath.FromSlash(pattern)))
			if err != nil || len(found) == 0 {
				w.t.Fatalf("nothing to damage: %v", err)
			}
			if err := edit(found[0]); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// treeEdited changes the file beside the lock of notes that holds its tree.
func treeEdited(edit func(string) string) func(*world) {
	return func(w *world) {
		for name, text := range w.files {
			if filepath.Ext(name) == ".json" && slices.Contains([]string{".npm-lock.json"}, name[max(0, len(name)-len(".npm-lock.json")):]) {
				if text = edit(text); text == "" {
					delete(w.files, name)
				} else {
					w.files[name] = text
				}
			}
		}
	}
}
