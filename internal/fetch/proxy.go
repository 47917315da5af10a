package fetch

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

const (
	maxTunnels = 64  // requests and tunnels at a time
	maxRefused = 100 // destinations that are remembered
)

// resolverProxy is the only way out that a resolver is told of: a proxy on
// loopback which knows the registries and nothing else. It adds no credential.
// It wants one of its own, so that no other process here uses it.
type resolverProxy struct {
	config    Config
	dialer    Dialer
	password  string
	listener  net.Listener
	server    *http.Server
	transport *http.Transport
	idle      time.Duration
	slots     chan struct{}
	stop      context.CancelFunc
	running   sync.WaitGroup
	failed    atomic.Bool // a registry could not be reached
	plain     atomic.Bool // an https registry was asked for over http
	mu        sync.Mutex
	refusals  []string
}

// startProxy starts one; it ends with ctx or by close.
func startProxy(ctx context.Context, c Config, d Dialer) (*resolverProxy, error) {
	transport, err := c.transport(d, credential{})
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.New("no port on loopback is free")
	}
	ctx, stop := context.WithCancel(ctx)
	p := &resolverProxy{config: c, dialer: d, password: newPassword(), listener: listener, transport: transport,
		idle: idleTime, slots: make(chan struct{}, maxTunnels), stop: stop}
	p.server = &http.Server{
		Handler: p, ReadHeaderTimeout: connectTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderLen,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0),
	}
	p.running.Go(func() { _ = p.server.Serve(listener) })
	context.AfterFunc(ctx, func() { _ = p.server.Close() })
	return p, nil
}

func newPassword() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails since Go 1.24
	return hex.EncodeToString(b)
}

// url is the proxy's address with its credential.
func (p *resolverProxy) url() secret.Value {
	u := url.URL{Scheme: "http", User: url.UserPassword("resolver", p.password), Host: p.listener.Addr().String()}
	return secret.New(u.String())
}

// close ends every connection and waits for them.
func (p *resolverProxy) close() {
	p.stop()
	_ = p.server.Close()
	p.running.Wait()
	for range maxTunnels { // every slot that we hold is one that no request does
		p.slots <- struct{}{}
	}
	p.transport.CloseIdleConnections()
}

// refused are the destinations (host:port) that were asked for and not reached
// because they are no registry, in order of first appearance.
func (p *resolverProxy) refused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.refusals)
}

func (p *resolverProxy) refuse(w http.ResponseWriter, destination string) {
	p.mu.Lock()
	if len(p.refusals) < maxRefused && !slices.Contains(p.refusals, destination) {
		p.refusals = append(p.refusals, destination)
	}
	p.mu.Unlock()
	http.Error(w, "not a configured registry", http.StatusForbidden)
}

func (p *resolverProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	if !p.knows(r) {
		w.Header().Set("Proxy-Authenticate", "Basic")
		http.Error(w, "a credential is needed", http.StatusProxyAuthRequired)
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward(w, r)
	default:
		http.Error(w, "this is a proxy", http.StatusBadRequest)
	}
}

func (p *resolverProxy) knows(r *http.Request) bool {
	_, got, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
	return subtle.ConstantTimeCompare([]byte(got), []byte(p.password)) == 1
}

// registry reports whether a destination (host:port) is a registry's own, or
// may be one of those that hold its files.
func (p *resolverProxy) registry(scheme, destination string) bool {
	return p.config.anywhere && scheme == "https" || slices.ContainsFunc(p.config.registries(), func(u *url.URL) bool {
		return u.Scheme == scheme && withPort(u) == strings.ToLower(destination)
	})
}

func (p *resolverProxy) tunnel(w http.ResponseWriter, r *http.Request) {
	if !p.registry("https", r.Host) {
		p.refuse(w, r.Host)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*connectTime)
	defer cancel()
	out, err := p.config.tunnel(ctx, p.dialer, r.Host)
	if err != nil {
		p.unreached(w, r.Host, err)
		return
	}
	defer func() { _ = out.Close() }()
	in, rest, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = in.Close() }()
	if _, err := in.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		return
	}
	p.join(r.Context(), &buffered{in, rest.Reader}, out)
}

// join copies both ways until both are idle, one side is closed, or ctx is done.
func (p *resolverProxy) join(ctx context.Context, a, b net.Conn) {
	defer context.AfterFunc(ctx, func() { _, _ = a.Close(), b.Close() })()
	var both sync.WaitGroup
	var last atomic.Int64 // when a byte came, either way
	last.Store(time.Now().UnixNano())
	for _, way := range [][2]net.Conn{{a, b}, {b, a}} {
		both.Go(func() {
			p.copy(way[0], way[1], &last)
			_, _ = a.Close(), b.Close()
		})
	}
	both.Wait()
}

func (p *resolverProxy) copy(to, from net.Conn, last *atomic.Int64) {
	buf := make([]byte, 32<<10)
	for {
		_ = from.SetReadDeadline(time.Now().Add(p.idle))
		n, err := from.Read(buf)
		quiet := time.Since(time.Unix(0, last.Load()))
		if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && quiet < p.idle {
			continue // the other way is busy
		}
		if n > 0 {
			last.Store(time.Now().UnixNano())
			_ = to.SetWriteDeadline(time.Now().Add(p.idle))
			if _, failed := to.Write(buf[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hopByHop are headers for one connection (RFC 9110, section 7.6.1), and the
// credential that is ours.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// forward passes a request to an http registry on. Resolving only reads.
func (p *resolverProxy) forward(w http.ResponseWriter, r *http.Request) {
	destination := withPort(r.URL)
	if p.registry("https", destination) && !p.registry("http", destination) { // npm 10.0.0 does
		p.plain.Store(true)
		http.Error(w, "the registry speaks https", http.StatusForbidden)
		return
	}
	if !p.registry("http", destination) {
		p.refuse(w, destination)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "only reading is allowed", http.StatusMethodNotAllowed)
		return
	}
	out := r.Clone(r.Context())
	out.RequestURI, out.Close, out.Host = "", false, r.URL.Host
	for _, name := range hopByHop {
		out.Header.Del(name)
	}
	answer, err := p.transport.RoundTrip(out)
	if err != nil {
		p.unreached(w, destination, err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	for name, values := range answer.Header {
		if !slices.Contains(hopByHop, name) {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body)
}

// unreached tells a failed connection: by the rule, or because nobody answered.
func (p *resolverProxy) unreached(w http.ResponseWriter, destination string, err error) {
	var refused *AddressError
	if errors.As(err, &refused) {
		p.refuse(w, destination)
		return
	}
	p.failed.Store(true)
	http.Error(w, "the registry does not answer", http.StatusBadGateway)
}
