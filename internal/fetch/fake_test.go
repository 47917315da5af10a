package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"testing"
)

// fakePackage is a package of a registry in memory.
type fakePackage struct {
	name, version string
	deps          map[string]string
	files         map[string]string // beside package.json
	members       map[string]any    // further members of package.json
	script        bool
}

// manifest is its package.json.
func (p fakePackage) manifest() string {
	m := map[string]any{"name": p.name, "version": p.version}
	if len(p.deps) > 0 {
		m["dependencies"] = p.deps
	}
	maps.Copy(m, p.members)
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func (p fakePackage) tarball() []byte {
	var entries []tar.Header
	bodies := map[string]string{"package/package.json": p.manifest()}
	for name, body := range p.files {
		bodies["package/"+name] = body
	}
	var contents []string
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		entries = append(entries, tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644})
		contents = append(contents, bodies[name])
	}
	return archive(entries, contents)
}

// archive packs entries with their contents.
func archive(entries []tar.Header, contents []string) []byte {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	tw := tar.NewWriter(gz)
	for i, h := range entries {
		h.Size = int64(len(contents[i]))
		if h.Typeflag != tar.TypeReg {
			h.Size = 0
		}
		if err := tw.WriteHeader(&h); err != nil {
			panic(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(tw, contents[i]); err != nil {
				panic(err)
			}
		}
	}
	_, _ = tw.Close(), gz.Close()
	return b.Bytes()
}

func integrityOf(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fakeSource serves tarballs by "name@version" and counts what is asked for.
type fakeSource struct {
	mu    sync.Mutex
	bytes map[string][]byte
	asked map[string]int
}

func newSource(packages ...fakePackage) *fakeSource {
	s := &fakeSource{bytes: map[string][]byte{}, asked: map[string]int{}}
	for _, p := range packages {
		s.bytes[p.name+"@"+p.version] = p.tarball()
	}
	return s
}

func (s *fakeSource) Tarball(_ context.Context, name, version, _ string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := name + "@" + version
	s.asked[key]++
	data, ok := s.bytes[key]
	if !ok {
		return nil, fmt.Errorf("there is no %s", key)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (s *fakeSource) total() int {
	n := 0
	for _, c := range s.asked {
		n += c
	}
	return n
}

// entry is a package of a package-lock.json as npm writes it.
func (s *fakeSource) entry(p fakePackage) map[string]any {
	e := map[string]any{"version": p.version, "integrity": integrityOf(s.bytes[p.name+"@"+p.version]), "license": "MIT",
		"resolved": "https://registry.example/" + p.name + ".tgz"}
	if len(p.deps) > 0 {
		e["dependencies"] = p.deps
	}
	if p.script {
		e["hasInstallScript"] = true
	}
	for _, m := range []string{"os", "cpu", "optional", "bundleDependencies"} {
		if v, ok := p.members[m]; ok {
			e[m] = v
		}
	}
	return e
}

// lockOf writes a package-lock.json of root dependencies and entries by path.
func lockText(t testing.TB, root map[string]string, entries map[string]map[string]any) []byte {
	t.Helper()
	packages := map[string]any{"": map[string]any{"dependencies": root}}
	for path, e := range entries {
		packages[path] = e
	}
	data, err := json.MarshalIndent(map[string]any{"name": "x", "lockfileVersion": 3, "requires": true, "packages": packages}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The small tree that most tests use: a server, and an SDK below it.
var (
	server = fakePackage{name: "@scope/server", version: "1.0.0", deps: map[string]string{"sdk": "^1.0.0"},
		members: map[string]any{"bin": map[string]string{"server": "dist/index.js"}},
		files:   map[string]string{"dist/index.js": "#!/usr/bin/env node\nrequire('sdk')\n", "README.md": "words"}}
	sdk = fakePackage{name: "sdk", version: "1.2.0", files: map[string]string{"index.js": "module.exports = 1\n"}}
)

func smallTree(t testing.TB, s *fakeSource) Tree {
	t.Helper()
	tree, err := readTree(lockText(t, map[string]string{"@scope/server": "1.0.0"}, map[string]map[string]any{
		"node_modules/@scope/server": s.entry(server), "node_modules/sdk": s.entry(sdk),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func mustBytes(t testing.TB, tree Tree) []byte {
	t.Helper()
	data, err := tree.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func depot(t testing.TB, s Source) *Depot {
	t.Helper()
	dir := t.TempDir()
	d, err := OpenDepot(dir+"/tarballs", dir+"/trees", s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { discard(dir + "/trees") })
	return d
}
