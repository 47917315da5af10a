package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	idleTime     = 30 * time.Second // without a byte
	maxHeaderLen = 64 << 10
)

// own are the destinations that the configuration itself names.
func (c Config) own() map[string]bool {
	out := c.proxies.hosts()
	for _, u := range c.registries() {
		out[withPort(u)] = true
	}
	return out
}

// hosts are the proxies themselves.
func (p proxies) hosts() map[string]bool {
	out := map[string]bool{}
	for _, u := range []*upstream{p.always, p.https, p.http} {
		if u != nil {
			out[u.host] = true
		}
	}
	return out
}

// Dialer is the address rule with this configuration's own destinations.
func (c Config) Dialer(permit Permit) Dialer { return Dialer{Permit: permit, Own: c.own()} }

// roots are the system's authorities and the user's own.
func (c Config) roots() *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(c.authorities)
	pool.AppendCertsFromPEM(c.extra)
	return pool
}

// transport reaches registries for us: HTTP/1.1, the user's proxy, the address
// rule. It follows no redirect and shows cred's certificate, if there is one.
func (c Config) transport(d Dialer, cred credential) (*http.Transport, error) {
	config := &tls.Config{RootCAs: c.roots()}
	if len(cred.certificate) > 0 && cred.key.Len() > 0 {
		pair, err := tls.X509KeyPair(cred.certificate, []byte(cred.key.Reveal()))
		if err != nil {
			return nil, errors.New("certfile and keyfile are no pair of certificate and key")
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			p := c.proxies.of(r.URL)
			if p == nil {
				return nil, nil
			}
			return p.url(), c.named(d, r.URL)
		},
		DialContext:     d.DialContext,
		TLSClientConfig: config,
		// Not nil, so that the transport does not choose HTTP/2 by itself.
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		TLSHandshakeTimeout:    connectTime,
		ResponseHeaderTimeout:  idleTime,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeaderLen,
		MaxConnsPerHost:        16,
		DisableCompression:     true, // a tarball is hashed as it stands
	}, nil
}

func (c Config) named(d Dialer, u *url.URL) error {
	host, port, err := net.SplitHostPort(withPort(u))
	if err != nil {
		return errors.New("a destination without a port")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return errors.New("a destination with an odd port")
	}
	return d.Named(host, uint16(n))
}

// tunnel opens a connection to an https destination (host:port), through the
// user's proxy where one is configured.
func (c Config) tunnel(ctx context.Context, d Dialer, address string) (net.Conn, error) {
	u := &url.URL{Scheme: "https", Host: address}
	p := c.proxies.of(u)
	if p == nil {
		return d.DialContext(ctx, "tcp", address)
	}
	if err := c.named(d, u); err != nil {
		return nil, err
	}
	conn, err := d.DialContext(ctx, "tcp", p.host)
	if err != nil {
		return nil, err
	}
	tunnel, err := c.connect(ctx, conn, p, address)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return tunnel, nil
}

// connect asks a proxy for a tunnel (RFC 9110, section 9.3.6).
func (c Config) connect(ctx context.Context, conn net.Conn, p *upstream, address string) (net.Conn, error) {
	_ = conn.SetDeadline(time.Now().Add(connectTime))
	if p.scheme == "https" {
		name, _, _ := net.SplitHostPort(p.host)
		secured := tls.Client(conn, &tls.Config{RootCAs: c.roots(), ServerName: name})
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, errors.New("the proxy's certificate is not trusted")
		}
		conn = secured
	}
	request := "CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\n"
	if p.user.Len() > 0 {
		request += "Proxy-Authorization: " + p.authorization() + "\r\n"
	}
	if _, err := conn.Write([]byte(request + "\r\n")); err != nil {
		return nil, errors.New("the proxy closed the connection")
	}
	reader := bufio.NewReaderSize(conn, maxHeaderLen)
	answer, err := http.ReadResponse(reader, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, errors.New("the proxy did not answer")
	}
	if answer.StatusCode/100 != 2 {
		return nil, &proxyStatus{answer.StatusCode}
	}
	return &buffered{conn, reader}, conn.SetDeadline(time.Time{})
}

// proxyStatus is the refusal of the user's proxy.
type proxyStatus struct{ code int }

func (e *proxyStatus) Error() string { return fmt.Sprintf("the proxy answered %d", e.code) }

// buffered is a connection of which some bytes were read already.
type buffered struct {
	net.Conn
	reader *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.reader.Read(p) }
