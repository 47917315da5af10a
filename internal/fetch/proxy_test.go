package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakenpm"
)

func started(t *testing.T, c Config, d Dialer) *resolverProxy {
	t.Helper()
	p, err := startProxy(t.Context(), c, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
}

// through asks for an address by way of a proxy.
func through(t *testing.T, proxy, address string) (status int, body string) {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(u), DisableKeepAlives: true}}
	answer, err := client.Get(address)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = answer.Body.Close() }()
	b, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b)
}

// tunnelStatus asks for a tunnel and returns the status.
func tunnelStatus(t *testing.T, p *resolverProxy, destination, header string) int {
	t.Helper()
	c, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, _ = fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", destination, destination, header)
	answer, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: http.MethodConnect})
	if err != nil {
		return 0
	}
	return answer.StatusCode
}

func basic(p *resolverProxy) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth("resolver", p.password)
	return "Proxy-Authorization: " + r.Header.Get("Authorization") + "\r\n"
}

func TestProxyKnowsRegistriesOnly(t *testing.T) {
	s, other := newSite(t), newSite(t)
	s.Publish(fakenpm.Package{Name: "good", Version: "1.0.0"})
	p := started(t, s.config(t), s.config(t).Dialer(nil))
	if status, body := through(t, p.url().Reveal(), s.address+"/good"); status != 200 || !strings.Contains(body, `"1.0.0"`) {
		t.Errorf("got %d %s", status, body)
	}
	if status, _ := through(t, p.url().Reveal(), other.address+"/good?token=payload"); status != 403 {
		t.Errorf("got %d", status)
	}
	registry := strings.TrimPrefix(s.address, "http://")
	for _, destination := range []string{registry, "127.0.0.1:1", "evil.example:443", "evil.example:443"} {
		if status := tunnelStatus(t, p, destination, basic(p)); status != 403 { // the registry speaks http, not https
			t.Errorf("CONNECT %s: got %d", destination, status)
		}
	}
	want := []string{strings.TrimPrefix(other.address, "http://"), registry, "127.0.0.1:1", "evil.example:443"}
	if got := p.refused(); !slices.Equal(got, want) {
		t.Errorf("refused %q, want %q", got, want)
	}
	if len(other.Requests()) != 0 {
		t.Errorf("a request came through: %v", other.Requests())
	}
	proxy, _ := url.Parse(p.url().Reveal())
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true}}
	answer, err := client.Post(s.address+"/good", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != 405 || len(s.Requests()) != 1 {
		t.Errorf("a POST got %d, the registry %v", answer.StatusCode, s.Requests())
	}
}

func TestProxyWantsItsCredential(t *testing.T) {
	s := newSite(t)
	p := started(t, s.config(t), s.config(t).Dialer(nil))
	host := p.listener.Addr().String()
	for _, user := range []string{"", "resolver@", "resolver:x@", p.password + ":@"} {
		if status, _ := through(t, "http://"+user+host, s.address+"/good"); status != 407 {
			t.Errorf("%q: got %d", user, status)
		}
	}
	if status := tunnelStatus(t, p, strings.TrimPrefix(s.address, "http://"), ""); status != 407 {
		t.Errorf("CONNECT: got %d", status)
	}
	if len(s.Requests()) != 0 || len(p.refused()) != 0 {
		t.Errorf("got %v, refused %v", s.Requests(), p.refused())
	}
	answer, err := http.Get("http://" + host + "/good")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != 407 {
		t.Errorf("a direct request got %d", answer.StatusCode)
	}
}

// What is ours does not reach the registry, and what is npm's does.
func TestProxyHeaders(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header }))
	defer server.Close()
	u, _ := url.Parse(server.URL + "/")
	c := Config{registry: u}
	p := started(t, c, c.Dialer(nil))
	proxy, _ := url.Parse(p.url().Reveal())
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true}}
	q, _ := http.NewRequest(http.MethodGet, server.URL+"/x", nil)
	q.Header.Set("Authorization", "Bearer npm")
	answer, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if got.Get("Authorization") != "Bearer npm" || got.Get("Proxy-Authorization") != "" || got.Get("Via") != "" {
		t.Errorf("the registry got %v", got)
	}
}

// The user's own registry is dialled though it is private; a registry that the
// configuration does not call its own would not be.
func TestProxyAddressRule(t *testing.T) {
	s := newSite(t)
	p := started(t, s.config(t), Dialer{})
	if status, _ := through(t, p.url().Reveal(), s.address+"/good"); status != 403 || len(s.Requests()) != 0 {
		t.Errorf("got %d and %v", status, s.Requests())
	}
	if got := p.refused(); len(got) != 1 {
		t.Errorf("refused %q", got)
	}
	allowed := started(t, s.config(t), Dialer{Permit: func(string, netip.Addr, uint16) bool { return true }})
	if status, _ := through(t, allowed.url().Reveal(), s.address+"/good"); status != 404 {
		t.Errorf("got %d", status)
	}
}

