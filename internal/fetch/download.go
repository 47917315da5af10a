package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// DownloadError says why an archive was not fetched.
type DownloadError struct {
	Refused  bool   // by a rule of ours, whatever the other side would have said
	TooLarge bool   // the rule is a bound on bytes
	Detail   string // our sentence; foreign text in it is quoted
	Way      string // the way on
}

func (e *DownloadError) Error() string { return e.Detail }

// Hint is the way on, or empty.
func (e *DownloadError) Hint() string { return e.Way }

func refuse(detail, way string) error {
	return &DownloadError{Refused: true, Detail: detail, Way: way}
}

func tooLarge(detail string) error {
	return &DownloadError{Refused: true, TooLarge: true, Detail: detail}
}

// EnvironmentConfig is what the environment alone says of proxies and
// authorities; a file below one of forbidden is refused, whoever named it. Errors
// are *ConfigError.
func EnvironmentConfig(environ []string, forbidden ...string) (Config, error) {
	r := newConfigReader(environ, forbidden)
	var c Config
	if err := r.certificates(&c); err != nil {
		return Config{}, err
	}
	err := r.readProxies(&c)
	return c, err
}

// Archive opens what lies at an https address. The address is what was reviewed:
// a redirect is refused, and so is an address with a user, a query or a fragment,
// and one that leads to this machine or a private network, unless permit knows it.
//
// Nothing is verified here, and the length is not bounded: the caller hashes and
// counts what it reads. Reading fails where no byte arrives for half a minute. The
// caller closes. The error is an *DownloadError, or the context's.
func (c Config) Archive(ctx context.Context, address string, permit Permit) (io.ReadCloser, error) {
	return c.archive(ctx, address, Dialer{Permit: permit, Own: c.proxies.hosts()})
}

func (c Config) archive(ctx context.Context, address string, d Dialer) (io.ReadCloser, error) {
	u, err := archiveAddress(address)
	if err != nil {
		return nil, err
	}
	transport, err := c.transport(d, credential{})
	if err != nil {
		return nil, &DownloadError{Detail: err.Error()}
	}
	ctx, stop := context.WithCancel(ctx)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		stop()
		return nil, refuse("the address is odd", "")
	}
	q.Header.Set("User-Agent", "toolwarrant")
	got, err := transport.RoundTrip(q)
	if err != nil {
		defer stop()
		return nil, unreached(ctx, err)
	}
	a := &answer{Response: got, stop: func() { stop(); transport.CloseIdleConnections() }}
	if err := judgeArchive(got); err != nil {
		a.close()
		return nil, err
	}
	s := &stream{answer: a}
	s.silence = time.AfterFunc(idleTime, stop)
	return s, nil
}

// archiveAddress is the rule for addresses of archives.
func archiveAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "" && u.Scheme == "https":
		return nil, refuse("that is no address", "https://HOST/PATH")
	case u.Scheme != "https":
		return nil, refuse("archives are fetched over https alone", "https://HOST/PATH")
	case u.User != nil:
		return nil, refuse("the address holds a credential", "leave it out: nobody but the host should get it")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, refuse("the address has a query or a fragment", "name the archive itself, as https://HOST/PATH")
	}
	return u, nil
}

// judgeArchive takes an answer that is the archive, and no other.
func judgeArchive(got *http.Response) error {
	switch code := got.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code >= 300 && code < 400 && got.Header.Get("Location") != "":
		to, _ := secret.Mask(got.Header.Get("Location"))
		return refuse("it redirects to "+finding.Claim(to).Quote(), "if that is where the archive lies, name that address")
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return &DownloadError{Detail: "the host wants a credential", Way: "archives are fetched without one"}
	default:
		return &DownloadError{Detail: fmt.Sprintf("the host answered with status %d", code), Way: "check the address, or try again"}
	}
}

// unreached says in our words why no answer came.
func unreached(ctx context.Context, err error) error {
	if address, ok := errors.AsType[*AddressError](err); ok {
		return refuse(address.Error(), address.Hint())
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case untrusted(err) != "":
		return &DownloadError{Detail: "the host's certificate is not trusted", Way: "its authority can be named in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS"}
	}
	return &DownloadError{Detail: "the host does not answer", Way: "check the address, the network and the proxy"}
}

// stream is a body that has to go on arriving.
type stream struct {
	*answer
	silence *time.Timer
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.Body.Read(p)
	s.silence.Reset(idleTime)
	if err != nil && err != io.EOF {
		err = &DownloadError{Detail: "the host broke off in the middle of the archive", Way: "try again"}
	}
	return n, err
}

// Close ends the request.
func (s *stream) Close() error {
	s.silence.Stop()
	s.close()
	return nil
}
