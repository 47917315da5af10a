package manifest

// claudeDesktop is "claude_desktop_config.json": strict JSON, programs only
// (remote servers come through connectors), references not expanded. It lives
// outside of repositories; what is committed are samples.
var claudeDesktop = Dialect{
	name:      "claude-desktop",
	claims:    [][]string{{"claude_desktop_config.json"}},
	parse:     parseJSON,
	roots:     []string{"mcpServers"},
	foreign:   []string{"servers"},
	reference: "",
	hosts: []host{{
		name: "Claude Desktop", comment: refuses, comma: refuses, mark: refuses, flat: refuses, foreignRoot: refuses,
		types: []string{"stdio"}, remote: refuses, nested: refuses,
	}},
}
