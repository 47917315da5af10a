package manifest

// gemini is ".gemini/settings.json": comments but no trailing commas, servers
// under "mcpServers" beside other settings. "httpUrl" and "url" win over
// "command". "mcp.excluded" switches servers off; "trust" skips every
// confirmation.
var gemini = Dialect{
	name:      "gemini",
	claims:    [][]string{{".gemini", "settings.json"}},
	parse:     parseJSON,
	roots:     []string{"mcpServers"},
	noFlat:    true,
	reads:     []string{"httpUrl", "tcp", "trust", "includeTools", "excludeTools"},
	reference: "$NAME",
	off:       geminiExcluded,
	hosts: []host{{
		name: "Gemini CLI", comment: takes, comma: refuses, mark: refuses, flat: refuses, foreignRoot: refuses,
		types: []string{"stdio", "http", "sse"}, untyped: takes, remote: takes, urlWins: true,
	}},
}

// geminiExcluded reads the list of servers that the file switches off.
func geminiExcluded(root node) map[string]string {
	out := map[string]string{}
	mcp, _ := root.get("mcp")
	excluded, _ := mcp.value.get("excluded")
	for _, item := range excluded.value.items {
		if item.kind == text {
			out[item.text] = "mcp.excluded names it"
		}
	}
	return out
}
