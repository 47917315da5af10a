package manifest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// sharedConfigs is the folder of collected configurations, which lies beside the
// repository, not in it.
func sharedConfigs(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "configs")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the folder shared is not beside the repository")
	}
	return dir
}

// corpusFile is one row of the collection's index.
type corpusFile struct {
	name, format, path string
}

func corpusFiles(t *testing.T, dir string) []corpusFile {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []corpusFile
	for _, row := range rows[1:] {
		out = append(out, corpusFile{row[0], row[1], row[2]})
	}
	return out
}

// server is one server as the collection's own script saw it.
type server struct {
	N    int    `json:"n"`
	Name string `json:"name"`
	Tr   string `json:"tr"`
	Pin  string `json:"pin"`
	Sec  bool   `json:"sec"`
	Dis  bool   `json:"dis"`
}

func expectedServers(t *testing.T, dir string) map[int][]server {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "expected-servers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []server
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	out := map[int][]server{}
	for _, s := range all {
		out[s.N] = append(out[s.N], s)
	}
	return out
}

// readable are the formats that have a dialect.
var readable = []string{"mcp-json", "cursor", "vscode-mcp", "gemini", "claude-desktop"}

// brokenFile is the collection's one file that is no JSON.
const brokenFile = "264.json"

// differences are the servers about which the collection's script and this reader
// say different things on purpose. The key is the file's number and the name; the
// script writes "!flat:" before servers of flat files, which is not repeated here.
var differences = map[string]string{
	"7/filesystem": "the key is another dialect's; the script does not look there, here the server is read and no host loads it",
}

// secretDifferences are those about credentials in clear.
var secretDifferences = map[string]string{
	"2/vault": "the password is made of x alone, which reads as a placeholder",
	"87/neon": "a key with a published prefix stands as a bare argument, which the script does not look at",
}

// TestCorpus reads every collected file of a known dialect. Nothing is left out
// silently: each file is read, or refused with a place and a reason, and servers,
// transports and credentials are those that an independent script found.
func TestCorpus(t *testing.T) {
	dir := sharedConfigs(t)
	expected := expectedServers(t, dir)
	files, servers, refused := 0, 0, 0
	var pins agreement
	for _, c := range corpusFiles(t, dir) {
		if !slices.Contains(readable, c.format) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, c.name))
		if err != nil {
			t.Fatal(err)
		}
		number, _, _ := strings.Cut(c.name, ".")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		f := ReadAs(data, c.path)
		files++
		servers += len(f.Entries)
		refused += refusedWhole(t, c, f)
		pins.servers(t, n, f, expected[n])
	}
	t.Logf("%d files, %d servers, %d files refused", files, servers, refused)
	t.Logf("the pins of %d of %d servers agree (%.1f %%)", pins.same, pins.all, 100*float64(pins.same)/float64(pins.all))
	if pins.all == 0 || 100*pins.same < 98*pins.all {
		t.Error("less than 98 % of the pins agree")
	}
}

// refusedWhole is 1 for a file that was not read, which must say why.
func refusedWhole(t *testing.T, c corpusFile, f File) int {
	t.Helper()
	if f.Dialect != c.format {
		t.Errorf("%s (%s): read as %s, want %s", c.name, c.path, f.Dialect, c.format)
	}
	for _, p := range f.Problems {
		if p.Location.File != c.path || p.Location.Line == 0 || p.Location.Column == 0 || p.Message == "" {
			t.Errorf("%s: no place or reason: %+v", c.name, p)
		}
		if p.Rule == "check/undetermined" {
			if c.name != brokenFile {
				t.Errorf("%s: refused at %s: %s", c.name, p.Location, p.Message)
			}
			return 1
		}
	}
	return 0
}

func (a *agreement) servers(t *testing.T, n int, f File, want []server) {
	t.Helper()
	got := map[string]Entry{}
	for _, e := range f.Entries {
		got[e.Name.Value] = e
	}
	for _, w := range want {
		name := strings.TrimPrefix(w.Name, "!flat:")
		key := fmt.Sprintf("%d/%s", n, name)
		e, ok := got[name]
		if !ok {
			t.Errorf("%s was not found", key)
			continue
		}
		delete(got, name)
		if tr := strings.TrimSuffix(w.Tr, "(untyped)"); tr != string(e.Launch.Transport) {
			t.Errorf("%s is %q, want %q", key, e.Launch.Transport, tr)
		}
		clear := slices.ContainsFunc(e.Findings, func(f finding.Finding) bool { return f.Rule == "launch/inline-secret" })
		if clear != w.Sec && secretDifferences[key] == "" {
			t.Errorf("%s: a credential in clear: %t, want %t", key, clear, w.Sec)
		}
		a.compare(t, key, e, w.Pin)
	}
	for name := range got {
		if key := fmt.Sprintf("%d/%s", n, name); differences[key] == "" {
			t.Errorf("%s was found, but not by the script", key)
		}
	}
}

// pinDifferences are the servers whose pin is another one here, on purpose.
var pinDifferences = map[string]string{
	"10/laravel-boost": "docker-compose exec runs what a compose file and a container hold, no program of the machine",
	"18/isaac-sim":     "docker compose run takes its image from a file that is not read here",
	"127/github":       "a package's name as a command: with a slash in it, it is looked for below the folder of the start",
	"198/bundler":      "bundle exec works on the project's bundle, it is no program by itself",
	"260/legacy":       "an address under the name of a command's server: nothing is started",
}

// agreement counts servers whose pin is that of the script.
type agreement struct{ same, all int }

// comparePin holds a pin against the script's. Of its words "floating:tag" and
// the like are one here, "host-installed" is host. Where it could not tell
// ("unresolved") any verdict of ours is one more, and a remote server has none.
func (a *agreement) compare(t *testing.T, key string, e Entry, want string) {
	t.Helper()
	want, _, _ = strings.Cut(want, ":")
	switch {
	case want == "host-installed":
		want = "host"
	case want == "" && len(e.Launch.Argv) == 0:
		want = "remote"
	case want == "local" && absolute.MatchString(e.Launch.Command().File()):
		want = "host" // the script does not look where a file is
	}
	if !slices.Contains(append([]string{"local"}, strength...), e.Pin) {
		t.Errorf("%s has no verdict: %q", key, e.Pin)
	}
	if want == "" || want == "unresolved" {
		return
	}
	a.all++
	if why := e.Launch.Command().Why; why != "" {
		t.Errorf("%s is not understood: %s", key, why)
	}
	switch {
	case e.Pin == want:
		a.same++
	case pinDifferences[key] == "":
		t.Errorf("%s is pinned %q, want %q: %s", key, e.Pin, want, e.Launch.Command().told())
	}
}
