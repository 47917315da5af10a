package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
)

// fetcher needs no npm.
func (s *site) fetcher(t *testing.T, permit Permit, environ ...string) *Resolver {
	t.Helper()
	r := NewResolver(s.config(t, environ...), ResolverOptions{Permit: permit})
	r.dialer.Resolver = loopback
	return r
}

func everything(string, netip.Addr, uint16) bool { return true }

func (r *Resolver) read(t *testing.T, name, version, resolved string) (string, error) {
	t.Helper()
	b, err := r.Tarball(t.Context(), name, version, resolved)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.Close() }()
	data, err := io.ReadAll(b)
	return string(data), err
}

func TestTarball(t *testing.T) {
	own := fakenpm.Package{Name: "@own/good", Version: "1.0.0"}
	good := fakenpm.Package{Name: "good", Version: "1.0.0-rc.1"}
	const there, scoped = "/good/-/good-1.0.0-rc.1.tgz", "/@own/good/-/good-1.0.0.tgz"
	type setup struct {
		name      string
		pkg       fakenpm.Package
		resolved  string // after the registry's address
		behaviour map[string]fakenpm.Behaviour
		permit    Permit
		want      Reason   // empty for the bytes
		paths     []string // asked of the registry
	}
	again := slices.Repeat([]string{there}, 3)
	tests := []setup{
		{name: "by convention", pkg: good, paths: []string{there}},
		{name: "of a scope", pkg: own, paths: []string{scoped}},
		{name: "resolved", pkg: good, resolved: "SELF/good/-/good-1.0.0-rc.1.tgz?x=1", paths: []string{there}},
		{name: "resolved elsewhere", pkg: good, resolved: "https://evil.example/x.tgz", paths: []string{there}},
		{name: "resolved by another scheme", pkg: good, resolved: "git+ssh://evil.example/x", paths: []string{there}},
		{name: "not where convention has it", pkg: own, behaviour: map[string]fakenpm.Behaviour{scoped: {Status: 404, Times: 1}},
			paths: []string{scoped, "/@own%2fgood/1.0.0", scoped}},
		{name: "absent", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 404}}, want: NotFound, paths: []string{there, "/good/1.0.0-rc.1", there}},
		{name: "no tarball named", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 404}, "/good/1.0.0-rc.1": {Body: []byte("{}")}}, want: NotFound},
		{name: "no JSON", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 404}, "/good/1.0.0-rc.1": {Body: []byte("<html>")}}, want: Failed},
		{name: "an odd tarball", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 404}, "/good/1.0.0-rc.1": {Body: []byte(`{"dist":{"tarball":"file:///etc/passwd"}}`)}}, want: Failed},
		{name: "401", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 401}}, want: RegistryAuth, paths: []string{there}},
		{name: "403", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 403}}, want: RegistryAuth, paths: []string{there}},
		{name: "418", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 418}}, want: Failed, paths: []string{there}},
		{name: "500 twice", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 500, Times: 2}}, paths: again},
		{name: "503", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Status: 503}}, want: Unreachable, paths: again},
		{name: "broken off", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Cut: true}}, want: Unreachable, paths: []string{there}},
		{name: "redirected", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Redirect: "/files/x", Times: 1}, "/files/x": {Redirect: there}}, paths: []string{there, "/files/x", there}},
		{name: "in a circle", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Redirect: there}}, want: Failed, paths: slices.Repeat([]string{there}, 6)},
		{name: "redirected to another scheme", pkg: good, behaviour: map[string]fakenpm.Behaviour{there: {Redirect: "ftp://example.com/"}}, want: Failed, paths: []string{there}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t)
			s.Publish(tt.pkg)
			for path, b := range tt.behaviour {
				s.Behave(path, b)
			}
			got, err := s.fetcher(t, tt.permit).read(t, tt.pkg.Name, tt.pkg.Version, strings.Replace(tt.resolved, "SELF", s.address, 1))
			switch {
			case tt.want == "" && (err != nil || got != string(tt.pkg.Tarball())):
				t.Errorf("got %d bytes, %v", len(got), err)
			case tt.want != "" && (err == nil || reason(t, err, "") != tt.want):
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if tt.paths != nil && !slices.Equal(s.Paths(), tt.paths) {
				t.Errorf("asked for %q, want %q", s.Paths(), tt.paths)
			}
		})
	}
}

