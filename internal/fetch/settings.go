package fetch

import (
	"crypto/x509"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// config makes a Config of the settings.
func (r *configReader) config() (c Config, err error) {
	for _, step := range []func(*Config) error{r.strict, r.registries, r.readCredentials, r.certificates, r.readProxies} {
		if err := step(&c); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

func (r *configReader) strict(*Config) error {
	if s := last(r.settings["strict-ssl"]); s.text() == "false" {
		return s.place.refuse("strict-ssl is off: who answers would not be known", "name the authority with cafile and remove strict-ssl")
	}
	return nil
}

func (r *configReader) registries(c *Config) (err error) {
	c.scopes = map[string]*url.URL{}
	for _, key := range slices.Sorted(maps.Keys(r.settings)) {
		scope, ok := strings.CutSuffix(key, ":registry")
		s := last(r.settings[key])
		switch {
		case key == "registry" && s.text() != "":
			c.registry, err = registryOf(s)
		case ok && strings.HasPrefix(scope, "@") && s.text() != "":
			c.scopes[scope], err = registryOf(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// registryOf reads a registry's address; it ends in a slash.
func registryOf(s setting) (*url.URL, error) {
	u, err := url.Parse(s.text())
	switch {
	case len(unset(s.text())) > 0:
		return nil, s.place.refuse("the registry's address refers to a variable that is not set: "+unset(s.text())[0], "set it")
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, s.place.refuse("the registry is no http or https address", "")
	case u.User != nil:
		return nil, s.place.refuse("the registry's address holds a credential", "move it to a line //HOST/:_authToken or //HOST/:_auth")
	}
	u.Host = hostOf(u)
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
		u.RawPath = ""
	}
	return u, nil
}

// hostOf is host and port as WHATWG's URL has them: lower case, no default port.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		return strings.TrimSuffix(host, ":443")
	case "http":
		return strings.TrimSuffix(host, ":80")
	}
	return host
}

// readCredentials gathers //HOST/PATH:NAME lines. Credentials without a registry are
// left alone: npm refuses to guess whose they are.
func (r *configReader) readCredentials(c *Config) error {
	c.credentials = map[string]credential{}
	for _, key := range slices.Sorted(maps.Keys(r.settings)) {
		at := strings.LastIndexByte(key, ':')
		if !strings.HasPrefix(key, "//") || at < 0 {
			continue
		}
		dart, s := key[:at], last(r.settings[key])
		cred := c.credentials[dart]
		known, err := r.part(&cred, key[at+1:], s)
		if err != nil {
			return err
		}
		if known {
			c.credentials[dart] = cred
		}
	}
	return nil
}

func (r *configReader) part(c *credential, name string, s setting) (known bool, err error) {
	if missing := unset(s.value.Reveal()); len(missing) > 0 && strings.HasPrefix(name, "_") {
		c.missing = append(c.missing, missing...) // a reference is no credential
		return true, nil
	}
	switch name {
	case "_authToken":
		c.token = s.value
	case "_auth":
		c.auth = s.value
	case "username":
		c.user = s.value
	case "_password":
		c.password = s.value
	case "certfile":
		data, err := r.named(s)
		c.certificate = data
		return true, err
	case "keyfile":
		data, err := r.named(s)
		c.key = secret.New(string(data))
		return true, err
	default:
		return false, nil
	}
	return true, nil
}

// named reads the file that a setting names.
func (r *configReader) named(s setting) ([]byte, error) {
	name, err := r.path(s, "")
	if err != nil {
		return nil, err
	}
	return r.bytes(name, s.place)
}

func (r *configReader) certificates(c *Config) error {
	for _, s := range r.settings["ca"] {
		text := strings.ReplaceAll(s.text(), `\n`, "\n")
		if text == "" || text == "null" {
			continue
		}
		if err := s.addPEM(&c.authorities, []byte(text)); err != nil {
			return err
		}
	}
	if s := last(r.settings["cafile"]); s.text() != "" && s.text() != "null" {
		data, err := r.named(s)
		if err != nil {
			return err
		}
		c.authorities = nil // npm lets the file replace the list
		if err := s.addPEM(&c.authorities, data); err != nil {
			return err
		}
	}
	s := setting{value: secret.New(r.env["NODE_EXTRA_CA_CERTS"]), place: place{file: "NODE_EXTRA_CA_CERTS"}}
	data, err := r.named(s)
	if err != nil {
		return err
	}
	return s.addPEM(&c.extra, data)
}

// addPEM appends certificates; nothing, as npm has it, where the file is missing.
func (s setting) addPEM(to *[]byte, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if !x509.NewCertPool().AppendCertsFromPEM(data) {
		return s.place.refuse("no certificate in PEM form is there", "")
	}
	*to = append(append(*to, data...), '\n')
	return nil
}

func (r *configReader) readProxies(c *Config) (err error) {
	p := &c.proxies
	for _, key := range []string{"proxy", "https-proxy"} { // npm takes the second for every address, if it is set
		if s := last(r.settings[key]); s.text() != "" && s.text() != "false" && s.text() != "null" {
			if p.always, err = proxyOf(s); err != nil {
				return err
			}
		}
	}
	if p.https, err = r.proxyVariable("https_proxy"); err != nil {
		return err
	}
	if p.http, err = r.proxyVariable("http_proxy"); err != nil {
		return err
	}
	no := r.variable("no_proxy").text()
	for i, s := range r.settings["noproxy"] {
		if i == 0 {
			no = ""
		}
		no += "," + s.text()
	}
	p.except = exceptions(no)
	return nil
}

// variable finds a variable of the convention that many programs share, in
// either case; the lower one is the stronger.
func (r *configReader) variable(name string) setting {
	for _, n := range []string{name, strings.ToUpper(name)} {
		if v := strings.TrimSpace(r.env[n]); v != "" {
			return setting{value: secret.New(v), place: place{file: n}}
		}
	}
	return setting{}
}

func (r *configReader) proxyVariable(name string) (*upstream, error) {
	s := r.variable(name)
	if s.value.Len() == 0 {
		return nil, nil
	}
	return proxyOf(s)
}
