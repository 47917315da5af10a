package secret

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	const s = "x0000xxx000000xx0x00xxx0000x00xx0x0x0000"
	tests := []struct{ text, shown string }{
		{"sbp_" + s, "***"},
		{"ghp_" + s, "***"},
		{"github_pat_" + s, "***"},
		{"glpat-" + s, "***"},
		{"sk-proj-" + s, "***"},
		{"xoxb-0000-" + s, "***"},
		{"AKIA0000000000000000", "***"},
		{"AIzaSy" + s, "***"},
		{"npm_" + s, "***"},
		{"figd_" + s, "***"},
		{"ctx7sk-x0000000-xx00-00x0-xx0x-xxxx00x0x0xx", "***"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl0", "***"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "***"},
		{"a -----BEGIN PRIVATE KEY-----\nMIIE", "a ***"},
		{"Bearer 00000x00x000xxx0x0xx0xx", "Bearer ***"},
		{"Authorization: Bearer 00000x00x000xxx0x0xx0xx", "Authorization: Bearer ***"},
		{"X-Api-Key: s3cr3tvalue", "X-Api-Key: ***"},
		{"Basic dXNlcjpwYXNz", "Basic ***"},
		{"Basic qWErtYUiopASdfgH0JkLzxCv0BNM0", "Basic ***"},
		{"postgres://user:pa55w0rd@db.example/x", "postgres://***@db.example/x"},
		{"mongodb+srv://dbreaders0:QwERTYUIOPA0SDF0@host/x?y=z", "mongodb+srv://***@host/x?y=z"},
		{"https://abcdef123456@host/mcp", "https://***@host/mcp"},
		{"https://host/mcp?api_key=abc123def&x=1", "https://host/mcp?api_key=***&x=1"},
		{"https://host/mcp?x=1&key=abc123def#f", "https://host/mcp?x=1&key=***#f"},
		{"--figma-api-key=abc&def ghi", "--figma-api-key=***"},
		{"API_KEY=abc def", "API_KEY=***"},
		{"Server=db;Database=x;User=sa;Password=s3cr3t;", "Server=db;Database=x;User=sa;Password=***;"},
		{`"{\"perplexityApiKey\":\"` + s + `\"}"`, `"{\"perplexityApiKey\":\"***\"}"`},
		{`{"apiKey": "` + s + `", "n": 1}`, `{"apiKey": "***", "n": 1}`},
		{"run --api-key abc123 --port 80", "run --api-key *** --port 80"},
		{"export TOKEN=abc123; run", "export TOKEN=***; run"},
		{"--token=" + s + " and " + s, "--token=***"},
		{"run --token=" + s + " and " + s, "run --token=*** and ***"},
		{"${X:-ghp_" + s + "}", "${X:-***}"},
		{"API_KEY=${X:-realvalue1}", "API_KEY=${X:-***}"},
	}
	for _, tt := range tests {
		shown, hidden := Mask(tt.text)
		if shown != tt.shown || hidden == 0 {
			t.Errorf("Mask(%q) = %q, %d; want %q", tt.text, shown, hidden, tt.shown)
		}
		if want := len(tt.text) - len(shown) + len(Mark)*strings.Count(shown, Mark); hidden != want {
			t.Errorf("Mask(%q) hides %d bytes, want %d", tt.text, hidden, want)
		}
		if again, more := Mask(shown); more != 0 {
			t.Errorf("Mask(%q) masks its own output to %q", shown, again)
		}
	}
}

