package manifest

// vscode is ".vscode/mcp.json": JSON with comments and trailing commas, the
// servers under "servers". Values of env may be numbers, and null unsets.
var vscode = Dialect{
	name:      "vscode-mcp",
	claims:    [][]string{{".vscode", "mcp.json"}},
	parse:     parseJSON,
	roots:     []string{"servers"},
	foreign:   []string{"mcpServers"},
	reads:     []string{"envFile", envLoose},
	reference: "${input:NAME} or ${env:NAME}",
	hosts: []host{{
		name: "VS Code", comment: takes, comma: takes, flat: refuses, foreignRoot: refuses,
		types: []string{"stdio", "http", "sse"}, untyped: takes, remote: takes, nested: refuses,
	}},
}

// envLoose marks a dialect whose env takes numbers and null.
const envLoose = "env: number|null"
