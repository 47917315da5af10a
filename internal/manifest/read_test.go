package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
)

// facts of a file in short: the file's findings, then each server with its
// transport ("?" where it is not understood) and findings, each "rule@line:column".
func facts(f File) []string {
	var out []string
	for _, p := range f.Problems {
		out = append(out, fact(p))
	}
	for _, e := range f.Entries {
		line := e.Name.Value + " " + string(e.Launch.Transport)
		if !e.Understood() {
			line = e.Name.Value + " ?"
		}
		for _, p := range append(slices.Clone(e.Problems), e.Findings...) {
			line += " " + fact(p)
		}
		out = append(out, line)
	}
	return out
}

func fact(f finding.Finding) string {
	return fmt.Sprintf("%s@%d:%d", f.Rule, f.Location.Line, f.Location.Column)
}

// TestOddInputs reads what people really write. The rows are public reports and
// the behaviour of the hosts measured with them.
func TestOddInputs(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []string
	}{
		{"plain", ".mcp.json", `{"mcpServers":{"a":{"command":"x"}}}`, []string{"a stdio"}},
		{"empty file", ".mcp.json", "", []string{"launch/no-servers@1:1"}},
		{"blank file", ".mcp.json", "\ufeff \n", []string{"launch/no-servers@1:1"}},
		{"empty object", ".mcp.json", "{}", []string{"launch/no-servers@1:1"}},
		{"settings without servers", ".gemini/settings.json", `{"theme":"x"}`, nil},
		{"an array", ".mcp.json", "[]", []string{"check/undetermined@1:1"}},
		{"servers as array", ".mcp.json", `{"mcpServers":[]}`, []string{"check/undetermined@1:15"}},
		{"null map", ".mcp.json", `{"mcpServers":null}`, []string{"launch/no-servers@1:1"}},
		{"not JSON", ".mcp.json", `{ this is not }`, []string{"check/undetermined@1:3"}},
		{"cut off", ".mcp.json", `{"mcpServers":{"a":`, []string{"check/undetermined@1:20"}},
		{"two values", ".mcp.json", "{}\n{}", []string{"check/undetermined@2:1"}},
		{"UTF-16", ".mcp.json", "\xff\xfe{\x00", []string{"check/undetermined@1:1"}},
		{"invalid UTF-8", ".mcp.json", "{\n \"\xff\"}", []string{"check/undetermined@2:3"}},
		{"lone surrogate", ".mcp.json", `{"\ud800":1}`, []string{"check/undetermined@1:3"}},
		{"too deep", ".mcp.json", strings.Repeat("[", 65), []string{"check/undetermined@1:65"}},
		{"comment, strict hosts", ".mcp.json", "{\n // c\n\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", []string{"launch/not-loaded@2:2", "a stdio"}},
		{"comment and comma, VS Code", ".vscode/mcp.json", "{\"servers\":{/*c*/\"a\":{\"command\":\"x\",},}} // end", []string{"a stdio"}},
		{"comma, Gemini", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x",}}} // c`, []string{"launch/not-loaded@1:34", "a stdio"}},
		{"slashes in strings", ".mcp.json", `{"mcpServers":{"a":{"command":"//x","args":["/*","\",}"]}}}`, []string{"a stdio"}},
		{"byte order mark", ".mcp.json", "\ufeff{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", []string{"launch/not-loaded@1:1", "a stdio"}},
		{"CRLF", ".mcp.json", "{\r\n\"mcpServers\":{\r\n\"a\":{\"command\":\r\n7}}}", []string{"a ? check/undetermined@4:1"}},
		{"comment split by a carriage return", ".vscode/mcp.json", "{\"servers\":{// c\r\"b\":{\"command\":\"evil\"},\n}}", []string{"check/undetermined@1:17"}},
		{"server twice", ".mcp.json", "{\"mcpServers\":{\n\"a\":{\"command\":\"x\"},\n\"b\":{\"command\":\"y\"},\n\"a\":{\"command\":\"z\"}}}",
			[]string{"a ? launch/duplicate-key@2:1", "b stdio", "a ? launch/duplicate-key@4:1"}},
		{"root key twice", ".mcp.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}},\n\"mcpServers\":{\"b\":{\"command\":\"y\"}}}",
			[]string{"a ? launch/duplicate-key@1:2", "b ? launch/duplicate-key@2:1"}},
		{"member twice", ".mcp.json", `{"mcpServers":{"a":{"command":"x","command":"y"}}}`, []string{"a ? launch/duplicate-key@1:21"}},
		{"member twice by an escape", ".mcp.json", `{"mcpServers":{"a":{"command":"x","\u0063ommand":"y"}}}`, []string{"a ? launch/duplicate-key@1:21"}},
		{"variable twice", ".mcp.json", `{"mcpServers":{"a":{"command":"x","env":{"A":"1","A":"2"}}}}`, []string{"a ? launch/duplicate-key@1:42"}},
		{"flat", ".mcp.json", `{"a":{"command":"x"},"b":{"type":"http","url":"https://h/"},"c":7}`,
			[]string{"launch/flat-map@1:1", "a stdio", "b http", "c ? check/undetermined@1:65"}},
		{"flat, no host", ".cursor/mcp.json", `{"a":{"command":"x"}}`, []string{"launch/not-loaded@1:1", "a stdio"}},
		{"a flat server named servers", ".mcp.json", `{"servers":{"command":"x"}}`, []string{"launch/flat-map@1:1", "servers stdio"}},
		{"another dialect's root", ".mcp.json", `{"servers":{"a":{"command":"x"}}}`, []string{"launch/not-loaded@1:2", "a stdio"}},
		{"both roots", ".vscode/mcp.json", `{"servers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}}`,
			[]string{"launch/not-loaded@1:34", "a stdio", "b stdio"}},
		{"a bad entry beside good ones", ".mcp.json", `{"mcpServers":{"n":null,"l":[],"s":"x","a":{"command":"x"}}}`,
			[]string{"n ? check/undetermined@1:20", "l ? check/undetermined@1:29", "s ? check/undetermined@1:36", "a stdio"}},
		{"args as a string", ".mcp.json", `{"mcpServers":{"a":{"command":"x","args":"-y"}}}`, []string{"a ? check/undetermined@1:42"}},
		{"a number in args", ".mcp.json", `{"mcpServers":{"a":{"command":"x","args":["-p",80]}}}`, []string{"a ? check/undetermined@1:48"}},
		{"a number in env", ".mcp.json", `{"mcpServers":{"a":{"command":"x","env":{"PORT":80}}}}`, []string{"a ? check/undetermined@1:49"}},
		{"a number and null in env, VS Code", ".vscode/mcp.json", `{"servers":{"a":{"command":"x","env":{"PORT":80,"P":null}}}}`, []string{"a stdio"}},
		{"a list as command", ".mcp.json", `{"mcpServers":{"a":{"command":["x"]}}}`, []string{"a ? check/undetermined@1:31"}},
		{"null members", ".mcp.json", `{"mcpServers":{"a":{"command":"x","args":null,"url":null}}}`,
			[]string{"a stdio launch/null-member@1:42 launch/null-member@1:53"}},
		{"null command", ".mcp.json", `{"mcpServers":{"a":{"command":null}}}`, []string{"a ? check/undetermined@1:16 launch/null-member@1:31"}},
		{"empty command", ".mcp.json", `{"mcpServers":{"a":{"command":" "}}}`, []string{"a ? check/undetermined@1:31"}},
		{"a NUL character", ".mcp.json", `{"mcpServers":{"a":{"command":"x","args":["a\u0000b"]}}}`, []string{"a ? check/undetermined@1:43"}},
		{"nothing to start", ".mcp.json", `{"mcpServers":{"a":{}}}`, []string{"a ? check/undetermined@1:16"}},
		{"another host's address", ".mcp.json", `{"mcpServers":{"a":{"serverUrl":"https://h/"}}}`, []string{"a ? check/undetermined@1:16 launch/ignored-member@1:21"}},
		{"http without url", ".mcp.json", `{"mcpServers":{"a":{"type":"http"}}}`, []string{"a ? check/undetermined@1:16"}},
		{"stdio with url only", ".mcp.json", `{"mcpServers":{"a":{"type":"stdio","url":"https://h/"}}}`, []string{"a ? check/undetermined@1:16"}},
		{"local without command", ".mcp.json", `{"mcpServers":{"a":{"type":"local"}}}`, []string{"a ? check/undetermined@1:16"}},
		{"local", ".mcp.json", `{"mcpServers":{"a":{"type":"local","command":"x"}}}`, []string{"a stdio launch/not-loaded@1:28"}},
		{"unknown type", ".mcp.json", `{"mcpServers":{"a":{"type":"magic","command":"x"}}}`, []string{"a ? check/undetermined@1:28"}},
		{"streamable-http", ".mcp.json", `{"mcpServers":{"a":{"type":"streamable-http","url":"https://h/"}}}`, []string{"a http"}},
		{"streamable_http beside others", ".mcp.json", `{"mcpServers":{"a":{"type":"streamable_http","url":"https://h/"},"b":{"command":"x"}}}`,
			[]string{"a http launch/not-loaded@1:28", "b stdio"}},
		{"url without type", ".mcp.json", `{"mcpServers":{"a":{"url":"https://h/"}}}`, []string{"a http launch/not-loaded@1:27"}},
		{"url without type, Cursor", ".cursor/mcp.json", `{"mcpServers":{"a":{"url":"https://h/"}}}`, []string{"a http"}},
		{"url in a desktop file", "claude_desktop_config.json", `{"mcpServers":{"a":{"url":"https://h/"}}}`, []string{"a http launch/not-loaded@1:27"}},
		{"command and url", ".mcp.json", `{"mcpServers":{"a":{"command":"x","url":"https://h/"}}}`, []string{"a ? launch/ambiguous-transport@1:31"}},
		{"command and url, Gemini", ".gemini/settings.json", `{"mcpServers":{"a":{"url":"https://h/","command":"x"}}}`, []string{"a ? launch/ambiguous-transport@1:50"}},
		{"httpUrl and url", ".gemini/settings.json", `{"mcpServers":{"a":{"url":"https://h/","httpUrl":"https://i/"}}}`, []string{"a ? launch/ambiguous-transport@1:27"}},
		{"httpUrl", ".gemini/settings.json", `{"mcpServers":{"a":{"httpUrl":"https://i/"}}}`, []string{"a http"}},
		{"tcp", ".gemini/settings.json", `{"mcpServers":{"a":{"tcp":"wss://i/"}}}`, []string{"a ws"}},
		{"nested transport", ".mcp.json", `{"mcpServers":{"a":{"transport":{"type":"sse","url":"https://h/","headers":{"A":"${B}"}}}}}`,
			[]string{"a sse launch/not-loaded@1:21"}},
		{"two types", ".mcp.json", `{"mcpServers":{"a":{"type":"http","transport":{"type":"sse","url":"https://h/"}}}}`,
			[]string{"a ? launch/ambiguous-transport@1:28 launch/not-loaded@1:35"}},
		{"one string", ".mcp.json", `{"mcpServers":{"a":{"command":"npx -y @heroku/mcp-server"}}}`, []string{"a stdio launch/one-string-command@1:31 launch/floating-minor@1:39"}},
		{"one string with quotes", ".mcp.json", `{"mcpServers":{"a":{"command":"npx -y 'a b'"}}}`, []string{"a ? check/undetermined@1:31"}},
		{"a program's path with spaces", ".mcp.json", `{"mcpServers":{"a":{"command":"/opt/my tools/x"}}}`, []string{"a stdio"}},
		{"a flag that is not honoured", ".mcp.json", `{"mcpServers":{"a":{"command":"x","disabled":true,"note":1}}}`, []string{"a stdio launch/ignored-member@1:35"}},
		{"a helper", ".mcp.json", `{"mcpServers":{"a":{"type":"http","url":"https://h/","headersHelper":"./h"}}}`, []string{"a http launch/helper@1:70"}},
		{"a helper elsewhere", ".cursor/mcp.json", `{"mcpServers":{"a":{"url":"https://h/","headersHelper":"./h"}}}`, []string{"a http launch/ignored-member@1:40"}},
		{"trust", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","trust":true}}}`, []string{"a stdio launch/auto-approval@1:43"}},
		{"approve all", ".mcp.json", `{"mcpServers":{"a":{"command":"x","autoApprove":["*"]}}}`, []string{"a stdio launch/auto-approval@1:49"}},
		{"approve some", ".mcp.json", `{"mcpServers":{"a":{"command":"x","alwaysAllow":["t"]}}}`, []string{"a stdio launch/ignored-member@1:35"}},
		{"the prototype", ".mcp.json", `{"mcpServers":{"__proto__":{"command":"x"}}}`, []string{"__proto__ stdio launch/not-loaded@1:16"}},
		{"no name", ".mcp.json", `{"mcpServers":{"":{"command":"x"}}}`, []string{" ? check/undetermined@1:16"}},
		{"in a folder that Claude Code leaves out", ".claude/.mcp.json", `{"mcpServers":{"a":{"command":"x"}}}`, []string{"launch/not-loaded@1:1", "a stdio"}},
		{"a shell", ".mcp.json", `{"mcpServers":{"a":{"command":"sh","args":["-c","x | y"]}}}`, []string{"a stdio launch/shell@1:44"}},
		{"Windows", ".mcp.json", `{"mcpServers":{"a":{"command":"cmd","args":["/c","npx","-y","pkg@1.2.3"]}}}`, []string{"a stdio"}},
		{"other names", "some.json", `{"servers":{"a":{"command":"x","env":{"A":"b"}}}}`, []string{"a stdio"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, facts(ReadAs([]byte(tt.text), tt.path))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 64<<10+1)
	many := func(n int) string { return "{" + strings.Repeat(`"a":{"command":"x"},`, n-1) + `"a":{"command":"x"}}` }
	tests := map[string]struct {
		text string
		want []string
	}{
		"an argument":  {`{"mcpServers":{"a":{"command":"x","args":["` + long + `"]}}}`, []string{"a ? check/undetermined@1:43"}},
		"a variable":   {`{"mcpServers":{"a":{"command":"x","env":{"A":"` + long + `"}}}}`, []string{"a ? check/undetermined@1:46"}},
		"its name":     {`{"mcpServers":{"a":{"command":"x","env":{"` + long + `":"b"}}}}`, []string{"a ? check/undetermined@1:42"}},
		"servers":      {`{"mcpServers":` + many(MaxServers+1) + `}`, []string{"check/undetermined@1:15"}},
		"flat servers": {many(MaxServers + 1), []string{"check/undetermined@1:1", "launch/flat-map@1:1"}},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, facts(ReadAs([]byte(tt.text), ".mcp.json"))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if f := ReadAs([]byte(`{"mcpServers":`+many(MaxServers)+`}`), ".mcp.json"); len(f.Entries) != MaxServers {
		t.Errorf("%d servers are read", len(f.Entries))
	}
}

func TestUnreadIsUndetermined(t *testing.T) {
	f := ReadAs([]byte("{"), ".mcp.json")
	if len(f.Problems) != 1 || f.Problems[0].Outcome != finding.Undetermined || f.Problems[0].Hint == "" || f.Problems[0].Level != finding.Error {
		t.Errorf("%+v", f.Problems)
	}
}

// TestOwnWords wants that an error never quotes the line it stands in.
func TestOwnWords(t *testing.T) {
	for _, text := range []string{`{"a": sentinel`, `{"a": "sentinel\q"}`, `{"sentinel" 1}`, "{\"a\": \"sentinel\xff\"}", `{"a": "\ud800sentinel"}`, `'sentinel'`} {
		for _, p := range ReadAs([]byte(text), ".mcp.json").Problems {
			if strings.Contains(p.Message+p.Hint, "sentinel") {
				t.Errorf("%q: %s", text, p.Message)
			}
		}
	}
}

func TestClients(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []finding.Client
	}{
		{"plain", ".mcp.json", `{"mcpServers":{"a":{"command":"x"}}}`, []finding.Client{{Name: "Claude Code", Loads: true}, {Name: "Copilot CLI", Loads: true}}},
		{"untyped", ".mcp.json", `{"mcpServers":{"a":{"url":"https://h/"}}}`, []finding.Client{
			{Name: "Claude Code", Why: `refuses the entry: an address without "type"`}, {Name: "Copilot CLI", Loads: true},
		}},
		{"flat", ".mcp.json", `{"a":{"command":"x"}}`, []finding.Client{
			{Name: "Claude Code", Why: `refuses the file: servers without "mcpServers" around them`}, {Name: "Copilot CLI", Loads: true},
		}},
		{"not measured", ".cursor/mcp.json", `{"mcpServers":{"a":{"command":"x"}}}//`, []finding.Client{{Name: "Cursor", Loads: true, Why: "not verified: a comment"}}},
		{"both", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x","url":"https://h/"}}}`, []finding.Client{
			{Name: "Gemini CLI", Loads: true, Why: "takes the address, not the command"},
		}},
		{"broken", ".vscode/mcp.json", `{"servers":{"a":7}}`, []finding.Client{{Name: "VS Code", Why: "skips the entry: it is not of a form that hosts take"}}},
		{"replaced", ".vscode/mcp.json", `{"servers":{"a":{"command":"x"},"a":{"command":"y"}}}`, []finding.Client{{Name: "VS Code", Why: "a later declaration of the same name replaces it"}}},
		{"off", ".gemini/settings.json", `{"mcpServers":{"a":{"command":"x"}},"mcp":{"excluded":["a"]}}`, []finding.Client{{Name: "Gemini CLI", Why: "switched off: mcp.excluded names it"}}},
	}
	for _, tt := range tests {
		f := ReadAs([]byte(tt.text), tt.path)
		if len(f.Entries) == 0 {
			t.Fatalf("%s: no entry: %v", tt.name, f.Problems)
		}
		if diff := cmp.Diff(tt.want, f.Entries[0].Clients); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if got := f.Entries[0].Disabled; got != (tt.name == "off") {
			t.Errorf("%s: Disabled = %t", tt.name, got)
		}
	}
}
