package manifest

// anyJSON is a file of any name that was named on the command line, or one that
// only its content gives away. No host is known to read it, so nothing is said
// about hosts, and every member that any host knows is read.
var anyJSON = Dialect{
	name:      "mcp",
	parse:     parseJSON,
	roots:     []string{"mcpServers", "servers"},
	reads:     []string{"headersHelper", "tools", "envFile", "httpUrl", "tcp", "trust", "includeTools", "excludeTools"},
	reference: "${NAME}",
}

// looksLikeEntry reports whether a value is a server and not a map of them.
func looksLikeEntry(n node) bool {
	for _, m := range n.members {
		switch m.name {
		case "command":
			if m.value.kind == text || m.value.kind == list {
				return true
			}
		case "url", "httpUrl", "serverUrl":
			if m.value.kind == text {
				return true
			}
		}
	}
	return false
}

// isFlat reports whether the members of the file's root are servers themselves.
// One that looks like a server is enough: a bad entry beside it gets its own
// verdict.
func isFlat(root node) bool {
	for _, m := range root.members {
		if looksLikeEntry(m.value) {
			return true
		}
	}
	return false
}
