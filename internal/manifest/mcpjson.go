package manifest

// mcpJSON is ".mcp.json" in any folder: Claude Code merges those of the folder
// and of all above it, Copilot CLI takes the nearest, plugins bring their own.
// Strict JSON; "mcpServers" around the servers, or none: Copilot CLI loads such
// a flat file, Claude Code does so for plugins only.
var mcpJSON = Dialect{
	name:      "mcp-json",
	claims:    [][]string{{".mcp.json"}},
	parse:     parseJSON,
	roots:     []string{"mcpServers"},
	foreign:   []string{"servers"},
	reads:     []string{"headersHelper", "tools"},
	reference: "${NAME}",
	hosts: []host{
		{
			name: "Claude Code", comment: refuses, comma: refuses, mark: takes, flat: refuses, foreignRoot: refuses,
			types: []string{"stdio", "http", "streamable-http", "sse"}, otherType: refuses,
			untyped: refuses, remote: takes, nested: refuses, proto: refuses, unreadIn: ".claude",
		},
		{
			name: "Copilot CLI", comment: refuses, comma: refuses, mark: refuses, flat: takes, foreignRoot: refuses,
			types: []string{"stdio", "local", "http", "streamable-http", "sse"}, otherType: refuses,
			untyped: takes, remote: takes, proto: takes,
		},
	},
}