func TestTarballNames(t *testing.T) {
	s := newSite(t)
	for _, p := range [][2]string{{"good", ""}, {"good", ".."}, {"good", "1.0.0/../x"}, {"good", "^1.0.0"}, {"../good", "1.0.0"}, {"@own/../x", "1.0.0"}, {"", "1.0.0"}} {
		if _, err := s.fetcher(t, nil).read(t, p[0], p[1], ""); reason(t, err, "") != Failed {
			t.Errorf("%q: got %v", p, err)
		}
	}
	if len(s.Requests()) != 0 {
		t.Errorf("asked for %v", s.Paths())
	}
}

// A redirect, or a registry's document, leads to another host: without a
// permit nobody comes there, and with one the credential stays behind.
func TestTarballElsewhere(t *testing.T) {
	const token = "0123456789-token-of-the-user"
	const there = "/good/-/good-1.0.0.tgz"
	pkg := fakenpm.Package{Name: "good", Version: "1.0.0"}
	for _, way := range []string{"redirect", "document"} {
		for _, permitted := range []bool{false, true} {
			t.Run(way, func(t *testing.T) {
				s, other := newSite(t), newSite(t)
				s.Demand(token)
				s.npmrc(t, strings.TrimPrefix(s.address, "http:")+"/:_authToken="+token+"\n")
				other.Publish(pkg)
				if way == "redirect" {
					s.Behave(there, fakenpm.Behaviour{Redirect: other.address + there})
				} else {
					s.Behave("/good/1.0.0", fakenpm.Behaviour{Body: []byte(`{"dist":{"tarball":"` + other.address + there + `"}}`)})
				}
				permit := Permit(nil)
				if permitted {
					permit = everything
				}
				got, err := s.fetcher(t, permit).read(t, "good", "1.0.0", "")
				for _, q := range s.Requests() {
					if !q.Accepted {
						t.Errorf("%s came without the token", q.Path)
					}
				}
				if permitted {
					if err != nil || got != string(pkg.Tarball()) || len(other.Requests()) != 1 || other.Requests()[0].Header {
						t.Errorf("got %d bytes, %v, requests %+v", len(got), err, other.Requests())
					}
					return
				}
				var refused *AddressError
				if !errors.As(err, &refused) || reason(t, err, token) != RefusedDependency || len(other.Requests()) != 0 {
					t.Errorf("got %v, requests %+v", err, other.Requests())
				}
			})
		}
	}
}

func TestTarballToken(t *testing.T) {
	const token = "0123456789-token-of-the-user"
	s := newSite(t)
	s.Demand(token)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	if _, err := s.fetcher(t, nil).read(t, "good", "1.0.0", ""); reason(t, err, token) != RegistryAuth {
		t.Errorf("got %v", err)
	}
	s.npmrc(t, strings.TrimPrefix(s.address, "http:")+"/good:_authToken=${T}\n")
	if _, err := s.fetcher(t, nil, "T="+token).read(t, "good", "1.0.0", ""); err != nil {
		t.Error(err)
	}
	_, err := s.fetcher(t, nil, "T=x"+token).read(t, "good", "1.0.0", "")
	if reason(t, err, token) != RegistryAuth {
		t.Errorf("got %v", err)
	}
}