func TestProxyTunnels(t *testing.T) {
	s := secureSite(t)
	d := s.config(t).Dialer(nil)
	d.Resolver = loopback
	for _, name := range []string{"directly", "through the user's proxy"} {
		t.Run(name, func(t *testing.T) {
			c := s.config(t)
			var users *userProxy
			if name != "directly" {
				users = newUserProxy(t, strings.TrimPrefix(s.server.URL, "https://"))
				c = s.config(t, "HTTPS_PROXY=http://us%20er:pass@"+users.address())
				d.Own = c.own()
			}
			p := started(t, c, d)
			proxy, _ := url.Parse(p.url().Reveal())
			transport, err := c.transport(d, credential{})
			if err != nil {
				t.Fatal(err)
			}
			transport.Proxy, transport.DialContext = http.ProxyURL(proxy), nil
			answer, err := (&http.Client{Transport: transport}).Get(s.address + "/good")
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			transport.CloseIdleConnections()
			if answer.StatusCode != 404 {
				t.Errorf("got %d", answer.StatusCode)
			}
			if users != nil && (users.user != "us er:pass" || users.destination != strings.TrimPrefix(s.address, "https://")) {
				t.Errorf("the user's proxy got %q for %q", users.user, users.destination)
			}
		})
	}
}

// userProxy is a proxy as a company has one: it leads every tunnel to one place.
type userProxy struct {
	*httptest.Server
	user, destination string
}

func (p *userProxy) address() string { return strings.TrimPrefix(p.URL, "http://") }

func newUserProxy(t *testing.T, to string) *userProxy {
	t.Helper()
	p := &userProxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
		p.user, p.destination = name+":"+password, r.Host
		if r.Method != http.MethodConnect {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		out, err := net.Dial("tcp", to)
		if err != nil {
			return
		}
		in, _, _ := http.NewResponseController(w).Hijack()
		_, _ = in.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
		go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
		_, _ = io.Copy(in, out)
		_ = in.Close()
	}))
	t.Cleanup(p.Close)
	return p
}

// A name that only the user's proxy could resolve is judged by what it says.
func TestProxyBehindProxyNamesThisMachine(t *testing.T) {
	users := newUserProxy(t, "127.0.0.1:1")
	c := Config{registry: &url.URL{Scheme: "https", Host: "localhost:8443", Path: "/"}}
	c.proxies.always = &upstream{scheme: "http", host: users.address()}
	p := started(t, c, Dialer{Own: map[string]bool{users.address(): true}})
	if status := tunnelStatus(t, p, "localhost:8443", basic(p)); status != 403 || users.destination != "" {
		t.Errorf("got %d, the user's proxy %q", status, users.destination)
	}
}

func TestProxyEnds(t *testing.T) {
	hung := fakenpm.New()
	hung.Behave("/good", fakenpm.Behaviour{Hang: true})
	server := httptest.NewServer(hung.Handler())
	defer server.Close()
	u, _ := url.Parse(server.URL + "/")
	c := Config{registry: u}
	ctx, cancel := context.WithCancel(t.Context())
	p, err := startProxy(ctx, c, c.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	go func() {
		status, _ := through(t, p.url().Reveal(), server.URL+"/good")
		done <- status
	}()
	for len(hung.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if status := <-done; status == 200 {
		t.Errorf("got %d", status)
	}
	p.close()
	if _, err := net.Dial("tcp", p.listener.Addr().String()); err == nil {
		t.Error("the port is still open")
	}
}

func TestTunnelIsClosedWhenIdle(t *testing.T) {
	p := &resolverProxy{idle: 10 * time.Millisecond}
	a, client := net.Pipe()
	b, server := net.Pipe()
	go p.join(t.Context(), a, b)
	for _, c := range []net.Conn{client, server} {
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("got %v", err)
		}
	}
}

// tired is a connection that gives nothing in time, three times, then a byte.
type tired struct {
	net.Conn
	reads int
}

func (c *tired) Read(b []byte) (int, error) {
	if c.reads++; c.reads <= 3 {
		return 0, os.ErrDeadlineExceeded
	}
	return copy(b, "x"), io.EOF
}

// A side that is silent while the other one speaks is waited for.
func TestTunnelWaitsForTheBusySide(t *testing.T) {
	for _, busy := range []bool{true, false} {
		a, b := net.Pipe()
		var last atomic.Int64
		if busy {
			last.Store(time.Now().Add(time.Hour).UnixNano())
		}
		go func() {
			(&resolverProxy{idle: time.Minute}).copy(a, &tired{Conn: a}, &last)
			_ = a.Close()
		}()
		got, _ := io.ReadAll(b)
		if want := map[bool]string{true: "x", false: ""}[busy]; string(got) != want {
			t.Errorf("busy %v: got %q", busy, got)
		}
	}
}

func TestTooManyConnections(t *testing.T) {
	s := newSite(t)
	p := started(t, s.config(t), s.config(t).Dialer(nil))
	for range maxTunnels {
		p.slots <- struct{}{}
	}
	if status, _ := through(t, p.url().Reveal(), s.address+"/good"); status != 503 {
		t.Errorf("got %d", status)
	}
	for range maxTunnels {
		<-p.slots
	}
}
