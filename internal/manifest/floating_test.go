package manifest

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// TestFloating wants one finding for each package that floats, at its word, with
// a remedy that pins it by the same grammar.
func TestFloating(t *testing.T) {
	fill := strings.NewReplacer("X.Y.Z", "1.2.3", "# and its 40 hexadecimal digits", "#"+sha1Hex, "@ and its 40 hexadecimal digits", "@"+sha1Hex,
		" and its 64 hexadecimal digits (docker image inspect shows it)", sha256Hex)
	for line, pinned := range map[string]string{
		"npx @s/pkg": "exact", "npx pkg@latest": "exact", "bunx pkg@^1": "exact", "npx github:o/r#main": "immutable", "uvx pkg": "exact", "uvx pkg>=1": "exact",
		"uvx --from git+https://h/r prog": "immutable", "docker run h.x/img:1": "immutable", "go run h.x/p@latest": "immutable", "dnx Pkg": "exact", "deno run npm:pkg": "",
		"npx https://h/x.tgz": "", "uvx --with-requirements r.txt pkg==1.0": "",
	} {
		e := Typed(strings.Fields(line))
		i := slices.IndexFunc(e.Findings, func(f finding.Finding) bool { return f.Rule == "launch/floating-minor" })
		if i < 0 || e.Findings[i].Hint == "" || e.Findings[i].Level != finding.Warning || !e.Understood() {
			t.Errorf("%s: %+v", line, e.Findings)
			continue
		}
		_, what, ok := strings.Cut(e.Findings[i].Hint, ": ")
		if !ok || pinned == "" {
			continue
		}
		what = fill.Replace(what)
		words := strings.Fields(line)
		c := e.Launch.Command()
		words[c.Packages[0].Word] = what
		if got := (Launch{Argv: argv(words...)}).Command().Pin; got != pinned {
			t.Errorf("%s: the remedy %q is pinned %q, want %q", line, what, got, pinned)
		}
	}
	for _, line := range []string{"npx pkg@1.2.3", "node x.js", "docker run img@sha256:" + sha256Hex, "server"} {
		if e := Typed(strings.Fields(line)); has(e, "launch/floating-minor") {
			t.Errorf("%s: %+v", line, e.Findings)
		}
	}
}

// TestLaunched are the other findings that the grammar gives.
func TestLaunched(t *testing.T) {
	tests := []struct{ line, rule string }{
		{"sh -c «a; b»", "launch/shell"}, {"npx -c x", "launch/shell"}, {"cmd /c del x", "launch/shell"},
		{"npx --unheard x y", "launch/not-understood"}, {"npx ${PKG}", "launch/not-understood"},
		{"env NODE_OPTIONS=--require=./x.js node y.js", "launch/env-override"}, {"sh -c «LD_PRELOAD=./x.so node y.js»", "launch/env-override"},
		{"npx --registry https://r/ pkg@1.0.0", "launch/resolver-config-minor"}, {"uvx --index-url https://i/ pkg==1.0", "launch/resolver-config-minor"},
		{"npx mcp-remote@0.1.2 http://h/mcp", "launch/insecure-url"}, {"npx mcp-remote@0.1.2 https://u@h/mcp", "launch/insecure-url"},
	}
	for _, tt := range tests {
		e := Typed(typedLine(tt.line))
		if !has(e, tt.rule) || !e.Understood() {
			t.Errorf("%s: %+v", tt.line, e.Findings)
		}
	}
	for _, line := range []string{
		"sh -c «npx pkg@1.2.3»", "cmd /c npx pkg@1.2.3", "npx mcp-remote@0.1.2 https://h/mcp", "npx mcp-remote@0.1.2 http://localhost:1/", "env A=b node x.js", "bash x.sh",
	} {
		if e := Typed(typedLine(line)); len(e.Findings) > 0 {
			t.Errorf("%s: %+v", line, e.Findings)
		}
	}
}