func TestTarballOverTLS(t *testing.T) {
	s := secureSite(t)
	pkg := fakenpm.Package{Name: "good", Version: "1.0.0"}
	s.Publish(pkg)
	got, err := s.fetcher(t, nil).read(t, "good", "1.0.0", "")
	if err != nil || got != string(pkg.Tarball()) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	plain := newSite(t)
	s.Behave("/good/-/good-1.0.0.tgz", fakenpm.Behaviour{Redirect: plain.address + "/good/-/good-1.0.0.tgz"})
	if _, err := s.fetcher(t, everything).read(t, "good", "1.0.0", ""); reason(t, err, "") != Failed || len(plain.Requests()) != 0 {
		t.Errorf("from https to http: got %v", err)
	}
	users := newUserProxy(t, strings.TrimPrefix(s.server.URL, "https://"))
	s.Behave("/good/-/good-1.0.0.tgz", fakenpm.Behaviour{})
	if _, err := s.fetcher(t, nil, "HTTPS_PROXY=http://me:pw@"+users.address()).read(t, "good", "1.0.0", ""); err != nil || users.user != "me:pw" {
		t.Errorf("through a proxy of %q: %v", users.user, err)
	}
	s.npmrc(t, "")
	if _, err := s.fetcher(t, nil, "NODE_EXTRA_CA_CERTS="+filepath.Join(s.home, "ca.pem")).read(t, "good", "1.0.0", ""); err != nil {
		t.Errorf("with the authority in NODE_EXTRA_CA_CERTS: %v", err)
	}
	if _, err := s.fetcher(t, nil).read(t, "good", "1.0.0", ""); reason(t, err, "") != Unreachable {
		t.Errorf("without the authority: got %v", err)
	}
}

// A redirect to this machine is not asked of the user's proxy either.
func TestTarballProxyIsNoWayRound(t *testing.T) {
	s := newSite(t)
	s.Behave("/good/-/good-1.0.0.tgz", fakenpm.Behaviour{Redirect: "http://localhost:1/x"})
	requests := 0
	users := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		s.Handler().ServeHTTP(w, r)
	}))
	defer users.Close()
	_, err := s.fetcher(t, nil, "HTTP_PROXY="+users.URL).read(t, "good", "1.0.0", "")
	if reason(t, err, "") != RefusedDependency || requests != 1 {
		t.Errorf("got %v after %d requests", err, requests)
	}
}

func TestTarballBounds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, 100)) }))
	defer server.Close()
	s := newSite(t)
	s.address = server.URL
	s.npmrc(t, "")
	r := s.fetcher(t, nil)
	e := enquiry{Resolver: r, registry: r.config.Registry("")}
	for most, whole := range map[int64]bool{99: false, 100: true, 1 << 20: true} {
		b, err := e.open(t.Context(), e.registry, most)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(b)
		_ = b.Close()
		if whole != (err == nil && len(data) == 100) {
			t.Errorf("up to %d: got %d bytes, %v", most, len(data), err)
		}
	}
}

func TestTarballContext(t *testing.T) {
	s := newSite(t)
	s.Behave("/good/-/good-1.0.0.tgz", fakenpm.Behaviour{Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(s.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := s.fetcher(t, nil).Tarball(ctx, "good", "1.0.0", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A registry that asks for the client's certificate gets the user's, from us
// and from npm.
func TestClientCertificate(t *testing.T) {
	s := secureSite(t)
	pkg := fakenpm.Package{Name: "good", Version: "1.0.0"}
	s.Publish(pkg)
	s.server.TLS.ClientAuth = tls.RequireAnyClientCert
	pair := s.server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(s.home, "ca.pem")
	keyfile := filepath.Join(s.home, "key.pem")
	write(t, keyfile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	dart := strings.TrimPrefix(s.address, "https:") + "/:"
	if _, err := s.fetcher(t, nil).read(t, "good", "1.0.0", ""); reason(t, err, "") != Unreachable {
		t.Errorf("without one: got %v", err)
	}
	s.npmrc(t, "cafile="+ca+"\n"+dart+"certfile="+ca+"\n"+dart+"keyfile="+keyfile+"\n")
	got, err := s.fetcher(t, nil).read(t, "good", "1.0.0", "")
	if err != nil || got != string(pkg.Tarball()) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	write(t, keyfile, "no key")
	if _, err := s.fetcher(t, nil).read(t, "good", "1.0.0", ""); reason(t, err, "no key") != RegistryAuth {
		t.Errorf("with a broken one: got %v", err)
	}
	write(t, keyfile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	s.resolver(t).mustResolve(t, Spec{"good", ""})
}

// One Resolver serves many at a time.
func TestTarballsAtOnce(t *testing.T) {
	s := newSite(t)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	r := s.fetcher(t, nil)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := r.read(t, "good", "1.0.0", ""); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
