package github

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

const (
	answerTime = 30 * time.Second // for one answer, whole
	maxAnswer  = 16 << 20         // bytes of one answer
)

var (
	errElsewhere = errors.New("a request that does not go to the API")
	errTooLarge  = errors.New("an answer that is too large")
)

// origin sends requests to one origin only, with the token, and reads no more of
// an answer than it must.
type origin struct {
	api   *url.URL
	token secret.Value
	next  http.RoundTripper
}

// RoundTrip sends one request.
func (o origin) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.URL.Scheme != o.api.Scheme || q.URL.Host != o.api.Host {
		return nil, errElsewhere
	}
	q = q.Clone(q.Context())
	if o.token.Len() > 0 {
		q.Header.Set("Authorization", "Bearer "+o.token.Reveal())
	}
	answer, err := o.next.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	answer.Body = &bounded{answer.Body, maxAnswer}
	return answer, nil
}

// bounded fails where a body is longer than left; a cut one would look whole.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// address reads the address of the API: https, or http where the machine talks to
// itself. It ends in a slash, as go-github wants it.
func address(api string) (*url.URL, error) {
	u, err := url.Parse(api)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return nil, errors.New("the address of the API is none")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the address of the API has parts that it may not have")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, errors.New("the address of the API is not https")
	}
	return u.JoinPath("/"), nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// client is the http client of a configuration: no redirect is followed, since
// the token would go along, and nothing is kept between requests.
func (c Config) client(api *url.URL) *http.Client {
	out := http.Client{Timeout: answerTime}
	next := http.DefaultTransport // with the proxy that the environment names
	if c.HTTP != nil {
		if c.HTTP.Timeout > 0 {
			out.Timeout = c.HTTP.Timeout
		}
		if c.HTTP.Transport != nil {
			next = c.HTTP.Transport
		}
	}
	out.Transport = origin{api, c.Token, next}
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out
}
