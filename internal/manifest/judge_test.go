package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
)

// entry reads one server of .mcp.json with these members.
func entry(t *testing.T, members string) Entry {
	t.Helper()
	f := ReadAs([]byte(`{"mcpServers":{"a":{`+members+`}}}`), ".mcp.json")
	if len(f.Entries) != 1 {
		t.Fatalf("%s: %v", members, f.Problems)
	}
	return f.Entries[0]
}

func has(e Entry, rule string) bool {
	return slices.ContainsFunc(e.Findings, func(f finding.Finding) bool { return f.Rule == rule })
}

func TestArguments(t *testing.T) {
	const s = "s3cr3t-sentinel"
	type shown struct {
		Shown, Label string
		Secret       int
	}
	tests := []struct {
		line []string
		want shown // of the last argument
	}{
		{[]string{"x", "--api-key", s}, shown{"", "--api-key", len(s)}},
		{[]string{"x", "--access-token", "sbp_x0000xxx000000xx0x00xxx0000x00xx0x0x0000"}, shown{"", "--access-token", 44}},
		{[]string{"x", "--header", "Authorization: Bearer " + s}, shown{"", "--header", 22 + len(s)}},
		{[]string{"x", "--header", "Authorization: Bearer ${T}"}, shown{"Authorization: Bearer ${T}", "", 0}},
		{[]string{"x", "--figma-api-key=" + s}, shown{"--figma-api-key=***", "--figma-api-key=", len(s)}},
		{[]string{"docker", "-e", "API_KEY=" + s}, shown{"API_KEY=***", "API_KEY=", len(s)}},
		{[]string{"x", "postgres://u:" + s + "@h/d"}, shown{"postgres://***@h/d", "postgres://***@h/d", 2 + len(s)}},
		{[]string{"x", "https://h/?api_key=" + s + "&a=b"}, shown{"https://h/?api_key=***&a=b", "https://h/?api_key=***&a=b", len(s)}},
		{[]string{"x", `{"apiKey":"` + s + `"}`}, shown{`{"apiKey":"***"}`, `{"apiKey":"***"}`, len(s)}},
		{[]string{"x", "ghp_x0000xxx000000xx0x00xxx"}, shown{"***", "argument", 27}},
		{[]string{"x", "--api-key", "${KEY}"}, shown{"${KEY}", "", 0}},
		{[]string{"x", "--api-key", "<your-key>"}, shown{"<your-key>", "", 0}},
		{[]string{"x", "--auth", "--stdio"}, shown{"--stdio", "", 0}},
		{[]string{"x", "--max-tokens", "100000"}, shown{"100000", "", 0}},
		{[]string{"x", "--port", "80"}, shown{"80", "", 0}},
	}
	for _, tt := range tests {
		args := argv(tt.line...)
		a := args[len(args)-1]
		if diff := cmp.Diff(tt.want, shown{a.Shown, a.Label, a.Secret}); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.line, diff)
		}
	}
}

func TestInlineSecret(t *testing.T) {
	clear := []string{
		`"command":"x","env":{"API_KEY":"s3cr3t"}`,
		`"command":"x","env":{"ANY":"ghp_x0000xxx000000xx0x00xxx"}`,
		`"command":"x","env":{"API_KEY":"${K:-s3cr3t}"}`,
		`"command":"x","env":{"DATABASE_URL":"postgres://u:s3cr3t@h/d"}`,
		`"command":"x","args":["--token","s3cr3t"]`,
		`"command":"npx x --token=s3cr3t"`,
		`"type":"http","url":"https://h/","headers":{"Authorization":"Bearer s3cr3ts3cr3t"}`,
		`"type":"http","url":"https://h/","headers":{"Authorization":"Basic dXNlcjpwYXNz"}`,
		`"type":"http","url":"https://h/","headers":{"X-Api-Key":"s3cr3t"}`,
		`"type":"http","url":"https://h/?api_key=s3cr3t"`,
		`"type":"http","url":"https://h/","headersHelper":"echo X-Api-Key: --token s3cr3t"`,
		`"type":"http","url":"https://h/","oauth":{"clientSecret":"s3cr3t"}`,
	}
	for _, members := range clear {
		e := entry(t, members)
		if !has(e, "launch/inline-secret") || !e.Understood() {
			t.Errorf("%s: %v %v", members, e.Findings, e.Problems)
		}
		dump, err := json.Marshal(e.Findings)
		if err != nil {
			t.Fatal(err)
		}
		if all := string(dump) + fmt.Sprintf("%+v", e); strings.Contains(all, "s3cr3t") || strings.Contains(all, "dXNlcjpwYXNz") {
			t.Errorf("%s is told: %s", members, all)
		}
	}
	for _, members := range []string{
		`"command":"x","env":{"API_KEY":"${API_KEY}","T":"$T","P":"%TOKEN%","Q":"${{ secrets.Q }}"}`,
		`"command":"x","env":{"API_KEY":"your-api-key","TOKEN":"<token>","SECRET":"xxxx","PASSWORD":"changeme"}`,
		`"command":"x","env":{"OPIK_API_KEY":"COPILOT_MCP_OPIK_API_KEY"}`,
		`"command":"docker","args":["run","-e","API_KEY","img"]`,
		`"type":"http","url":"https://h/?project_ref=abcdef","headers":{"Authorization":"Bearer ${input:token}"}`,
	} {
		if e := entry(t, members); has(e, "launch/inline-secret") {
			t.Errorf("%s: %v", members, e.Findings)
		}
	}
}

