package fetch

import (
	"encoding/base64"
	"net"
	"net/url"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// proxies are the user's, and which addresses go past them.
type proxies struct {
	always      *upstream // proxy or https-proxy of npm's configuration
	https, http *upstream // of the environment, for that scheme
	except      []string  // names; each covers what is below it too
}

// upstream is one proxy of the user.
type upstream struct {
	scheme string       // http or https
	host   string       // host:port
	user   secret.Value // "user:password", decoded; empty for none
}

// proxyOf reads a proxy's address. One without a scheme is an http proxy.
func proxyOf(s setting) (*upstream, error) {
	text := s.value.Reveal()
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, s.place.refuse("the proxy is no address", `write "http://HOST:PORT"`)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, s.place.refuse("the proxy is neither an http nor an https one", "other kinds (SOCKS, PAC) are not supported")
	}
	p := &upstream{scheme: u.Scheme, host: withPort(u)}
	if u.User != nil {
		password, _ := u.User.Password()
		p.user = secret.New(u.User.Username() + ":" + password)
	}
	return p, nil
}

// withPort is host:port of u, in lower case, with the scheme's port where none
// is written.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// url is the proxy's address with its credential, for net/http alone.
func (p *upstream) url() *url.URL {
	u := &url.URL{Scheme: p.scheme, Host: p.host}
	if p.user.Len() > 0 {
		name, password, _ := strings.Cut(p.user.Reveal(), ":")
		u.User = url.UserPassword(name, password)
	}
	return u
}

// authorization is the value of the header Proxy-Authorization.
func (p *upstream) authorization() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(p.user.Reveal()))
}

// of is the proxy for an address, or nil.
func (p proxies) of(u *url.URL) *upstream {
	for _, name := range p.except {
		if below(strings.ToLower(u.Hostname()), name) {
			return nil
		}
	}
	switch {
	case p.always != nil:
		return p.always
	case p.https != nil: // npm takes it for http addresses too
		return p.https
	case u.Scheme == "http":
		return p.http
	}
	return nil
}

// exceptions reads a list of NO_PROXY; "*" is every name.
func exceptions(list string) (out []string) {
	for _, name := range strings.Split(list, ",") {
		name = strings.ToLower(strings.Trim(strings.TrimSpace(name), "."))
		if name != "" && name != "null" {
			out = append(out, strings.TrimPrefix(name, "*."))
		}
	}
	return out
}

// below reports whether host is name or a name below it.
func below(host, name string) bool {
	return name == "*" || host == name || strings.HasSuffix(host, "."+name)
}
