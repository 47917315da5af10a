package fetch

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// credential is what the user's configuration has for one registry.
type credential struct {
	token          secret.Value // _authToken, a bearer
	auth           secret.Value // _auth, base64 of user:password
	user, password secret.Value // the password in base64
	certificate    []byte       // PEM of the client's certificate
	key            secret.Value // PEM of its key
	missing        []string     // variables that it refers to and that are not set
}

// Registry is the registry that the package called name comes from; nil where it
// is npm's own, which only npm knows.
func (c Config) Registry(name string) *url.URL {
	if scope, _, ok := strings.Cut(name, "/"); ok && c.scopes[scope] != nil {
		return c.scopes[scope]
	}
	return c.registry
}

// registries are all that are configured.
func (c Config) registries() []*url.URL {
	var out []*url.URL
	if c.registry != nil {
		out = append(out, c.registry)
	}
	for _, u := range c.scopes {
		out = append(out, u)
	}
	return out
}

// credential finds the credential for an address: of the longest //host/path
// that the address begins with, an end at a slash or before it. Over plain http
// it answers only for a registry that the user configured so.
func (c Config) credential(u *url.URL) (credential, bool) {
	if u.Scheme == "http" && !c.configured(u) {
		return credential{}, false
	}
	for key := "//" + hostOf(u) + u.EscapedPath(); len(key) > len("//"); key = shorter(key) {
		if found, ok := c.credentials[key]; ok && (found.usable() || len(found.missing) > 0) {
			return found, true
		}
	}
	return credential{}, false
}

// shorter takes the last slash off, or what is behind it.
func shorter(key string) string {
	if rest, ok := strings.CutSuffix(key, "/"); ok {
		return rest
	}
	return key[:strings.LastIndexByte(key, '/')+1]
}

// configured reports whether u has the origin of a registry.
func (c Config) configured(u *url.URL) bool {
	for _, r := range c.registries() {
		if sameOrigin(r, u) {
			return true
		}
	}
	return false
}

func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && hostOf(a) == hostOf(b) }

func (c credential) usable() bool {
	return c.header().Len() > 0 || len(c.certificate) > 0 && c.key.Len() > 0
}

// header is the value of Authorization, empty where there is none.
func (c credential) header() secret.Value {
	switch {
	case c.token.Len() > 0:
		return secret.New("Bearer " + c.token.Reveal())
	case c.auth.Len() > 0:
		return secret.New("Basic " + c.auth.Reveal())
	case c.user.Len() > 0 && c.password.Len() > 0:
		// As node decodes it: padding is optional.
		plain, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(c.password.Reveal(), "="))
		return secret.New("Basic " + base64.StdEncoding.EncodeToString([]byte(c.user.Reveal()+":"+string(plain))))
	}
	return secret.Value{}
}
