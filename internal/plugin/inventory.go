package plugin

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// The kinds of an inventory.
const (
	KindServer  = "mcp-server"    // a program that the host starts
	KindRemote  = "mcp-remote"    // a server elsewhere that the host talks to
	KindHook    = "hook"          // a rule that the host applies
	KindSkill   = "skill"         // text that a model follows
	KindCommand = "skill-command" // a command that some hosts run when they load that text
)

// Item is one thing that a plugin runs, or that makes others do something.
type Item struct {
	Kind   string
	Place  string   // an entry, perhaps with a JSON pointer
	Text   []string // foreign text, without its secret parts
	Digest string   // "sha256:" and hex, of what stands there
}

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

// masked leaves secret parts out of foreign text.
func masked(lines ...string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i], _ = secret.Mask(l)
	}
	return out
}

// item lists a server. Its digest is the fingerprint of its descriptor as the
// host judges it before an installation.
func (s Server) item(i int) Item {
	it := Item{Kind: KindServer, Place: fmt.Sprintf("%s#/mcp_servers/%d", manifestName, i), Digest: "sha256:" + s.descriptor().Fingerprint()}
	it.Text = append([]string{s.Target}, s.Arguments...)
	if s.Transport == transportHTTP {
		it.Kind = KindRemote
		if s.Credential != "" {
			it.Text = append(it.Text, "credential "+s.Credential)
		}
	}
	it.Text = masked(it.Text...)
	return it
}

func (h Hook) item(i int) Item {
	rule := h.Action + " at " + h.Event
	if len(h.Tools) > 0 {
		rule += " of " + strings.Join(h.Tools, ", ")
	}
	if len(h.Remove) > 0 {
		rule += ", removes " + strings.Join(h.Remove, ", ")
	}
	lines := []string{rule}
	if h.Message != "" {
		lines = append(lines, h.Message)
	}
	return Item{Kind: KindHook, Place: fmt.Sprintf("%s#/hooks/%d", manifestName, i), Text: masked(lines...), Digest: "sha256:" + fingerprint(h)}
}

// loadCommand is the syntax for a command that is run when a skill is loaded:
// "!" and code, or a block of code marked "!".
var loadCommand = pattern.Of("(?s)(?:^|[\\s(])!`([^`\n]+)`|(?m:^```!)[^\n]*\n(.*?)(?:\n```|$)")

func (m skillManifest) items(s Skill, content []byte) []Item {
	words := append([]string{m.Description}, m.Tools...)
	items := []Item{{Kind: KindSkill, Place: s.Content, Text: masked(words...), Digest: "sha256:" + m.SHA256}}
	for _, found := range loadCommand.FindAllSubmatch(content, -1) {
		command := string(found[1]) + string(found[2])
		items = append(items, Item{Kind: KindCommand, Place: s.Content, Text: masked(command), Digest: "sha256:" + sum([]byte(command))})
	}
	return items
}

// doubt tells of servers that the format lets pass.
func (s Server) doubt(i int, d *doubts) {
	place := fmt.Sprintf("%s#/mcp_servers/%d", manifestName, i)
	for n, a := range s.Arguments {
		name, value, assigned := strings.Cut(a, "=")
		if _, hidden := secret.Mask(a); hidden > 0 || secret.NameLooksSecret(strings.TrimLeft(name, "-/")) && (!assigned || value != "") {
			d.add(ruleSecretArgument, fmt.Sprintf("%s/arguments/%d", place, n), "the argument is or announces a credential")
		}
	}
	if s.Transport != transportHTTP {
		return
	}
	u, err := url.Parse(s.Target)
	if err != nil {
		return
	}
	if inside(u.Hostname()) {
		d.add(rulePrivateTarget, place+"/target", "it leads into the network of whoever installs the plugin")
	}
	if u.ForceQuery {
		d.add(ruleManifestAmbiguous, place+"/target", "the address ends with an empty query")
	}
}

// inside reports whether a host is this machine, a private address or a name
// that only a local network knows.
func inside(host string) bool {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		a = a.Unmap()
		return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() || sharedSpace.Contains(a)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, end := range []string{"localhost", "local", "internal", "lan", "home.arpa"} {
		if host == end || strings.HasSuffix(host, "."+end) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

// sharedSpace is the address space of carriers (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")
