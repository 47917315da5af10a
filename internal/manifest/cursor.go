package manifest

// cursorMCP is ".cursor/mcp.json": "mcpServers", no type needed. Servers are
// switched off in the program, not in the file.
var cursorMCP = Dialect{
	name:      "cursor",
	claims:    [][]string{{".cursor", "mcp.json"}},
	parse:     parseJSON,
	roots:     []string{"mcpServers"},
	foreign:   []string{"servers"},
	reads:     []string{"envFile"},
	reference: "${env:NAME}",
	hosts: []host{{
		name: "Cursor", flat: refuses, foreignRoot: refuses,
		types: []string{"stdio", "http", "streamable-http", "sse"}, untyped: takes, remote: takes,
	}},
}
