package fakenpm

import _ "embed" // the server's code

//go:embed server.js
var server string

// Server is a package whose one bin is an MCP server over stdio. It needs node
// alone, answers initialize, ping and tools/list, and every other method with
// -32601, server/discover too. tools is a JSON array. The package sdk (see SDK),
// which it depends on in the range wanted, has the last word on what is listed.
func Server(name, version, tools, sdk, wanted string) Package {
	return Package{
		Name: name, Version: version,
		Dependencies: map[string]string{sdk: wanted},
		Bin:          map[string]string{"server": "server.js"},
		Files: map[string]string{
			"server.js":  server,
			"tools.json": valid(tools),
			"about.json": string(encode(map[string]string{"name": name, "version": version, "sdk": sdk})),
		},
	}
}

// SDK is a package that a Server depends on: it adds the members of the JSON
// object extra to every tool, as another version of a real one does.
func SDK(name, version, extra string) Package {
	return Package{
		Name: name, Version: version,
		Files: map[string]string{
			"index.js":   "'use strict'\nconst extra = require('./extra.json')\nexports.list = (tools) => tools.map((tool) => ({ ...tool, ...extra }))\n",
			"extra.json": valid(extra),
		},
	}
}
