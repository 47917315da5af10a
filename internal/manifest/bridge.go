package manifest

import (
	"path"
	"strings"
)

// bridges are programs that pass on, between standard input and output, to a
// server at an address.
var bridges = setOf("mcp-remote supergateway mcp-proxy mcp-remote-client mcp-client-bridge fastmcp-proxy mcp-stdio-to-streamable-http-adapter")

// serves are options of a bridge that make it start another command instead.
var serves = setOf("--stdio --named-server --named-server-config")

// bridge looks for the address behind a bridge's name: the first word that is
// one, or whose value is. A bridge that starts something of its own is indirect.
func (g *grammar) bridge(name string, from int) {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if !bridges[name] && !bridges[strings.ReplaceAll(name, "_", "-")] {
		return
	}
	for i := from; i < g.end(); i++ {
		option, value, _ := strings.Cut(g.word(i), "=")
		switch {
		case serves[option]:
			g.text(i)
			return
		case isAddress(g.word(i)) || strings.HasPrefix(option, "-") && isAddress(value):
			g.c.Bridge = &Bridge{Name: name, URL: i, Pin: "remote"}
			return
		}
	}
	if from < g.end() {
		g.pin("indirect")
	}
}

func isAddress(w string) bool {
	w = strings.ToLower(w)
	for _, scheme := range []string{"https://", "http://", "wss://", "ws://"} {
		if strings.HasPrefix(w, scheme) {
			return true
		}
	}
	return false
}

// Address is the bridge's address as it may be shown; empty where there is none.
func (c Command) Address() string {
	if c.Bridge == nil {
		return ""
	}
	w := c.text(c.Bridge.URL)
	if _, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(w, "-") {
		return value
	}
	return w
}
