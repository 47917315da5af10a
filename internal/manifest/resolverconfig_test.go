package manifest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
)

func treeOf(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func all(string) bool  { return true }
func none(string) bool { return false }

// short writes findings as "!place" for an error and "place" for a warning.
func short(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		grave := map[string]string{"launch/resolver-config": "!", "launch/resolver-config-minor": ""}
		mark, ok := grave[f.Rule]
		if !ok || (f.Level == finding.Error) != (mark == "!") {
			mark = "?"
		}
		out = append(out, mark+f.Location.String())
	}
	return out
}

func TestResolverConfig(t *testing.T) {
	tests := []struct {
		line, file, text string
		want             []string
	}{
		{"npx pkg", ".npmrc", "registry=https://r/\n", []string{"!.npmrc:1:1"}},
		{"npx pkg", ".npmrc", "; registry=x\n# registry=x\n  @s:registry = https://r/", []string{"!.npmrc:3:3"}},
		{"npx pkg", ".npmrc", "git=./evil.sh\r\nscript-shell=./x\nnode-options=--require ./x.js", []string{"!.npmrc:1:1", "!.npmrc:2:1", "!.npmrc:3:1"}},
		{"npx pkg", ".npmrc", "//r/:_authToken=${TOKEN}\n_auth=x\ncafile=c\nhttps-proxy=p\nstrict-ssl=false", []string{".npmrc:3:1", ".npmrc:4:1", ".npmrc:5:1", ".npmrc:1:1", ".npmrc:2:1"}},
		{"npx pkg", ".npmrc", "save-exact=true\nregistry=\nregistry\n", nil},
		{"npx pkg", ".npmrc", "a=\xff", []string{".npmrc:1:1"}},
		{"npx dotenv-cli -- node x.js", ".npmrc", "registry=r", []string{"!.npmrc:1:1"}},
		{"npx pkg", ".NPMRC", "registry=r", []string{"!.NPMRC:1:1"}},
		{"npm run x", ".npmrc", "script-shell=./x", []string{"!.npmrc:1:1"}},
		{"deno run npm:pkg", ".npmrc", "registry=https://r/", []string{"!.npmrc:1:1"}},
		{"uvx pkg", ".npmrc", "registry=https://r/", nil},
		{"node x.js", ".npmrc", "registry=https://r/", nil},
		{"docker run img", ".npmrc", "registry=https://r/", nil},
		{"npx @s/pkg", "package.json", `{"dependencies":{"@s/pkg":"^1.0.0","other":"github:o/r"}}`, nil},
		{"npx @s/pkg", "package.json", `{"devDependencies":{"@s/pkg":"github:o/r"}}`, []string{"!package.json:1:21"}},
		{"npx pkg", "package.json", "{\"dependencies\":\n {\"pkg\":\"file:./evil\"}}", []string{"!package.json:2:3"}},
		{"npx pkg", "package.json", `{"dependencies":{"pkg":"npm:evil@1"}}`, []string{"!package.json:1:18"}},
		{"npx pkg", "package.json", `{"overrides":{"pkg":"1","x":"2"},"resolutions":{"**/pkg":"1"},"pnpm":{"overrides":{"pkg@1":"2"}}}`, []string{"!package.json:1:15", "!package.json:1:49", "!package.json:1:84"}},
		{"npx pkg", "package.json", `{"bin":{"pkg":"./x.js"}}`, []string{"!package.json:1:9"}},
		{"npx @s/pkg", "package.json", `{"bin":{"pkg":"./x.js"}}`, []string{"!package.json:1:9"}},
		{"npx -p pkg prog", "package.json", `{"bin":{"prog":"./x.js","other":"y"}}`, []string{"!package.json:1:9"}},
		{"npx pkg", "package.json", `{"name":"@me/pkg","bin":"./x.js"}`, []string{"!package.json:1:19"}},
		{"npx pkg", "package.json", `{"name":"other","bin":"./x.js"}`, nil},
		{"npx pkg", "package.json", `[]`, nil},
		{"npx pkg", "package.json", `{`, []string{"package.json:1:2"}},
		{"npx pkg", "node_modules/pkg/package.json", "{}", []string{"!node_modules/pkg/package.json:1:1"}},
		{"npx pkg@1.2.3", "node_modules/.bin/pkg", "x", []string{"!node_modules/.bin/pkg:1:1"}},
		{"npx @s/pkg", "node_modules/.bin/pkg", "x", []string{"!node_modules/.bin/pkg:1:1"}},
		{"npx -p pkg prog", "node_modules/.bin/prog", "x", []string{"!node_modules/.bin/prog:1:1"}},
		{"npx pkg", "node_modules/.bin/other", "x", nil},
		{"npx ${P}/../..", "node_modules/.bin/x", "x", nil},
		{"bunx pkg", "bunfig.toml", "preload = [\"./x.ts\"]\n[install]\nregistry = \"https://r/\"\n[install.scopes]\n\"@s\" = { url = \"https://r/\" }", []string{"!bunfig.toml:1:1", "!bunfig.toml:3:1", "!bunfig.toml:5:1"}},
		{"bunx pkg", "bunfig.toml", "[install]\nregistry.url = \"https://r/\"\n[test]\npreload = \"x\"\n[run]\nshell = \"x\"", []string{"!bunfig.toml:2:1", "!bunfig.toml:6:1"}},
		{"bunx pkg", "bunfig.toml", "[a", []string{"bunfig.toml:1:1"}},
		{"bun run x.ts", "bunfig.toml", "preload = \"x\"", []string{"!bunfig.toml:1:1"}},
		{"npx pkg", "bunfig.toml", "preload = \"x\"", nil},
		{"pnpm dlx pkg", ".pnpmfile.cjs", "x", []string{"!.pnpmfile.cjs:1:1"}},
		{"pnpm dlx pkg", ".pnpmfile.mjs", "x", []string{"!.pnpmfile.mjs:1:1"}},
		{"npx pkg", ".pnpmfile.cjs", "x", nil},
		{"pnpm dlx pkg", "pnpm-workspace.yaml", "packages: [a]\nregistry: https://r/\noverrides:\n  pkg: 1\n  other: 2\nhttpProxy: x", []string{"!pnpm-workspace.yaml:2:1", "pnpm-workspace.yaml:6:1", "!pnpm-workspace.yaml:4:3"}},
		{"pnpm dlx pkg", "pnpm-workspace.yaml", "a: [", []string{"pnpm-workspace.yaml:1:1"}},
		{"yarn dlx pkg", ".yarnrc.yml", "yarnPath: .yarn/x.cjs\nnpmScopes:\n  s:\n    npmRegistryServer: https://r/\nenableStrictSsl: false", []string{"!.yarnrc.yml:1:1", ".yarnrc.yml:5:1", "!.yarnrc.yml:4:5"}},
		{"yarn dlx pkg", ".yarnrc", "# x\nregistry \"https://r/\"\nyarn-path ./x.js\nlastUpdateCheck 1", []string{"!.yarnrc:2:1", "!.yarnrc:3:1"}},
		{"uv run x.py", "uv.toml", "index-url = \"https://i/\"\n[[index]]\nurl = \"https://i/\"\n[pip]\nextra-index-url = [\"https://i/\"]", []string{"!uv.toml:1:1", "!uv.toml:2:3", "!uv.toml:5:1"}},
		{"uv run x.py", "pyproject.toml", "[project]\nname='x'\n[tool.uv]\nfind-links = ['x']\nallow-insecure-host=['h']", []string{"!pyproject.toml:4:1", "pyproject.toml:5:1"}},
		{"uv run --with my-pkg x.py", "pyproject.toml", "[tool.uv.sources]\nmy_pkg = { git = 'https://h/r' }\nother = { path = 'x' }", []string{"!pyproject.toml:2:1"}},
		{"uvx pkg", "uv.toml", "index-url = \"https://i/\"", []string{"uv.toml:1:1"}},
		{"pipx run pkg", "pip.conf", "[global]\nindex-url = https://i/\ntrusted-host: h\ntimeout = 6", []string{"pip.conf:2:1", "pip.conf:3:1"}},
		{"deno run npm:pkg", "deno.json", `{"imports":{"pkg":"./evil.ts","x":"y"},"links":["./x"],"importMap":"m.json"}`, []string{"!deno.json:1:40", "deno.json:1:56", "!deno.json:1:13"}},
		{"deno run npm:pkg", "deno.jsonc", "{// x\n\"patch\":[\"x\"]}", []string{"!deno.jsonc:2:1"}},
	}
	for _, tt := range tests {
		got := short(NewTree(treeOf(map[string]string{tt.file: tt.text}), all).ResolverConfig(".", commandOf(tt.line)))
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s beside %s %q (-want +got)\n%s", tt.line, tt.file, tt.text, d)
		}
	}
}

