package scanner

import "github.com/toolwarrant/toolwarrant/finding"

var ruleFloatingMinor = Rule{
	ID:     "launch/floating-minor",
	Title:  "A package is not pinned",
	Why:    "What is started is decided by a registry, a branch or an address at every start. A package that was harmless when it was reviewed is another one tomorrow, under an unchanged configuration.",
	Remedy: "The message says what to write: an exact version, a full commit, or a digest. `require-pin` in the policy refuses what floats.",
	Level:  finding.Warning,
	Bad:    declaration(`{"mcpServers": {"w": {"command": "uvx", "args": ["--from", "git+https://weather.example/weather", "weather-mcp"]}}}`),
	Good:   declaration(exampleConfig),
	check:  told,
}

var ruleNotTold = Rule{
	ID:     "launch/not-understood",
	Title:  "What a launcher starts cannot be told from its words",
	Why:    "An option that is not known may take the next word as its value: one reader sees a pinned package, the launcher fetches another. Such a server is never started by toolwarrant, whoever approved it.",
	Remedy: "Name the package and its version in a form that the launcher documents, in front of the server's own options.",
	Level:  finding.Warning,
	Bad:    declaration(`{"mcpServers": {"w": {"command": "npx", "args": ["--new-option", "weather@1.0.0", "other"]}}}`),
	Good:   declaration(exampleConfig),
	check:  told,
}

var ruleResolverConfig = Rule{
	ID:     "launch/resolver-config",
	Title:  "A file of the repository decides what a package's name means",
	Why:    "A launcher reads the settings of the folder that it is started in: another registry, a program in the place of git, a preload, or a copy under node_modules runs something else under an unchanged, even a pinned, command.",
	Remedy: "Remove the setting or the file. What a machine needs belongs into its own configuration.",
	Level:  finding.Error,
	Bad:    Example{File: ".mcp.json", Manifest: exampleConfig, Beside: map[string]string{".npmrc": "git=./git.sh\n"}},
	Good:   Example{File: ".mcp.json", Manifest: exampleConfig, Beside: map[string]string{".npmrc": "save-exact=true\n"}},
	check:  told,
}

var ruleResolverConfigMinor = Rule{
	ID:     "launch/resolver-config-minor",
	Title:  "A setting bends how a package is fetched",
	Why:    "A proxy, a certificate or a credential of the repository changes whom the launcher talks to, or what it sends there; an option such as --registry does the same for one start.",
	Remedy: "Remove the setting; let each machine's own configuration decide.",
	Level:  finding.Warning,
	Bad:    Example{File: ".mcp.json", Manifest: exampleConfig, Beside: map[string]string{".npmrc": "//weather.example/:_authToken=${WEATHER_TOKEN}\n"}},
	Good:   declaration(exampleConfig),
	check:  told,
}