func TestOverrides(t *testing.T) {
	tests := []struct {
		name, value string
		want        finding.Level
	}{
		{"LD_PRELOAD", "./x.so", finding.Error}, {"DYLD_INSERT_LIBRARIES", "x", finding.Error}, {"BASH_ENV", "x", finding.Error},
		{"NODE_OPTIONS", "--require /opt/x.js", finding.Error}, {"NODE_OPTIONS", "--import=./x.mjs", finding.Error}, {"NODE_OPTIONS", "-r x", finding.Error},
		{"NODE_OPTIONS", "--inspect=0.0.0.0:9229", finding.Error}, {"NODE_OPTIONS", "--max-old-space-size=4096", ""},
		{"PATH", "/opt/evil:/usr/bin", finding.Error}, {"PATH", "./bin:${PATH}", finding.Warning}, {"Path", "x;%PATH%", finding.Warning}, {"PATH", "${PATH}", ""},
		{"ENV", "production", ""}, {"ENV", "./rc", finding.Error}, {"PYTHONPATH", "src", finding.Warning}, {"PYTHONUNBUFFERED", "1", ""},
		{"PYTHONSTARTUP", "x", finding.Error}, {"npm_config_registry", "http://r/", finding.Error}, {"NPM_CONFIG_LOGLEVEL", "error", ""},
		{"GIT_SSH_COMMAND", "x", finding.Error}, {"GIT_AUTHOR_NAME", "x", ""}, {"https_proxy", "http://p/", finding.Warning}, {"NO_PROXY", "x", ""},
		{"NODE_TLS_REJECT_UNAUTHORIZED", "0", finding.Error}, {"NODE_TLS_REJECT_UNAUTHORIZED", "1", ""}, {"NODE_EXTRA_CA_CERTS", "x", finding.Error},
		{"JAVA_TOOL_OPTIONS", "-javaagent:x.jar", finding.Error}, {"JAVA_TOOL_OPTIONS", "-Xmx1g", ""}, {"OPENAI_BASE_URL", "https://x/", ""}, {"LOG_LEVEL", "x", ""},
	}
	for _, tt := range tests {
		if got := overrides(tt.name, tt.value); got != tt.want {
			t.Errorf("%s=%s: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
	e := entry(t, `"command":"x","env":{"PATH":"a:${PATH}","LD_PRELOAD":"x"}`)
	if !has(e, "launch/env-override") || !has(e, "launch/env-override-minor") || !e.Understood() {
		t.Errorf("%v", e.Findings)
	}
}

func TestBindings(t *testing.T) {
	e := entry(t, `"command":"x","env":{"A":"${B}","C":"c","HTTPS_PROXY":"http://u:s3cr3t@p/","GIT_TOKEN":"${T}","OPENAI_BASE_URL":"https://h/"}`)
	type short struct {
		Name            string
		Refs            []string
		Literal, Steers bool
		Shown           string
		Secret          int
	}
	var got []short
	for _, b := range e.Launch.Env {
		got = append(got, short{b.Name, b.Refs, b.Literal, b.Steers, b.Shown, b.Secret})
	}
	want := []short{
		{"A", []string{"B"}, false, false, "", 0}, {"C", nil, true, false, "", 0},
		{"HTTPS_PROXY", nil, true, true, "http://***@p/", 8}, {"GIT_TOKEN", []string{"T"}, false, false, "", 0},
		{"OPENAI_BASE_URL", nil, true, true, "https://h/", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestURL(t *testing.T) {
	tests := []struct {
		url                  string
		understood, insecure bool
	}{
		{"https://h/mcp", true, false}, {"https://h/mcp?a=b", true, false}, {"http://localhost:1/", true, false}, {"http://127.0.0.1/", true, false},
		{"http://127.1.2.3:80/x", true, false}, {"http://[::1]:80/", true, false}, {"http://a.localhost/", true, false}, {"ws://localhost/", true, false},
		{"http://h/", true, true}, {"ws://h/", true, true}, {"HTTP://H/", true, true}, {"http://127.0.0.1.evil/", true, true}, {"http://localhost.evil/", true, true},
		{"http://10.0.0.1/", true, true}, {"http://localhost@evil/", true, true}, {"https://u@h/", true, true}, {"https://h/#x", true, true},
		{"${URL}", true, false}, {"${BASE}/mcp", true, false}, {"https://${HOST}/mcp", true, false}, {"http://${HOST}:80/mcp", true, false},
		{"${BASE:-https://h}/mcp", true, false}, {"${BASE:-http://h}/mcp", true, true}, {"http://h/${X}", true, true},
		{"", false, false}, {"h/mcp", false, false}, {"file:///etc/passwd", false, false}, {"https:\\\\h\\", false, false}, {" https://h/", false, false},
		{"https://h/\t", false, false}, {"javascript://x", false, false},
	}
	for _, tt := range tests {
		quoted, err := json.Marshal(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		e := entry(t, `"type":"http","url":`+string(quoted))
		if e.Understood() != tt.understood || has(e, "launch/insecure-url") != tt.insecure {
			t.Errorf("%q: %v %v", tt.url, e.Problems, e.Findings)
		}
	}
}
