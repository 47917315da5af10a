package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// line writes KEY=VALUE so that npm reads the value as it is: quoted, and each
// reference to a variable with a backslash before it.
func line(to *bytes.Buffer, key, value string) {
	quoted, _ := json.Marshal(strings.ReplaceAll(value, "${", `\${`)) // a string cannot fail
	fmt.Fprintf(to, "%s=%s\n", key, quoted)
}

// write writes the credential of one //host/path, and its files, numbered n.
func (c credential) write(m *room, to *bytes.Buffer, files map[string][]byte, dart string, n int) {
	for _, part := range []struct {
		name  string
		value secret.Value
	}{{"_authToken", c.token}, {"_auth", c.auth}, {"username", c.user}, {"_password", c.password}} {
		if part.value.Len() > 0 {
			line(to, dart+":"+part.name, part.value.Reveal())
		}
	}
	if len(c.certificate) == 0 || c.key.Len() == 0 {
		return
	}
	certificate, key := m.path("config", fmt.Sprintf("cert%d.pem", n)), m.path("config", fmt.Sprintf("key%d.pem", n))
	files[certificate], files[key] = c.certificate, []byte(c.key.Reveal())
	line(to, dart+":certfile", certificate)
	line(to, dart+":keyfile", key)
}

// ofRegistry reports whether a "//host/path" is on the host of a registry.
func (c Config) ofRegistry(dart string) bool {
	host, _, _ := strings.Cut(strings.TrimPrefix(dart, "//"), "/")
	for _, u := range c.registries() {
		if hostOf(u) == host {
			return true
		}
	}
	return false
}
