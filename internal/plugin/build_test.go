package plugin

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io/fs"
	"testing"
)

// piece is one entry of an archive that a test makes.
type piece struct {
	name    string
	content []byte
	mode    fs.FileMode // 0644 where it is zero
	store   bool
}

// built is a plugin that a test makes: a manifest, its files, and the key that
// signs it.
type built struct {
	manifest map[string]any
	files    []piece
	key      ed25519.PrivateKey
	sign     func(map[string]any)  // changes SIGNATURE.json
	raw      func([]byte) []byte   // changes plugin.json as it is written
	pieces   func([]piece) []piece // changes the entries before they are packed
}

// testKey is a key of these tests alone.
func testKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

const skillText = "# Notes\n\nRead the notes before you answer.\n"

// plain is a plugin with a skill and a document.
func plain() *built {
	b := &built{manifest: map[string]any{
		"protocol_version": "plugin.v1", "id": "notes", "name": "Notes", "version": "1.2.3", "publisher": "example.publisher",
		"description": "Keeps notes.", "capabilities": []string{"skills"},
		"skills": []any{map[string]any{"name": "notes", "manifest_path": "skills/notes/manifest.json", "content_path": "skills/notes/SKILL.md"}},
	}}
	b.skill(nil, skillText)
	b.file("docs/readme.md", "# Readme\n")
	return b
}

// skill adds the two files of the skill notes, its manifest changed.
func (b *built) skill(change map[string]any, text string) *built {
	sum := sha256.Sum256([]byte(text))
	m := map[string]any{
		"protocol": "skill.v1", "name": "notes", "version": "1.0.0", "description": "Reads notes.", "profiles": []string{"code"},
		"tool_dependencies": []string{"read_file"}, "content_path": "SKILL.md", "content_sha256": hex.EncodeToString(sum[:]),
		"content_bytes": len(text), "content_token_upper_bound": len(text),
	}
	for k, v := range change {
		m[k] = v
	}
	b.file("skills/notes/manifest.json", marshalled(m))
	return b.file("skills/notes/SKILL.md", text)
}

// full is a plugin with one of everything.
func full() *built {
	b := plain()
	b.manifest["capabilities"] = []string{"skills", "mcp_servers", "ui_metadata", "hooks"}
	b.manifest["mcp_servers"] = []any{server(nil), map[string]any{
		"id": "remote", "name": "Remote", "transport": "streamable_http", "target": "https://mcp.example/api", "credential_ref": "notes_1",
		"declared_capabilities": []string{"tools"}, "call_timeout_ms": 100, "max_result_bytes": 1}}
	b.manifest["ui_metadata"] = map[string]any{"display_name": "Notes", "icon_path": "ui/icon.png"}
	b.manifest["hooks"] = []any{hook(nil)}
	b.file("ui/icon.png", string(onePixel()))
	b.file("ui/theme.json", `{"accent": "#0af"}`)
	return b
}

func server(change map[string]any) map[string]any {
	return changed(map[string]any{
		"id": "local", "name": "Local", "transport": "stdio", "target": "/usr/local/bin/notes", "arguments": []string{"--root", "/srv"},
		"declared_capabilities": []string{"tools"}, "call_timeout_ms": 30000, "max_result_bytes": 65536}, change)
}

func hook(change map[string]any) map[string]any {
	return changed(map[string]any{
		"protocol_version": "restricted-hooks.v1", "id": "no-write", "event": "pre_tool", "action": "deny", "failure_policy": "deny",
		"timeout_ms": 100, "tool_names": []string{"replace_file"}, "message": "Notes are read alone."}, change)
}

// changed sets members, or takes those away whose value is nil.
func changed(m, change map[string]any) map[string]any {
	for k, v := range change {
		if m[k] = v; v == nil {
			delete(m, k)
		}
	}
	return m
}

// file adds or replaces a file.
func (b *built) file(name, content string) *built {
	for i := range b.files {
		if b.files[i].name == name {
			b.files[i].content = []byte(content)
			return b
		}
	}
	b.files = append(b.files, piece{name: name, content: []byte(content)})
	return b
}

// set changes members of the manifest.
func (b *built) set(change map[string]any) *built {
	changed(b.manifest, change)
	return b
}

// list is the manifest's list of files.
func (b *built) list() []any {
	files := []any{}
	for _, f := range b.files {
		sum := sha256.Sum256(f.content)
		files = append(files, map[string]any{"path": f.name, "sha256": hex.EncodeToString(sum[:]), "bytes": len(f.content)})
	}
	return files
}

// listed fixes the list of files and returns it as the fingerprint takes it.
func (b *built) listed() []File {
	b.manifest["files"] = b.list()
	var files []File
	for _, f := range b.files {
		files = append(files, File{f.name, sum(f.content), len(f.content)})
	}
	return files
}

// entries are what the archive holds.
func (b *built) entries() []piece {
	if _, ok := b.manifest["files"]; !ok {
		b.manifest["files"] = b.list()
	}
	manifest := []byte(marshalled(b.manifest))
	if b.raw != nil {
		manifest = b.raw(manifest)
	}
	out := append([]piece{{name: "plugin.json", content: manifest}}, b.files...)
	if b.key != nil {
		out = append(out, piece{name: "SIGNATURE.json", content: b.signature(manifest)})
	}
	if b.pieces != nil {
		out = b.pieces(out)
	}
	return out
}

func (b *built) signature(manifest []byte) []byte {
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		panic(err)
	}
	s := map[string]any{
		"protocol_version": "plugin-signature.v1", "publisher": m.Publisher, "algorithm": "ed25519", "signed_at": "2026-01-02T03:04:05Z",
		"public_key": base64.StdEncoding.EncodeToString(b.key.Public().(ed25519.PublicKey)),
		"signature":  base64.StdEncoding.EncodeToString(ed25519.Sign(b.key, []byte(packageFingerprint(manifest, m.Files)))),
	}
	if b.sign != nil {
		b.sign(s)
	}
	return []byte(marshalled(s))
}

func (b *built) zip() []byte { return packed(b.entries()) }

// packed is a ZIP whose sizes stand in the headers and nowhere else.
func packed(entries []piece) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(e.content), UncompressedSize64: uint64(len(e.content))}
		if e.mode == 0 {
			e.mode = 0o644
		}
		h.SetMode(e.mode)
		raw := e.content
		if e.store {
			h.Method = zip.Store
		} else {
			raw = deflated(e.content)
		}
		h.CompressedSize64 = uint64(len(raw))
		f, err := w.CreateRaw(h)
		if err == nil {
			_, err = f.Write(raw)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func marshalled(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// TestBuilt: what the generator makes is accepted, with nothing to doubt.
func TestBuilt(t *testing.T) {
	for name, b := range map[string]*built{"plain": plain(), "full": full()} {
		for _, signed := range []bool{false, true} {
			if signed {
				b.key = testKey()
			}
			p := Read(b.zip())
			if p.Rejected != nil || len(p.Doubts) > 0 {
				t.Fatalf("%s, signed %v: %v %v", name, signed, p.Rejected, p.Doubts)
			}
			key := sha256.Sum256(testKey().Public().(ed25519.PublicKey))
			want := map[bool]string{true: hex.EncodeToString(key[:])}[signed]
			if p.Signed != signed || p.Valid != signed || p.Publisher != want || p.Manifest.ID != "notes" || !digest(p.Fingerprint) {
				t.Errorf("%s, signed %v: %+v", name, signed, p)
			}
		}
	}
}
