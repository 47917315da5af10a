package fakenpm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func serve(t *testing.T) (*Registry, *httptest.Server) {
	t.Helper()
	r := New()
	s := httptest.NewServer(r.Handler())
	t.Cleanup(s.Close)
	return r, s
}

func get(t *testing.T, address string, header ...string) (int, []byte) {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = a.Body.Close() }()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		return 0, b
	}
	return a.StatusCode, b
}

func TestDocuments(t *testing.T) {
	r, s := serve(t)
	r.Publish(Package{Name: "@own/good", Version: "1.0.0", Scripts: map[string]string{"postinstall": "x"}, OS: []string{"linux"}})
	r.Publish(Package{Name: "@own/good", Version: "2.0.0", Tags: []string{"next"}})
	type document struct {
		Name     string
		Tags     map[string]string `json:"dist-tags"`
		Versions map[string]struct {
			Scripts map[string]string
			OS      []string
			Install bool `json:"hasInstallScript"`
			Dist    struct{ Tarball, Integrity string }
		}
	}
	for accept, full := range map[string]bool{"application/json": true, "application/vnd.npm.install-v1+json; q=1.0, */*": false} {
		status, body := get(t, s.URL+"/@own%2fgood", "Accept", accept)
		var d document
		if err := json.Unmarshal(body, &d); err != nil || status != 200 {
			t.Fatalf("%d %v", status, err)
		}
		one := d.Versions["1.0.0"]
		if d.Tags["latest"] != "1.0.0" || d.Tags["next"] != "2.0.0" || len(d.Versions) != 2 || !one.Install || len(one.OS) != 1 || (len(one.Scripts) > 0) != full {
			t.Errorf("%s: got %+v", accept, d)
		}
		status, tarball := get(t, one.Dist.Tarball)
		if status != 200 || Integrity(tarball) != one.Dist.Integrity {
			t.Errorf("the tarball at %s is not the one of the document", one.Dist.Tarball)
		}
	}
	for path, want := range map[string]int{"/@own/good/2.0.0": 200, "/@own/good/next": 200, "/@own/good/3.0.0": 404, "/absent": 404, "/@own/good/-/x.tgz": 404, "/": 404} {
		if status, _ := get(t, s.URL+path); status != want {
			t.Errorf("%s: got %d, want %d", path, status, want)
		}
	}
}

func TestTarballIsDeterministic(t *testing.T) {
	p := Package{Name: "x", Version: "1.0.0", Bin: map[string]string{"x": "b.js"}, Files: map[string]string{"b.js": "b", "a/c.js": "c"}}
	if !bytes.Equal(p.Tarball(), p.Tarball()) {
		t.Error("two tarballs differ")
	}
	got := map[string]int64{}
	for name, f := range unpack(t, p.Tarball()) {
		got[name] = f.mode
	}
	if len(got) != 3 || got["package/b.js"] != 0o755 || got["package/a/c.js"] != 0o644 || got["package/package.json"] != 0o644 {
		t.Errorf("got %v", got)
	}
}

type file struct {
	mode int64
	text string
}

func unpack(t *testing.T, tarball []byte) map[string]file {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]file{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r)
		out[h.Name] = file{h.Mode, string(text)}
	}
}

func TestBehaviours(t *testing.T) {
	r, s := serve(t)
	r.Publish(Package{Name: "good", Version: "1.0.0"})
	r.Behave("/good", Behaviour{Status: 500, Times: 1})
	r.Behave("/other", Behaviour{Body: []byte("bytes")})
	r.Behave("/there", Behaviour{Redirect: "/other"})
	r.Behave("/good/1.0.0", Behaviour{Cut: true})
	for i, want := range []struct {
		path   string
		status int
	}{{"/good", 500}, {"/good", 200}, {"/other", 200}, {"/there", 302}, {"/good/1.0.0", 0}} {
		if status, _ := get(t, s.URL+want.path); status != want.status {
			t.Errorf("%d: %s: got %d, want %d", i, want.path, status, want.status)
		}
	}
	r.Demand("secret")
	for header, want := range map[string]int{"": 401, "Bearer other": 401, "Bearer secret": 200} {
		if status, _ := get(t, s.URL+"/good", "Authorization", header); status != want {
			t.Errorf("%q: got %d", header, status)
		}
	}
	accepted := 0
	for _, q := range r.Requests() {
		if q.Accepted {
			accepted++
		}
	}
	if accepted != 1 || len(r.Paths()) != 8 || !slices.Contains(r.Paths(), "/there") {
		t.Errorf("remembers %+v", r.Requests())
	}
}

// The server is run as it would be from an installed tree, with two versions of
// what it depends on.
func TestServer(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not in PATH")
	}
	for extra, want := range map[string]string{`{}`: `{"name":"a"}`, `{"execution":{"taskSupport":"forbidden"}}`: `{"name":"a","execution":{"taskSupport":"forbidden"}}`} {
		dir := t.TempDir()
		install(t, filepath.Join(dir, "node_modules", "@own", "server"), Server("@own/server", "1.0.0", `[{"name":"a"}]`, "sdk", "^1.0.0"))
		install(t, filepath.Join(dir, "node_modules", "sdk"), SDK("sdk", "1.0.0", extra))
		cmd := exec.Command(node, filepath.Join(dir, "node_modules", "@own", "server", "server.js"))
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}
{"jsonrpc":"2.0","id":"two","method":"initialize","params":{"protocolVersion":"2025-11-25"}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
`)
		out, err := cmd.CombinedOutput()
		wanted := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}
{"jsonrpc":"2.0","id":"two","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"@own/server","version":"1.0.0"}}}
{"jsonrpc":"2.0","id":3,"result":{"tools":[` + want + `]}}
`
		if err != nil || string(out) != wanted {
			t.Errorf("%v, got\n%s", err, out)
		}
	}
}

func install(t *testing.T, dir string, p Package) {
	t.Helper()
	for name, f := range unpack(t, p.Tarball()) {
		to := filepath.Join(dir, strings.TrimPrefix(name, "package/"))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(f.text), os.FileMode(f.mode)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBrokenFixture(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("broken JSON was published")
		}
	}()
	Server("x", "1.0.0", "[", "sdk", "1")
}
