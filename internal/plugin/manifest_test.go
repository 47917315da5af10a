package plugin

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/toolwarrant/toolwarrant/finding"
)

// long is text of n bytes.
func long(n int) string { return strings.Repeat("a", n) }

type manifestRow struct {
	name   string
	change func(*built)
	accept bool
}

func setting(name string, value any) func(*built) {
	return func(b *built) { b.set(map[string]any{name: value}) }
}

func serving(name string, value any) func(*built) {
	return func(b *built) { b.set(map[string]any{"mcp_servers": []any{server(map[string]any{name: value})}}) }
}

func hooking(change map[string]any) func(*built) {
	return func(b *built) { b.set(map[string]any{"hooks": []any{hook(change)}}) }
}

// remote is a server elsewhere.
func remote(change map[string]any) map[string]any {
	return changed(server(map[string]any{"transport": "streamable_http", "target": "https://mcp.example/api", "arguments": nil}), change)
}

func reaching(target string) func(*built) {
	return func(b *built) { b.set(map[string]any{"mcp_servers": []any{remote(map[string]any{"target": target})}}) }
}

func writing(change func(string) string) func(*built) {
	return func(b *built) { b.raw = func(m []byte) []byte { return []byte(change(string(m))) } }
}

// manifestRows change a plugin with one of everything.
var manifestRows = []manifestRow{
	{"as it is", func(*built) {}, true},
	{"another protocol", setting("protocol_version", "plugin.v2"), false},
	{"no protocol", setting("protocol_version", nil), false},
	{"an unknown member", setting("install_script", "x"), false},
	{"an id with a slash", setting("id", "a/b"), false},
	{"an id with a backslash", setting("id", `a\b`), false},
	{"an id of 256 bytes", setting("id", long(256)), true},
	{"an id of 257 bytes", setting("id", long(257)), false},
	{"an id with blanks around", setting("id", " a"), false},
	{"an id with a blank inside", setting("id", "a b"), true},
	{"an id with a control character of Latin-1", setting("id", "a\u0085b"), false},
	{"an id in Chinese", setting("id", "笔记"), true},
	{"a number as id", setting("id", 7), false},
	{"a name with a slash", setting("name", "a/b"), true},
	{"a version of two numbers", setting("version", "1.0"), false},
	{"a version with a leading zero", setting("version", "1.01.0"), false},
	{"a version with a sign", setting("version", "1.-1.0"), false},
	{"a version of many digits", setting("version", long(0)+strings.Repeat("9", 40)+".0.0"), true},
	{"a description of 4096 bytes", setting("description", long(4096)), true},
	{"a description of 4097 bytes", setting("description", long(4097)), false},
	{"a description with an escape", setting("description", "a\x1bb"), false},
	{"a description of two lines", setting("description", "a\n\tb"), true},
	{"no capabilities", setting("capabilities", []string{}), false},
	{"a capability that is not there", func(b *built) { b.set(map[string]any{"hooks": nil}) }, false},
	{"a capability that is not declared", setting("capabilities", []string{"skills", "hooks", "mcp_servers"}), false},
	{"an unknown capability", setting("capabilities", []string{"skills", "hooks", "mcp_servers", "exec"}), false},
	{"an upper-case digest", setting("files", []any{map[string]any{"path": "docs/a.md", "sha256": strings.Repeat("A", 64), "bytes": 1}}), false},
	{"a negative length", setting("files", []any{map[string]any{"path": "docs/a.md", "sha256": strings.Repeat("a", 64), "bytes": -1}}), false},
	{"a length with a fraction", setting("files", []any{map[string]any{"path": "docs/a.md", "sha256": strings.Repeat("a", 64), "bytes": 1.5}}), false},
	{"a script is listed", func(b *built) { b.file("skills/notes/run.sh", "x") }, false},
	{"the manifest is listed", func(b *built) { b.file("plugin.json", "x") }, false},
	{"a document in a folder", func(b *built) { b.file("docs/a/b.md", "x") }, true},
	{"an empty document", func(b *built) { b.file("docs/a.md", "") }, false},
	{"a document with an escape", func(b *built) { b.file("docs/a.md", "\x1b[2J") }, false},
	{"a document that is not UTF-8", func(b *built) { b.file("docs/a.md", "\xff") }, false},
	{"metadata that is not JSON", func(b *built) { b.file("ui/a.json", "{") }, false},
	{"metadata of one value", func(b *built) { b.file("ui/a.json", "null") }, true},
	{"empty metadata", func(b *built) { b.file("ui/a.json", "") }, false},
	{"an image that is none", func(b *built) { b.file("ui/a.png", "GIF89a") }, false},
	{"a WebP that is none", func(b *built) { b.file("ui/a.webp", "RIFF") }, false},
	{"a WebP", func(b *built) { b.file("ui/a.webp", "RIFF\x04\x00\x00\x00WEBP") }, true},
	{"an icon that is not listed", setting("ui_metadata", map[string]any{"display_name": "x", "icon_path": "ui/no.png"}), false},
	{"an icon that is no image", setting("ui_metadata", map[string]any{"display_name": "x", "icon_path": "ui/theme.json"}), false},
	{"no display name", setting("ui_metadata", map[string]any{"display_name": ""}), false},
	{"a long display description", setting("ui_metadata", map[string]any{"display_name": "x", "description": long(2049)}), false},
	{"a skill below another folder", setting("skills", []any{map[string]any{"name": "other", "manifest_path": "skills/notes/manifest.json", "content_path": "skills/notes/SKILL.md"}}), false},
	{"a skill that is not listed", setting("skills", []any{map[string]any{"name": "notes", "manifest_path": "skills/notes/manifest.json", "content_path": "skills/notes/x/SKILL.md"}}), false},
	{"a skill twice", setting("skills", []any{theSkill, theSkill}), false},
	{"33 skills", setting("skills", many(33, theSkill)), false},
	{"a server twice", setting("mcp_servers", []any{server(nil), server(nil)}), false},
	{"33 servers", setting("mcp_servers", many(33, server(nil))), false},
	{"a server by a bare name", serving("target", "npx"), false},
	{"a server by a relative path", serving("target", "./run"), false},
	{"a server of another transport", serving("transport", "sse"), false},
	{"a server that gets a credential", serving("credential_ref", "x"), false},
	{"a token in an argument", serving("arguments", []string{"--token=x"}), false},
	{"a token named by an argument", serving("arguments", []string{"--API_KEY", "x"}), false},
	{"a bearer", serving("arguments", []string{" Bearer x"}), false},
	{"a token of the Windows kind", serving("arguments", []string{"/password=x"}), false},
	{"a longer name for a token", serving("arguments", []string{"--github-token=x"}), true},
	{"an empty argument", serving("arguments", []string{""}), true},
	{"an argument of 1025 bytes", serving("arguments", []string{long(1025)}), false},
	{"32 arguments", serving("arguments", many(32, "x")), true},
	{"33 arguments", serving("arguments", many(33, "x")), false},
	{"a timeout of 99", serving("call_timeout_ms", 99), false},
	{"a timeout of 300001", serving("call_timeout_ms", 300001), false},
	{"no bytes of a result", serving("max_result_bytes", 0), false},
	{"131073 bytes of a result", serving("max_result_bytes", 131073), false},
	{"no capabilities of a server", serving("declared_capabilities", []string{}), false},
	{"a capability of a server twice", serving("declared_capabilities", []string{"tools", "tools"}), false},
	{"an unknown capability of a server", serving("declared_capabilities", []string{"sampling"}), false},
	{"an environment of a server", serving("env", map[string]any{"A": "b"}), false},
	{"an address", reaching("https://mcp.example/api"), true},
	{"an address without TLS", reaching("http://mcp.example/api"), false},
	{"an address with a user", reaching("https://u@mcp.example/api"), false},
	{"an address with a query", reaching("https://mcp.example/api?a=b"), false},
	{"an address with a fragment", reaching("https://mcp.example/api#a"), false},
	{"an address with an empty query", reaching("https://mcp.example/api?"), true},
	{"an address without a host", reaching("https:///api"), false},
	{"an address of this machine", reaching("https://127.0.0.1/api"), true},
	{"an address with arguments", setting("mcp_servers", []any{remote(map[string]any{"arguments": []string{"x"}})}), false},
	{"a credential with a slash", setting("mcp_servers", []any{remote(map[string]any{"credential_ref": "a/b"})}), false},
	{"a credential of 65 characters", setting("mcp_servers", []any{remote(map[string]any{"credential_ref": long(65)})}), false},
	{"a hook of another protocol", hooking(map[string]any{"protocol_version": "x"}), false},
	{"an unknown event", hooking(map[string]any{"event": "PreToolUse"}), false},
	{"an unknown action", hooking(map[string]any{"action": "run"}), false},
	{"an unknown failure policy", hooking(map[string]any{"failure_policy": "open"}), false},
	{"a hook of 0 ms", hooking(map[string]any{"timeout_ms": 0}), false},
	{"a hook of 2001 ms", hooking(map[string]any{"timeout_ms": 2001}), false},
	{"a denial without a message", hooking(map[string]any{"message": nil}), false},
	{"a message of 1025 bytes", hooking(map[string]any{"message": long(1025)}), false},
	{"a denial that removes fields", hooking(map[string]any{"remove_fields": []string{"a"}}), false},
	{"narrow without fields", hooking(map[string]any{"action": "narrow"}), false},
	{"narrow with a path", hooking(map[string]any{"action": "narrow", "remove_fields": []string{"a.b"}}), false},
	{"narrow at post_tool", hooking(map[string]any{"action": "narrow", "event": "post_tool", "failure_policy": "continue", "remove_fields": []string{"a"}}), false},
	{"narrow", hooking(map[string]any{"action": "narrow", "remove_fields": []string{"a", "b"}}), true},
	{"a field twice", hooking(map[string]any{"action": "narrow", "remove_fields": []string{"a", "a"}}), false},
	{"a denial at post_tool", hooking(map[string]any{"event": "post_tool", "failure_policy": "continue"}), false},
	{"a failure that denies at post_tool", hooking(map[string]any{"event": "post_tool", "action": "record"}), false},
	{"a record at post_tool", hooking(map[string]any{"event": "post_tool", "action": "record", "failure_policy": "continue"}), true},
	{"tools at an event without any", hooking(map[string]any{"event": "run_started"}), false},
	{"65 tools", hooking(map[string]any{"tool_names": many(65, "a")}), false},
	{"a tool twice", hooking(map[string]any{"tool_names": []string{"a", "a"}}), false},
	{"a hook twice", setting("hooks", []any{hook(nil), hook(nil)}), false},
	{"a comment", writing(func(s string) string { return s + "// x" }), false},
	{"a second value", writing(func(s string) string { return s + "{}" }), false},
	{"white space behind", writing(func(s string) string { return s + "\n \t" }), true},
	{"a byte order mark", writing(func(s string) string { return "\ufeff" + s }), false},
	{"a trailing comma", writing(func(s string) string { return strings.TrimSuffix(s, "}") + ",}" }), false},
	{"a member twice", writing(func(s string) string { return `{"id":"evil",` + s[1:] }), true},
	{"a member in capitals", writing(func(s string) string { return strings.Replace(s, `"id"`, `"ID"`, 1) }), true},
	{"broken UTF-8", writing(func(s string) string { return strings.Replace(s, "Keeps", "K\xff", 1) }), true},
	{"half a pair", writing(func(s string) string { return strings.Replace(s, "Keeps", `\ud800`, 1) }), true},
	{"too many bytes", writing(func(s string) string { return s + strings.Repeat(" ", maxManifest) }), false},
}