func TestMaskLeavesAlone(t *testing.T) {
	for _, text := range []string{
		"", "npx", "-y", "@scope/pkg@1.2.3", "--project-ref=taziwfxkhwzhlddpvuzn", "https://mcp.example/mcp?project_ref=abc",
		"git@github.com:o/r.git", "ssh://git@github.com/o/r", "git+https://github.com/o/r@0123456789abcdef0123456789abcdef01234567",
		"Bearer ${TOKEN}", "Authorization: Bearer ${TOKEN}", "Bearer <your-token>", "Bearer YOUR_API_KEY", "API_KEY=${API_KEY}",
		"API_KEY=your-api-key", "--api-key=changeme", "--api-key=xxxx-xxxx", "--api-key=...", "TOKEN=$TOKEN", "sk-your-key-here", "sk-...",
		"https://${USER}:${PASS}@host/", "https://host/?api_key=${KEY}", "https://host/?api_key=<key>", "postgres://user:password@localhost/db",
		"--max-tokens=100", "--auth=basic", "--auth=true", "basic authentication is used", "bearer authentication",
		"sk-learn-contrib-toolbox-helpers", "/home/user/keys/token.txt", "--token=/run/secrets/token.txt", "sha512-abcdef0123456789abcdef0123456789",
		"X_API_KEY: COPILOT_MCP_API_KEY", "{\"path\": \"/x\"}", "node --max-old-space-size=4096",
	} {
		if shown, hidden := Mask(text); shown != text || hidden != 0 {
			t.Errorf("Mask(%q) = %q, %d", text, shown, hidden)
		}
	}
}

func TestMaskBounds(t *testing.T) {
	long := strings.Repeat("a ", MaxText)
	many := strings.Builder{}
	for i := range 2 * maxParts {
		many.WriteString(" TOKEN=abc" + strings.Repeat("1", i))
	}
	for _, text := range []string{long, many.String()} {
		if shown, hidden := Mask(text); shown != Mark || hidden != len(text) {
			t.Errorf("Mask of %d bytes shows %d, hides %d", len(text), len(shown), hidden)
		}
	}
}

func TestLooksSecret(t *testing.T) {
	tests := []struct {
		name, value string
		want        bool
	}{
		{"POSTGRES_PASSWORD", "s3cr3t", true},
		{"API_KEY", "xxxx-xxxxxx-xxx-000", true},
		{"API_KEY", "${KEY:-realvalue1}", true},
		{"ANY", "ghp_x0000xxx000000xx0x00xxx", true},
		{"Authorization", "Bearer 00000x00x000xxx0x0xx0xx", true},
		{"Authorization", "Bearer abcdefgh", true},
		{"Authorization", "Bearer ${TOKEN}", false},
		{"Authorization", "Bearer", false},
		{"API_KEY", "${KEY}", false},
		{"API_KEY", "", false},
		{"API_KEY", "your-key", false},
		{"OPIK_API_KEY", "COPILOT_MCP_OPIK_API_KEY", false},
		{"GOOGLE_APPLICATION_CREDENTIALS", "/home/user/key.json", false},
		{"GOOGLE_APPLICATION_CREDENTIALS", "./key.json", false},
		{"MYSQL_DSN", "user:pass@tcp(host)/db", false},
		{"MYSQL_DSN", "user:s3cr3t@tcp(host)/db", true},
		{"AUTH", "true", false},
		{"TRUSTED_FOLDERS", "/x", false},
		{"SERVER_HOST", "10.0.0.1:80", false},
	}
	for _, tt := range tests {
		if got := LooksSecret(tt.name, tt.value); got != tt.want {
			t.Errorf("LooksSecret(%q, %q) = %t", tt.name, tt.value, got)
		}
	}
}

// FuzzMask wants that no part which was found to be secret survives anywhere in
// the shown text, and that the count is right.
func FuzzMask(f *testing.F) {
	for _, s := range []string{
		"", "--token=abc123 abc123", "${X:-ghp_x0000xxx000000xx0x00xxx}", "https://a:b0b0b0b0@h/?key=b0b0b0b0", "Bearer Bearer Bearer 00000000",
		`{"apiKey":"aaaaaaa1","b":"aaaaaaa1"}`, "%A%${${$", "TOKEN=\xff\xfe", "***", "TOKEN=aaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaa",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown, hidden := Mask(text)
		if hidden == 0 && shown != text || hidden < 0 || hidden > len(text) {
			t.Fatalf("hidden %d of %d", hidden, len(text))
		}
		for _, s := range find(text) {
			part := text[s.start:s.end]
			if len(part) >= 6 && !strings.Contains(part, "*") && strings.Contains(shown, part) {
				t.Errorf("shown %q contains %q", shown, part)
			}
		}
		References(text)
		NameLooksSecret(text)
		LooksSecret(text, text)
	})
}
