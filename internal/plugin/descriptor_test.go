package plugin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const stdioDescriptor = `{"protocol_version":"mcp-client.v1","id":"fs","name":"A & <b>","transport":"stdio","target":"/bin/fs","arguments":["--root","/srv"],` +
	`"declared_capabilities":["tools","prompts"],"scope":"workspace","workspace_id":"w","source":{"kind":"manual","uri":"operator"},"call_timeout_ms":100,"max_result_bytes":1}`

// TestDescriptorFingerprint takes the digest of the form that the format
// describes, written down by hand.
func TestDescriptorFingerprint(t *testing.T) {
	d, err := ParseDescriptor([]byte(" " + stdioDescriptor + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	form := strings.NewReplacer(`A & <b>`, `A \u0026 \u003cb\u003e`, `["tools","prompts"]`, `["prompts","tools"]`).Replace(stdioDescriptor)
	if got := d.Fingerprint(); got != sum([]byte(form)) {
		t.Errorf("%s is not the digest of %s", got, form)
	}
	if strings.Join(d.Capabilities, " ") != "tools prompts" {
		t.Error("the fingerprint has sorted the descriptor's own list")
	}
}

func TestDescriptor(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		accept         bool
	}{
		{"of a run", `"scope":"workspace"`, `"scope":"run","run_id":"r"`, true},
		{"of a run without its id", `"scope":"workspace"`, `"scope":"run"`, false},
		{"of a workspace with a run", `"scope":"workspace"`, `"scope":"workspace","run_id":"r"`, false},
		{"of another scope", `"scope":"workspace"`, `"scope":"user"`, false},
		{"no workspace", `"workspace_id":"w"`, `"workspace_id":""`, false},
		{"from a plugin", `"kind":"manual"`, fmt.Sprintf(`"kind":"plugin","plugin_id":"p","fingerprint":"%s"`, strings.Repeat("a", 64)), true},
		{"from a plugin without its fingerprint", `"kind":"manual"`, `"kind":"plugin","plugin_id":"p"`, false},
		{"from nowhere", `"uri":"operator"`, `"uri":""`, false},
		{"from elsewhere", `"kind":"manual"`, `"kind":"remote"`, false},
		{"a digest in capitals", `"uri":"operator"`, `"uri":"operator","sha256":"` + strings.Repeat("A", 64) + `"`, false},
		{"a target of 4097 bytes", `/bin/fs`, "/" + long(4096), false},
		{"another protocol", `mcp-client.v1`, `mcp-client.v2`, false},
		{"an unknown member", `"id":"fs"`, `"id":"fs","env":{}`, false},
		{"too many bytes", `{"protocol`, strings.Repeat(" ", maxDescriptor) + `{"protocol`, false},
		{"a second value", `"max_result_bytes":1}`, `"max_result_bytes":1}{}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(stdioDescriptor, tt.old) {
				t.Fatalf("%q does not stand in the descriptor", tt.old)
			}
			_, err := ParseDescriptor([]byte(strings.Replace(stdioDescriptor, tt.old, tt.new, 1)))
			if (err == nil) != tt.accept {
				t.Errorf("accepted is %v, want %v: %v", err == nil, tt.accept, err)
			}
		})
	}
}

func TestSnapshotFingerprint(t *testing.T) {
	s, err := ParseSnapshot([]byte(`{"protocol_version":"2025-06-18","server_name":"s","server_version":"1","negotiated":["tools","prompts"],` +
		`"tools":[{"name":"b","input_schema":{"type":"object"}},{"name":"a","description":"<x>","input_schema":{}}],"resources":null,"prompts":[{"name":"p"}],"fingerprint":"x","discovered_at":"2026-01-01T00:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	form := `{"protocol_version":"2025-06-18","server_name":"s","server_version":"1","negotiated":["prompts","tools"],` +
		`"tools":[{"name":"a","description":"\u003cx\u003e","input_schema":{}},{"name":"b","input_schema":{"type":"object"}}],"resources":null,"prompts":[{"name":"p"}],"fingerprint":"","discovered_at":"0001-01-01T00:00:00Z"}`
	if got := s.Compute(); got != sum([]byte(form)) {
		t.Errorf("%s is not the digest of %s", got, form)
	}
	if s.Tools[0].Name != "b" || s.Fingerprint != "x" {
		t.Error("the fingerprint has changed the snapshot")
	}
}

// inputSchemas are schemas and whether a host takes them.
var inputSchemas = map[string]bool{
	`{}`: true, `{"type":"object"}`: true, `{"type":"string"}`: false, `{"type":["object","null"]}`: true, `{"type":7}`: true, `[]`: false, `null`: true, `7`: false, `{`: false, ``: false,
	`{} {}`: false, `{"$ref":"#/x"}`: true, `{"a":[{"$ref":"#"}]}`: true, `{"$ref":"x.json#/x"}`: false, `{"$ref":7}`: false, `{"properties":{"$ref":{}}}`: false,
	`{"default":{"$ref":"file:///etc/passwd"}}`: false, `{"$recursiveRef":"#"}`: true, `{"$dynamicRef":"#x"}`: false, `{"a":{"$dynamicAnything":1}}`: false,
	`{"$id":"https://e.example/x"}`: true, "{\"a\":\"\xff\"}": false,
}

func TestInputSchema(t *testing.T) {
	for schema, want := range inputSchemas {
		if err := InputSchema([]byte(schema)); (err == nil) != want {
			t.Errorf("%s: %v, want accepted %v", schema, err, want)
		}
	}
	for lists, want := range map[int]bool{64: true, 65: false} {
		schema := `{"a":` + strings.Repeat("[", lists) + strings.Repeat("]", lists) + "}"
		if got := InputSchema([]byte(schema)) == nil; got != want {
			t.Errorf("%d lists: accepted %v, want %v", lists, got, want)
		}
	}
}

// FuzzInputSchema wants no panic, and one JSON value of what is accepted.
func FuzzInputSchema(f *testing.F) {
	for schema := range inputSchemas {
		f.Add([]byte(schema))
	}
	f.Add([]byte(strings.Repeat(`{"a":[`, 20000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if InputSchema(data) == nil && !json.Valid(data) {
			t.Errorf("accepted: %q", data)
		}
	})
}

// FuzzDescriptor wants no panic, and a fingerprint that does not depend on white
// space or on the order of capabilities.
func FuzzDescriptor(f *testing.F) {
	f.Add([]byte(stdioDescriptor))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseDescriptor(data)
		if err != nil {
			return
		}
		again, err := ParseDescriptor([]byte(marshalled(d)))
		if err != nil || again.Fingerprint() != d.Fingerprint() || !digest(d.Fingerprint()) {
			t.Errorf("%v: %q", err, data)
		}
	})
}