var theSkill = map[string]any{"name": "notes", "manifest_path": "skills/notes/manifest.json", "content_path": "skills/notes/SKILL.md"}

func many(n int, v any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestManifest(t *testing.T) {
	for _, row := range manifestRows {
		t.Run(row.name, func(t *testing.T) {
			b := full()
			row.change(b)
			if p := Read(b.zip()); (p.Rejected == nil) != row.accept {
				t.Errorf("accepted is %v, want %v: %v", p.Rejected == nil, row.accept, p.Rejected)
			}
		})
	}
}

// TestDoubts: what the format lets pass in JSON and in servers is told, under
// the rule that names it.
func TestDoubts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*built)
		want   Rule
	}{
		{"a member twice", writing(func(s string) string { return `{"id":"evil",` + s[1:] }), ruleManifestAmbiguous},
		{"a member twice, once in capitals", writing(func(s string) string { return `{"ID":"evil",` + s[1:] }), ruleManifestAmbiguous},
		{"a member of a member twice", writing(func(s string) string { return strings.Replace(s, `"action":`, `"action":"record","action":`, 1) }), ruleManifestAmbiguous},
		{"a member in capitals", writing(func(s string) string { return strings.Replace(s, `"id"`, `"Id"`, 1) }), ruleManifestAmbiguous},
		{"a long s", writing(func(s string) string { return strings.Replace(s, `"skills":[{`, `"ſkills":[{`, 1) }), ruleManifestAmbiguous},
		{"broken UTF-8", writing(func(s string) string { return strings.Replace(s, "Keeps", "K\xff", 1) }), ruleManifestAmbiguous},
		{"half a pair", writing(func(s string) string { return strings.Replace(s, "Keeps", `\ud800`, 1) }), ruleManifestAmbiguous},
		{"a right-to-left override", setting("id", "a\u202eb"), ruleHidden},
		{"no width", setting("description", "a\u200bb"), ruleHidden},
		{"tags", setting("description", "a\U000e0041"), ruleHidden},
		{"a private character", setting("name", "a\ue000"), ruleHidden},
		{"bytes in variation selectors", setting("description", "a\ufe00\ufe01\ufe02"), ruleHidden},
		{"a joiner between letters", setting("id", "a\u200db"), ruleHidden},
		{"tags in a skill", func(b *built) { b.skill(nil, "# Notes\U000e0041\U000e0042\n") }, ruleHidden},
		{"an override in a hook's message", hooking(map[string]any{"message": "a\u202eb"}), ruleHidden},
		{"a longer name for a token", serving("arguments", []string{"--github-token=x"}), ruleSecretArgument},
		{"a token in the next argument", serving("arguments", []string{"--github-token", "x"}), ruleSecretArgument},
		{"this machine", reaching("https://127.0.0.1:8443/mcp"), rulePrivateTarget},
		{"this machine by name", reaching("https://localhost/mcp"), rulePrivateTarget},
		{"this machine, mapped", reaching("https://[::ffff:127.0.0.1]/mcp"), rulePrivateTarget},
		{"a private address", reaching("https://10.1.2.3/mcp"), rulePrivateTarget},
		{"the metadata of a cloud", reaching("https://169.254.169.254/mcp"), rulePrivateTarget},
		{"a carrier's address", reaching("https://100.64.0.1/mcp"), rulePrivateTarget},
		{"a name of a local network", reaching("https://printer.local/mcp"), rulePrivateTarget},
		{"an empty query", reaching("https://mcp.example/api?"), ruleManifestAmbiguous},
		{"a member twice in a skill", func(b *built) {
			content := string(b.files[0].content)
			b.file("skills/notes/manifest.json", strings.Replace(content, `"name"`, `"name":"x","name"`, 1))
		}, ruleManifestAmbiguous},
		{"bytes behind a WebP", func(b *built) { b.file("ui/a.webp", "RIFF\x04\x00\x00\x00WEBPmore") }, rulePolyglot},
		{"a PNG of its first bytes", func(b *built) { b.file("ui/a.png", string(pngMark)) }, rulePolyglot},
		{"a PNG with a chunk too long", func(b *built) { b.file("ui/a.png", string(pngMark)+"\xff\xff\xff\xffIHDR0000") }, rulePolyglot},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := full()
			tt.change(b)
			p := Read(b.zip())
			other := func(d Problem) bool { return d.Rule != tt.want.ID }
			if p.Rejected != nil || len(p.Doubts) == 0 || slices.ContainsFunc(p.Doubts, other) {
				t.Errorf("rejected by %v, told of %v, want %s alone", p.Rejected, p.Doubts, tt.want.ID)
			}
			strict, err := Check(bytes.NewReader(b.zip()), Options{File: "a.zip", Strict: true})
			if err != nil || strict.Verdict != finding.Rejected || strict.Outcome != finding.Escalation {
				t.Errorf("a strict check says %q, %s, %v", strict.Verdict, strict.Outcome, err)
			}
		})
	}
}

