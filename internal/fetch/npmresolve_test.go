package fetch

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
)

// secureSite is one that speaks TLS, whose authority the user's npmrc names.
func secureSite(t *testing.T) *site {
	t.Helper()
	s := &site{Registry: fakenpm.New(), home: t.TempDir()}
	s.server = httptest.NewUnstartedServer(s.Handler())
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.server.StartTLS()
	t.Cleanup(s.server.Close)
	ca := filepath.Join(s.home, "ca.pem")
	write(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})))
	s.address = strings.Replace(s.server.URL, "127.0.0.1", "example.com", 1) // the certificate's name
	s.npmrc(t, "cafile="+ca+"\n")
	return s
}

// site is a fake registry that listens, and a home whose npmrc names it.
type site struct {
	*fakenpm.Registry
	server  *httptest.Server
	address string
	home    string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{Registry: fakenpm.New(), home: t.TempDir()}
	s.server = httptest.NewServer(s.Handler())
	t.Cleanup(s.server.Close)
	s.address = s.server.URL
	s.npmrc(t, "")
	return s
}

// npmrc writes the user's file: the registry and more lines.
func (s *site) npmrc(t *testing.T, more string) {
	t.Helper()
	write(t, filepath.Join(s.home, ".npmrc"), "registry="+s.address+"\n"+more)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// config reads the user's configuration, with a machine that says nothing.
func (s *site) config(t *testing.T, environ ...string) Config {
	t.Helper()
	environ = append([]string{"HOME=" + s.home, "NPM_CONFIG_GLOBALCONFIG=" + filepath.Join(s.home, "none")}, environ...)
	c, err := ReadConfig(environ, "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// resolver resolves with the machine's npm, and skips where there is none.
func (s *site) resolver(t *testing.T) *Resolver {
	t.Helper()
	r := NewResolver(s.config(t), ResolverOptions{PATH: os.Getenv("PATH")})
	if r.node == "" || r.npm == nil {
		t.Skip("node and npm are not both in PATH")
	}
	r.dialer.Resolver = loopback
	return r
}

// loopback is a name server for which every name is this machine.
var loopback = fakeResolver(func() [4]byte { return [4]byte{127, 0, 0, 1} })

// lockOf is what tests look at in a package-lock.json.
type lockOf struct {
	LockfileVersion int
	Packages        map[string]struct{ Version, Resolved, Integrity string }
}

func (r *Resolver) mustResolve(t *testing.T, specs ...Spec) lockOf {
	t.Helper()
	data, err := r.ResolveNPM(t.Context(), specs)
	if err != nil {
		t.Fatal(err)
	}
	var l lockOf
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestResolves(t *testing.T) {
	s := newSite(t)
	s.Publish(fakenpm.Package{Name: "leaf", Version: "1.0.0"})
	s.Publish(fakenpm.Package{Name: "leaf", Version: "1.1.0"})
	s.Publish(fakenpm.Package{Name: "leaf", Version: "2.0.0-rc.1", Tags: []string{"next"}})
	s.Publish(fakenpm.Package{Name: "@scope/top", Version: "3.0.0", Dependencies: map[string]string{"leaf": "^1.0.0"}})
	r := s.resolver(t)
	tests := []struct {
		name  string
		specs []Spec
		want  map[string]string // version by path
	}{
		{"latest", []Spec{{"@scope/top", ""}}, map[string]string{"node_modules/@scope/top": "3.0.0", "node_modules/leaf": "1.1.0"}},
		{"exact", []Spec{{"leaf", "1.0.0"}}, map[string]string{"node_modules/leaf": "1.0.0"}},
		{"range", []Spec{{"leaf", "~1.0.0"}}, map[string]string{"node_modules/leaf": "1.0.0"}},
		{"tag", []Spec{{"leaf", "next"}}, map[string]string{"node_modules/leaf": "2.0.0-rc.1"}},
		{"two", []Spec{{"@scope/top", "3"}, {"leaf", "1.0.0"}}, map[string]string{"node_modules/@scope/top": "3.0.0", "node_modules/leaf": "1.0.0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := r.mustResolve(t, tt.specs...)
			if l.LockfileVersion != 3 || len(l.Packages) != len(tt.want)+1 {
				t.Errorf("got %+v", l)
			}
			for path, version := range tt.want {
				p := l.Packages[path]
				if p.Version != version || p.Integrity == "" || p.Resolved == "" {
					t.Errorf("%s: got %+v, want %s", path, p, version)
				}
			}
		})
	}
}

// Through CONNECT, with the authority of cafile, and without.
func TestResolvesOverTLS(t *testing.T) {
	s := secureSite(t)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	if l := s.resolver(t).mustResolve(t, Spec{"good", ""}); l.Packages["node_modules/good"].Version != "1.0.0" {
		t.Errorf("got %+v", l)
	}
	s.npmrc(t, "")
	extra := NewResolver(s.config(t, "NODE_EXTRA_CA_CERTS="+filepath.Join(s.home, "ca.pem")), ResolverOptions{PATH: os.Getenv("PATH")})
	extra.dialer.Resolver = loopback
	extra.mustResolve(t, Spec{"good", ""})
	_, err := s.resolver(t).ResolveNPM(t.Context(), []Spec{{"good", ""}})
	if got := reason(t, err, ""); got != Unreachable {
		t.Errorf("got %s (%v)", got, err)
	}
}

// reason is the reason of err; its words must not hold the token.
func reason(t *testing.T, err error, token string) Reason {
	t.Helper()
	var failed *ResolveError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want a *ResolveError", err)
	}
	if all := fmt.Sprintf("%v %+v %#v %s", err, failed, failed, failed.Hint); token != "" && strings.Contains(all, token) {
		t.Errorf("the token is in the error: %s", all)
	}
	if failed.Detail == "" || failed.Hint == "" && failed.Reason != Failed {
		t.Errorf("says too little: %+v", failed)
	}
	return failed.Reason
}

func TestResolveErrors(t *testing.T) {
	s := newSite(t)
	git := map[string]string{"from-git": "git+https://127.0.0.1:1/x.git"}
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	s.Publish(fakenpm.Package{Name: "lost", Version: "1.0.0", Dependencies: map[string]string{"good": "^9.0.0"}})
	s.Publish(fakenpm.Package{Name: "git", Version: "1.0.0", Dependencies: git})
	s.Publish(fakenpm.Package{Name: "maybe-git", Version: "1.0.0", OptionalDependencies: git})
	s.Publish(fakenpm.Package{Name: "file", Version: "1.0.0", Dependencies: map[string]string{"x": "file:../x"}})
	for name, status := range map[string]int{"locked": 401, "forbidden": 403, "broken": 500} {
		s.Behave("/"+name, fakenpm.Behaviour{Status: status})
	}
	r := s.resolver(t)
	tests := []struct {
		spec Spec
		want Reason
	}{
		{Spec{"absent", ""}, NotFound},
		{Spec{"good", "2.0.0"}, NoVersion},
		{Spec{"good", "beta"}, NoVersion},
		{Spec{"lost", ""}, NoVersion},
		{Spec{"locked", ""}, RegistryAuth},
		{Spec{"forbidden", ""}, RegistryAuth},
		{Spec{"broken", ""}, Unreachable},
		{Spec{"git", ""}, RefusedDependency},
		{Spec{"file", ""}, RefusedDependency},
		{Spec{"maybe-git", ""}, RefusedDependency},
		{Spec{"good", "git+ssh://host/x.git"}, RefusedDependency},
		{Spec{"good", "user/repository"}, RefusedDependency},
		{Spec{"good", "file:.."}, RefusedDependency},
		{Spec{"../good", ""}, Failed},
		{Spec{"", ""}, Failed},
	}
	for _, tt := range tests {
		t.Run(tt.spec.String(), func(t *testing.T) {
			_, err := r.ResolveNPM(t.Context(), []Spec{tt.spec})
			if got := reason(t, err, ""); got != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
		})
	}
}

// An npm that does not know how to refuse git finds nothing that runs as git.
func TestOldNPMTriesGit(t *testing.T) {
	s := newSite(t)
	s.Publish(fakenpm.Package{Name: "git", Version: "1.0.0", Dependencies: map[string]string{"x": "git+https://127.0.0.1:1/x.git"}})
	r := s.resolver(t)
	r.npm = oldNPM(t, r.npm)
	_, err := r.ResolveNPM(t.Context(), []Spec{{"git", ""}})
	if got := reason(t, err, ""); got != RefusedDependency {
		t.Errorf("got %s (%v)", got, err)
	}
}

// An npm that would send a request for an https registry in clear is stopped.
func TestPlainRequestForSecureRegistry(t *testing.T) {
	s := secureSite(t)
	r := s.fetcher(t, nil)
	p := started(t, r.config, r.dialer)
	if status, _ := through(t, p.url().Reveal(), strings.Replace(s.address, "https:", "http:", 1)+"/good"); status != 403 || len(p.refused()) != 0 {
		t.Errorf("got %d, refused %v", status, p.refused())
	}
	if got := r.explain([]Spec{{"good", ""}}, words{}, p, nil); reason(t, got, "") != Failed || !strings.Contains(got.Error(), "encryption") {
		t.Errorf("got %v", got)
	}
}

func TestUnreachableRegistry(t *testing.T) {
	s := newSite(t)
	s.server.Close()
	r := s.resolver(t)
	_, err := r.ResolveNPM(t.Context(), []Spec{{"good", ""}})
	if got := reason(t, err, ""); got != Unreachable {
		t.Errorf("got %s (%v)", got, err)
	}
}

// A repository's files say nothing, though the tests stand in it.
func TestRepositoryIsNotRead(t *testing.T) {
	s, other := newSite(t), newSite(t)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	other.Publish(fakenpm.Package{Name: "good", Version: "6.6.6"})
	repo := t.TempDir()
	write(t, filepath.Join(repo, ".npmrc"), "registry="+other.server.URL+"\ngit=./evil.sh\n")
	write(t, filepath.Join(repo, "package.json"), `{"overrides":{"good":"6.6.6"}}`)
	t.Chdir(repo)
	l := s.resolver(t).mustResolve(t, Spec{"good", ""})
	if got := l.Packages["node_modules/good"].Version; got != "1.0.0" {
		t.Errorf("got %s", got)
	}
	if len(other.Requests()) != 0 {
		t.Errorf("the repository's registry got %v", other.Requests())
	}
	if left, _ := os.ReadDir(repo); len(left) != 2 {
		t.Errorf("something was written into the repository: %v", left)
	}
}

func TestToken(t *testing.T) {
	const token = "0123456789-token-of-the-user"
	s := newSite(t)
	s.Publish(fakenpm.Package{Name: "@own/good", Version: "1.0.0"})
	s.Demand(token)
	dart := strings.TrimPrefix(s.server.URL, "http:")
	tests := []struct {
		name, line string
		want       Reason
	}{
		{"right", dart + "/:_authToken=" + token, ""},
		{"wrong", dart + "/:_authToken=x" + token, RegistryAuth},
		{"of another path", dart + "/private/:_authToken=" + token, RegistryAuth},
		{"of another host", "//example.com/:_authToken=" + token, RegistryAuth},
		{"none", "", RegistryAuth},
		{"variable that is not set", dart + "/:_authToken=${ABSENT}", RegistryAuth},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.npmrc(t, tt.line+"\n")
			_, err := s.resolver(t).ResolveNPM(t.Context(), []Spec{{"@own/good", ""}})
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if got := reason(t, err, token); got != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
			if tt.name == "variable that is not set" && !strings.Contains(err.(*ResolveError).Hint, "ABSENT") {
				t.Errorf("the variable is not named: %q", err.(*ResolveError).Hint)
			}
		})
	}
}

// A dependency by URL gets no request: our proxy refuses it. One at an address of
// the registry itself is refused by what the tree says.
func TestForeignDependency(t *testing.T) {
	s, other := newSite(t), newSite(t)
	tarball := other.server.URL + "/evil.tgz"
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0", Dependencies: map[string]string{"evil": tarball}})
	s.Publish(fakenpm.Package{Name: "optional", Version: "1.0.0", OptionalDependencies: map[string]string{"evil": tarball}})
	s.Publish(fakenpm.Package{Name: "evil", Version: "1.0.0"})
	s.Publish(fakenpm.Package{Name: "near", Version: "1.0.0", Dependencies: map[string]string{"evil": s.server.URL + fakenpm.TarballPath("evil", "1.0.0")}})
	s.Publish(fakenpm.Package{Name: "deep", Version: "1.0.0", Dependencies: map[string]string{"good": "1.0.0"}})
	for _, old := range []bool{false, true} {
		for _, name := range []string{"good", "optional", "near", "deep"} {
			t.Run(fmt.Sprintf("%s, old npm: %v", name, old), func(t *testing.T) {
				r := s.resolver(t)
				if old {
					r.npm = oldNPM(t, r.npm)
				}
				_, err := r.ResolveNPM(t.Context(), []Spec{{name, ""}})
				if got := reason(t, err, ""); got != RefusedDependency {
					t.Errorf("got %s (%v)", got, err)
				}
			})
		}
	}
	if len(other.Requests()) != 0 {
		t.Errorf("a request came through: %v", other.Requests())
	}
}

// Packages whose tarballs npm has to read while it resolves: one holds others,
// one its own lock.
func TestBundleAndShrinkwrap(t *testing.T) {
	s := newSite(t)
	inner, leaf := fakenpm.Package{Name: "inner", Version: "2.0.0"}, fakenpm.Package{Name: "leaf", Version: "1.0.0"}
	s.Publish(leaf)
	s.Publish(fakenpm.Package{Name: "leaf", Version: "1.1.0"})
	s.Publish(fakenpm.Package{Name: "outer", Version: "1.0.0", Dependencies: map[string]string{"inner": "^2.0.0"}, Bundle: []string{"inner"},
		Files: map[string]string{"node_modules/inner/package.json": `{"name":"inner","version":"2.0.0"}`, "node_modules/inner/index.js": "1"}})
	lock := fmt.Sprintf(`{"name":"shrunk","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"shrunk","version":"1.0.0","dependencies":{"leaf":"^1.0.0"}},
		"node_modules/leaf":{"version":"1.0.0","resolved":%q,"integrity":%q}}}`, s.server.URL+fakenpm.TarballPath("leaf", "1.0.0"), fakenpm.Integrity(leaf.Tarball()))
	s.Publish(fakenpm.Package{Name: "shrunk", Version: "1.0.0", Dependencies: map[string]string{"leaf": "^1.0.0"}, Files: map[string]string{"npm-shrinkwrap.json": lock}})
	s.Publish(fakenpm.Package{Name: "top", Version: "1.0.0", Dependencies: map[string]string{"outer": "1.0.0", "shrunk": "1.0.0"}})
	s.Publish(inner)
	r := s.resolver(t)
	n := &NPM{r, depot(t, r)}
	for name, want := range map[string]string{"outer": "node_modules/outer/node_modules/inner", "shrunk": "node_modules/shrunk/node_modules/leaf", "top": "node_modules/outer/node_modules/inner"} {
		t.Run(name, func(t *testing.T) {
			tree, err := n.Resolve(t.Context(), []Spec{{name, ""}})
			if err != nil {
				t.Fatal(err)
			}
			a, err := n.Install(t.Context(), tree)
			if err != nil {
				t.Fatal(err)
			}
			if m, ok := readManifest(filepath.Join(a.Dir(), filepath.FromSlash(want))); !ok || m.Version != map[string]string{"inner": "2.0.0", "leaf": "1.0.0"}[m.Name] {
				t.Errorf("%s holds %+v", want, m)
			}
		})
	}
}

// oldNPM is npm without the settings that forbid dependencies by kind.
func oldNPM(t *testing.T, npm []string) []string {
	t.Helper()
	if len(npm) != 2 {
		t.Skip("npm is no script for node here")
	}
	dir := openDir(t)
	shim := filepath.Join(dir, "npm.js")
	text := "for (const k in process.env) if (k.startsWith('npm_config_allow_')) delete process.env[k]\nrequire(" + strconv.Quote(npm[1]) + ")\n"
	if err := os.WriteFile(shim, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{npm[0], shim}
}

// openDir is a directory that every user can enter, which those of the test are not.
func openDir(t *testing.T) string {
	t.Helper()
	if !enterable(os.TempDir()) {
		t.Skip("the temporary directory is not open to other users")
	}
	dir, err := os.MkdirTemp("", "toolwarrant-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestScriptsNeverRun(t *testing.T) {
	s := newSite(t)
	dir := openDir(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	sentinel := filepath.Join(dir, "ran")
	run := "echo x >> " + sentinel
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0", Scripts: map[string]string{
		"preinstall": run, "install": run, "postinstall": run, "prepare": run,
	}})
	s.resolver(t).mustResolve(t, Spec{"good", ""})
	if _, err := os.Stat(sentinel); err == nil {
		t.Error("a script was run")
	}
}

// What npm is given is told by one that prints it.
func TestEnvironmentOfNPM(t *testing.T) {
	s := newSite(t)
	dir := openDir(t)
	program(t, filepath.Join(dir, "node"))
	program(t, filepath.Join(dir, "npm"), `{ pwd; id -u; id -G; ls -A .; env; cat "$npm_config_userconfig"; } > package-lock.json`)
	ours := []string{"TOOLWARRANT_TEST_SECRET", "NODE_OPTIONS", "GITHUB_TOKEN", "npm_config_foo", "LD_PRELOAD_TEST"}
	for _, name := range ours {
		t.Setenv(name, "--value-of-ours")
	}
	repo := t.TempDir()
	path := strings.Join([]string{"relative", ".", filepath.Join(repo, "bin"), filepath.Join(dir, "node_modules", ".bin"), dir, "/bin", "/usr/bin"}, ":")
	for _, d := range []string{filepath.Join(repo, "bin"), filepath.Join(dir, "node_modules", ".bin")} {
		for _, name := range []string{"node", "npm"} {
			program(t, filepath.Join(d, name), "exit 1")
		}
	}
	s.npmrc(t, "//elsewhere.example/:_authToken=token-of-another\nscript-shell=/bin/evil\n"+strings.TrimPrefix(s.server.URL, "http:")+"/:_authToken=$1 \"q\" ${HOME\n")
	r := NewResolver(s.config(t), ResolverOptions{PATH: path, Forbidden: []string{repo}})
	got, err := r.ResolveNPM(t.Context(), []Spec{{"good", ""}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	for _, not := range append(ours, "value-of-ours", "token-of-another", "evil", repo, "relative", "node_modules/.bin", s.home, os.Getenv("HOME")+"\n") {
		if strings.Contains(text, not) {
			t.Errorf("npm sees %q in\n%s", not, text)
		}
	}
	lines := strings.Split(text, "\n")
	if os.Geteuid() == 0 && (lines[1] != strconv.Itoa(resolverUID) || lines[2] != strconv.Itoa(resolverUID)) {
		t.Errorf("npm runs as user %s with groups %s", lines[1], lines[2])
	}
	if lines[3] != "package.json" && lines[3] != "package-lock.json" { // the shell made the second one itself
		t.Errorf("the folder holds %q", lines[3])
	}
	for _, want := range []string{"\nnpm_config_https_proxy=http://resolver:", "\nnpm_config_ignore_scripts=true\n", `:_authToken="$1 \"q\" \\${HOME"`} {
		if !strings.Contains(text, want) {
			t.Errorf("npm does not see %q in\n%s", want, text)
		}
	}
	if _, err := os.Stat(lines[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s was left behind", lines[0])
	}
}

func TestMissingPrograms(t *testing.T) {
	s := newSite(t)
	dir := openDir(t)
	for _, has := range [][]string{nil, {"node"}} {
		for _, name := range has {
			program(t, filepath.Join(dir, name))
		}
		r := NewResolver(s.config(t), ResolverOptions{PATH: dir})
		_, err := r.ResolveNPM(t.Context(), []Spec{{"good", ""}})
		if got := reason(t, err, ""); got != MissingProgram {
			t.Errorf("with %v: got %s (%v)", has, got, err)
		}
	}
}

// A lock that npm left as a link is not followed.
func TestLockIsNoLink(t *testing.T) {
	s := newSite(t)
	dir := openDir(t)
	program(t, filepath.Join(dir, "node"))
	program(t, filepath.Join(dir, "npm"), "ln -s /etc/hostname package-lock.json")
	r := NewResolver(s.config(t), ResolverOptions{PATH: dir + ":/bin:/usr/bin"})
	_, err := r.ResolveNPM(t.Context(), []Spec{{"good", ""}})
	if got := reason(t, err, ""); got != Failed {
		t.Errorf("got %s (%v)", got, err)
	}
}

func TestCacheIsKept(t *testing.T) {
	s := newSite(t)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	cache := openDir(t)
	r := NewResolver(s.config(t), ResolverOptions{PATH: os.Getenv("PATH"), Cache: cache})
	if r.npm == nil {
		t.Skip("node and npm are not both in PATH")
	}
	r.mustResolve(t, Spec{"good", ""})
	if found, _ := filepath.Glob(filepath.Join(cache, "npm-*", "_cacache")); len(found) != 1 {
		t.Errorf("got %v", found)
	}
}

func TestContextStopsNPM(t *testing.T) {
	s := newSite(t)
	s.Behave("/good", fakenpm.Behaviour{Hang: true})
	r := s.resolver(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(s.Requests()) == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := r.ResolveNPM(ctx, []Spec{{"good", ""}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTold(t *testing.T) {
	tests := []struct{ out, err, code, summary string }{
		{`{"error":{"code":"E404","summary":"x"}}`, "", "E404", "x"},
		{"noise\n{\"error\":{\"code\":\"ETARGET\"}}", "", "ETARGET", ""},
		{"", "npm error code E401\nnpm error words", "E401", ""},
		{"", "npm ERR! code E401\r\n", "E401", ""},
		{`{"error":{"code":5}}`, "", "", ""},
		{`{"error":{"code":"rm -rf"}}`, "", "", ""},
		{"{", "words: npm error code E401", "", ""},
		{"", "npm ERR! words\n{\n  \"error\": {\"code\": \"E404\", \"summary\": \"x\"}\n}\nnpm ERR! log", "E404", "x"},
		{`{"added":1}`, "npm error code E401", "E401", ""},
		{"", "", "", ""},
	}
	for _, tt := range tests {
		if code, summary := told(words{out: []byte(tt.out), err: []byte(tt.err)}); code != tt.code || summary != tt.summary {
			t.Errorf("%q %q: got %q %q", tt.out, tt.err, code, summary)
		}
	}
}
