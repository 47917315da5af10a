package manifest

import (
	"strings"
	"testing"
)

func argv(line ...string) []Arg {
	var words []word
	for _, w := range line {
		words = append(words, word{text: w})
	}
	return arguments(words)
}

func TestNPX(t *testing.T) {
	tests := []struct {
		line, pkg, version string
		ok                 bool
	}{
		{"npx -y pkg", "pkg", "", true},
		{"npx --yes @scope/pkg@1.2.3 --flag x@y", "@scope/pkg", "1.2.3", true},
		{"npx.cmd -y pkg@latest", "pkg", "latest", true},
		{"cmd /c npx -y pkg@^1.2.3", "pkg", "^1.2.3", true},
		{`C:\node\npx.CMD pkg`, "pkg", "", true},
		{"/usr/bin/npx pkg -y", "pkg", "", true},
		{"env A=b npx pkg", "pkg", "", true},
		{"npx -p pkg@1.0.0 cmd", "pkg", "1.0.0", true},
		{"npx --package=pkg cmd", "pkg", "", true},
		{"npx -- pkg", "pkg", "", true},
		{"npx -p a -p b@1.0.0 cmd", "", "", false},
		{"npx -c x", "", "", false},
		{"npx --registry https://r/ pkg", "", "", false},
		{"npx github:o/r", "", "", false},
		{"npx ./x", "", "", false},
		{"npx -y ${PKG}", "", "", false},
		{"npx", "", "", false},
		{"node x.js", "", "", false},
		{"", "", "", false},
	}
	for _, tt := range tests {
		pkg, version, ok := NPX(argv(strings.Fields(tt.line)...))
		if pkg != tt.pkg || version != tt.version || ok != tt.ok {
			t.Errorf("NPX(%q) = %q, %q, %t", tt.line, pkg, version, ok)
		}
	}
}

func TestPin(t *testing.T) {
	const commit, digest = "0123456789abcdef0123456789abcdef01234567", "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	tests := map[string]string{
		"":                         "remote",
		"npx -y pkg":               "floating",
		"npx pkg@1":                "floating",
		"npx pkg@1.x":              "floating",
		"npx pkg@^1.2.3":           "floating",
		"npx pkg@latest":           "floating",
		"npx pkg@1.2.3":            "exact",
		"npx pkg@v1.2.3":           "exact",
		"npx pkg@1.2.3-rc.1":       "exact",
		"cmd /c npx -y pkg@1.2.3":  "exact",
		"npx github:o/r#" + commit: "immutable",
		"npx github:o/r":           "floating",
		"npx ./x":                  "local",
		"npx -c x":                 "indirect",
		"bunx pkg":                 "floating",
		"pnpm dlx pkg@1.2.3":       "exact",
		"npm run mcp":              "local",
		"uvx pkg":                  "floating",
		"uvx pkg==1.2.3":           "exact",
		"uvx pkg@1.2.3":            "exact",
		"uvx pkg@latest":           "floating",
		"uvx pkg>=1.2":             "floating",
		"uvx --from git+https://h/r@" + commit + " x": "immutable",
		"uvx --from git+https://h/r x":                "floating",
		"uvx --from pkg==1.2 x":                       "exact",
		"docker run -i --rm img":                      "floating",
		"docker run -i --rm img:1.2.3":                "exact",
		"docker run -i --rm img:1.2.3" + digest:       "immutable",
		"docker compose up":                           "indirect",
		"node dist/index.js":                          "local",
		"node /opt/x.js":                              "host",
		"python -m server":                            "local",
		"uv run server.py":                            "local",
		"server-memory":                               "host",
		"./bin/server":                                "local",
		"/usr/bin/server":                             "host",
		"${workspaceFolder}/x":                        "local",
		"sh -c x":                                     "indirect",
		"bash ./x.sh":                                 "local",
	}
	for line, want := range tests {
		if got := Pin(Launch{Argv: argv(strings.Fields(line)...)}); got != want {
			t.Errorf("Pin(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestScript(t *testing.T) {
	tests := map[string]int{
		"sh -c x": 1, "bash -lc x": 1, "/bin/zsh -e -c x": 2, "cmd /c bash -c x": 3, "cmd /c del x": 1, "cmd.exe /d /s /c x": 3,
		"env A=b sh -c x": 3, "powershell -NoProfile -Command x": 2, "pwsh -enc x": 1, "npx -c x": 1, "npx --call=x": 1, "npm exec -c x": 2,
		"cmd /c npx pkg": -1, "cmd /c npm exec pkg": -1, "sh x.sh -c": -1, "npx pkg -c": -1, "node -c x": -1, "x": -1, "": -1, "cmd": -1,
	}
	for line, want := range tests {
		if got := scriptAt(strings.Fields(line)); got != want {
			t.Errorf("scriptAt(%q) = %d, want %d", line, got, want)
		}
	}
}