func TestSkill(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change map[string]any
		text   string
		accept bool
	}{
		{"as it is", nil, skillText, true},
		{"everything", map[string]any{"publisher": "example.publisher", "surfaces": []string{"code", "cyber"}, "phases": []string{"plan", "deliver"}, "roles": []string{"root", "specialist"},
			"user_invocable": true, "model_invocable": true, "explicit_only": false, "profiles": []string{"code", "learn", "review", "script"}, "tool_dependencies": []string{"list_workspace", "read_file"}}, skillText, true},
		{"another publisher", map[string]any{"publisher": "other"}, skillText, false},
		{"another name", map[string]any{"name": "other"}, skillText, false},
		{"another protocol", map[string]any{"protocol": "skill.v2"}, skillText, false},
		{"a version of ten digits", map[string]any{"version": "1234567890.0.0"}, skillText, false},
		{"a description of two lines", map[string]any{"description": "a\nb"}, skillText, false},
		{"a description of 512 characters", map[string]any{"description": strings.Repeat("é", 512)}, skillText, true},
		{"a description of 513 characters", map[string]any{"description": strings.Repeat("é", 513)}, skillText, false},
		{"no profile", map[string]any{"profiles": []string{}}, skillText, false},
		{"an unknown profile", map[string]any{"profiles": []string{"admin"}}, skillText, false},
		{"profiles out of order", map[string]any{"profiles": []string{"review", "code"}}, skillText, false},
		{"an unknown surface", map[string]any{"surfaces": []string{"host"}}, skillText, false},
		{"no list of tools", map[string]any{"tool_dependencies": nil}, skillText, false},
		{"no tools", map[string]any{"tool_dependencies": []string{}}, skillText, true},
		{"an unknown tool", map[string]any{"tool_dependencies": []string{"shell"}}, skillText, false},
		{"tools out of order", map[string]any{"tool_dependencies": []string{"read_file", "list_workspace"}}, skillText, false},
		{"a tool that writes", map[string]any{"tool_dependencies": []string{"replace_file"}}, skillText, true},
		{"a tool that its profile does not allow", map[string]any{"tool_dependencies": []string{"script_process"}}, skillText, false},
		{"a tool that one of its profiles does not allow", map[string]any{"profiles": []string{"code", "review"}, "tool_dependencies": []string{"replace_file"}}, skillText, false},
		{"another path", map[string]any{"content_path": "OTHER.md"}, skillText, false},
		{"another digest", map[string]any{"content_sha256": strings.Repeat("0", 64)}, skillText, false},
		{"another length", map[string]any{"content_bytes": 1}, skillText, false},
		{"another bound", map[string]any{"content_token_upper_bound": 1}, skillText, false},
		{"an unknown member", map[string]any{"scripts": []string{}}, skillText, false},
		{"4096 bytes", nil, long(4096), true},
		{"4097 bytes", nil, long(4097), false},
		{"no text", nil, "", false},
		{"an escape", nil, "a\x1bb", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Read(plain().skill(tt.change, tt.text).zip())
			if (p.Rejected == nil) != tt.accept {
				t.Errorf("accepted is %v, want %v: %v", p.Rejected == nil, tt.accept, p.Rejected)
			}
		})
	}
}