// TestResolverConfigAbove looks in the base folder and every one above it.
func TestResolverConfigAbove(t *testing.T) {
	tree := treeOf(map[string]string{".npmrc": "registry=r", "a/.npmrc": "git=x", "a/b/.npmrc": "registry=r", "a/b/c/.npmrc": "registry=r", "d/.npmrc": "registry=r", "node_modules/pkg/package.json": "{}"})
	want := []string{"!a/b/.npmrc:1:1", "!a/.npmrc:1:1", "!.npmrc:1:1", "!node_modules/pkg/package.json:1:1"}
	if d := cmp.Diff(want, short(NewTree(tree, all).ResolverConfig("a/b", commandOf("npx pkg")))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff(want[:3], short(NewTree(tree, none).ResolverConfig("a/b", commandOf("npx pkg")))); d != "" {
		t.Errorf("what an installation put there counts (-want +got)\n%s", d)
	}
	for _, base := range []string{"", "..", "../x", "/", "no/such"} {
		NewTree(tree, all).ResolverConfig(base, commandOf("npx pkg"))
	}
}

// TestResolverConfigTellsNoSecret wants no credential in any word.
func TestResolverConfigTellsNoSecret(t *testing.T) {
	const s = "s3cr3t-sentinel"
	for line, files := range map[string]map[string]string{
		"npx pkg":      {".npmrc": "registry=https://u:" + s + "@r/\n//r/:_authToken=" + s + "\n_auth=" + s + "\n_password=" + s + "\nhttps-proxy=http://u:" + s + "@p/"},
		"uv run x":     {"uv.toml": "index-url = \"https://u:" + s + "@i/\""},
		"yarn dlx pkg": {".yarnrc.yml": "npmRegistryServer: https://u:" + s + "@r/\nnpmAuthToken: " + s},
		"bunx pkg":     {"bunfig.toml": "[install]\nregistry = { url = \"https://r/\", token = \"" + s + "\" }"},
	} {
		found := NewTree(treeOf(files), all).ResolverConfig(".", commandOf(line))
		if text := fmt.Sprintf("%+v", found); len(found) == 0 || strings.Contains(text, s) {
			t.Errorf("%s: %s", line, text)
		}
	}
}

func TestTreePin(t *testing.T) {
	const depends = `{"devDependencies":{"pkg":"^1.0.0"}}`
	tests := []struct {
		line  string
		files map[string]string
		want  string
	}{
		{"npx pkg", map[string]string{"a/package.json": depends, "a/package-lock.json": "{}"}, "lockfile"},
		{"npx -y pkg", map[string]string{"package.json": depends, "yarn.lock": ""}, "lockfile"},
		{"bunx pkg", map[string]string{"a/package.json": depends, "bun.lock": ""}, "lockfile"},
		{"npx pkg@latest", map[string]string{"package.json": depends, "yarn.lock": ""}, "floating"},
		{"npx pkg@1.2.3", map[string]string{"package.json": depends, "yarn.lock": ""}, "exact"},
		{"npx pkg", map[string]string{"package.json": depends}, "floating"},
		{"npx pkg", map[string]string{"package.json": "{", "yarn.lock": ""}, "floating"},
		{"npx pkg", map[string]string{"package.json": "{}", "yarn.lock": ""}, "floating"},
		{"npx other", map[string]string{"package.json": depends, "yarn.lock": ""}, "floating"},
		{"npx pkg", map[string]string{"b/package.json": depends, "b/yarn.lock": ""}, "floating"},
		{"pnpm dlx pkg", map[string]string{"package.json": depends, "pnpm-lock.yaml": ""}, "floating"},
		{"npx -p pkg -p other prog", map[string]string{"package.json": depends, "yarn.lock": ""}, "floating"},
		{"uv run --locked prog", map[string]string{"uv.lock": ""}, "lockfile"},
		{"uv run --frozen -m prog", map[string]string{"a/uv.lock": ""}, "lockfile"},
		{"uv --directory b run --frozen prog", map[string]string{"a/b/uv.lock": ""}, "lockfile"},
		{"uv run prog", map[string]string{"uv.lock": ""}, "local"},
		{"uv run --locked prog", nil, "local"},
		{"uv run --locked --with x prog", map[string]string{"uv.lock": ""}, "floating"},
		{"deno run --frozen npm:pkg", map[string]string{"deno.lock": ""}, "lockfile"},
		{"deno run npm:pkg", map[string]string{"deno.lock": ""}, "floating"},
	}
	for _, tt := range tests {
		if got := NewTree(treeOf(tt.files), none).Pin("a", Launch{Argv: argv(typedLine(tt.line)...)}); got != tt.want {
			t.Errorf("%s beside %v: %s, want %s", tt.line, tt.files, got, tt.want)
		}
	}
}

// TestTreeEntry adds what the tree says to an entry, and takes back what its lock
// answers.
func TestTreeEntry(t *testing.T) {
	e := entry(t, `"command":"npx","args":["pkg"]`)
	if e.Pin != "floating" || !has(e, "launch/floating-minor") {
		t.Fatalf("%+v", e)
	}
	tree := treeOf(map[string]string{"package.json": `{"dependencies":{"pkg":"1"}}`, "package-lock.json": "{}", ".npmrc": "registry=r"})
	got := NewTree(tree, none).Entry(".", e)
	if got.Pin != "lockfile" || has(got, "launch/floating-minor") || !has(got, "launch/resolver-config") || !got.Understood() {
		t.Errorf("%+v", got)
	}
	if !has(e, "launch/floating-minor") || has(e, "launch/resolver-config") {
		t.Error("the entry itself was changed")
	}
}