// signatureRows change SIGNATURE.json.
var signatureRows = []struct {
	name   string
	change func(map[string]any)
	accept bool
}{
	{"as it is", func(map[string]any) {}, true},
	{"no time", func(s map[string]any) { delete(s, "signed_at") }, true},
	{"an empty time", func(s map[string]any) { s["signed_at"] = "" }, true},
	{"a time that is none", func(s map[string]any) { s["signed_at"] = "yesterday" }, false},
	{"another protocol", func(s map[string]any) { s["protocol_version"] = "plugin-signature.v2" }, false},
	{"another algorithm", func(s map[string]any) { s["algorithm"] = "Ed25519" }, false},
	{"another publisher", func(s map[string]any) { s["publisher"] = "other" }, false},
	{"an unknown member", func(s map[string]any) { s["more"] = 1 }, false},
	{"another key", func(s map[string]any) {
		other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize)).Public().(ed25519.PublicKey)
		s["public_key"] = base64.StdEncoding.EncodeToString(other)
	}, false},
	{"a key of 31 bytes", func(s map[string]any) { s["public_key"] = base64.StdEncoding.EncodeToString(make([]byte, 31)) }, false},
	{"a key without padding", func(s map[string]any) { s["public_key"] = strings.TrimRight(s["public_key"].(string), "=") }, false},
	{"a key in two lines", func(s map[string]any) { k := s["public_key"].(string); s["public_key"] = k[:9] + "\r\n" + k[9:] }, true},
	{"no signature", func(s map[string]any) { s["signature"] = "" }, false},
	{"a signature of 63 bytes", func(s map[string]any) { s["signature"] = base64.StdEncoding.EncodeToString(make([]byte, 63)) }, false},
	{"a signature of zeros", func(s map[string]any) { s["signature"] = base64.StdEncoding.EncodeToString(make([]byte, 64)) }, false},
	{"over the raw digest", func(s map[string]any) {
		s["signature"] = base64.StdEncoding.EncodeToString(ed25519.Sign(testKey(), make([]byte, 32)))
	}, false},
}

func TestSignature(t *testing.T) {
	for _, row := range signatureRows {
		t.Run(row.name, func(t *testing.T) {
			b := plain()
			b.key, b.sign = testKey(), row.change
			p := Read(b.zip())
			if p.Signed != true || p.Valid != row.accept || (p.Rejected == nil) != row.accept {
				t.Errorf("valid is %v, want %v: %v", p.Valid, row.accept, p.Rejected)
			}
			if !row.accept && (p.Rejected.Rule != ruleSignature.ID || p.Publisher != "") {
				t.Errorf("rejected by %s, by the key %q", p.Rejected.Rule, p.Publisher)
			}
		})
	}
}

// TestSignatureIsThePackages: a signature that fits one package fits no other,
// not even one that differs in white space or in the order of its files.
func TestSignatureIsThePackages(t *testing.T) {
	signed := plain()
	signed.key = testKey()
	entries := signed.entries()
	sig := entries[len(entries)-1]
	for name, change := range map[string]func(*built){
		"another description": setting("description", "Keeps more notes."),
		"white space":         writing(func(s string) string { return s + "\n" }),
		"another document":    func(b *built) { b.file(readme, "# Readm3\n") },
		"another order":       func(b *built) { b.files[0], b.files[2] = b.files[2], b.files[0] },
	} {
		b := plain()
		change(b)
		p := Read(packed(append(b.entries(), sig)))
		if p.Rejected == nil || p.Rejected.Rule != ruleSignature.ID {
			t.Errorf("%s: rejected by %v", name, p.Rejected)
		}
	}
}

// TestInert puts every byte that counts at every place of a word.
func TestInert(t *testing.T) {
	for at := range 40 {
		for _, r := range []rune{0, 1, '\t', '\n', 0x0b, '\r', 0x1f, ' ', '~', 0x7f, 0x80, 0x9f, 0xa0, 0xe9, 0x2028, '笔', '😀'} {
			s := strings.Repeat("a", at) + string(r) + strings.Repeat("~ ", at/2)
			want := !unicode.IsControl(r) || r == '\n' || r == '\r' || r == '\t'
			if inert(s) != want {
				t.Errorf("%q: %v, want %v", s, !want, want)
			}
		}
	}
}
