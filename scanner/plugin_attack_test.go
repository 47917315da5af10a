package scanner

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// repacked holds the same entries in other bytes.
func repacked(t testing.TB, archive []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range r.File {
		h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate}
		h.SetMode(0o644)
		to, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		from, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(to, from); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// handMade is a lock with something changed by hand.
func handMade(p *lockfile.Plugin, edit func(*lockfile.Plugin)) *lockfile.Plugin {
	out := *p
	out.Places, out.Versions = slices.Clone(p.Places), slices.Clone(p.Versions)
	edit(&out)
	return &out
}

// undeclared is a tree without its declarations.
func undeclared(tree fstest.MapFS, trusted string) fstest.MapFS {
	out := maps.Clone(tree)
	out[PolicyFile] = &fstest.MapFile{Data: []byte("publishers: {trusted: [\"" + trusted + "\"]}\n"), Mode: 0o644}
	return out
}

// TestPluginAttacks are changes that want an approval which nobody gave, or that a
// revocation is forgotten. Each is told by a rule that a merge needs a reviewer for.
func TestPluginAttacks(t *testing.T) {
	signed, next, plain, plainNext := pack(t, "1.0.0", "example", 1, nil), pack(t, "1.1.0", "example", 1, nil), pack(t, "1.0.0", "example", 0, nil), pack(t, "1.1.0", "example", 0, nil)
	server := map[string]any{"capabilities": []string{"hooks", "mcp_servers"}, "mcp_servers": []any{map[string]any{"id": "local", "name": "Local", "transport": "stdio", "target": "/usr/local/bin/notes",
		"arguments": []string{}, "declared_capabilities": []string{"tools"}, "call_timeout_ms": 30000, "max_result_bytes": 65536}}}
	hostile, hostileNext := pack(t, "9.0.0", "example", 1, server), pack(t, "9.1.0", "example", 1, server)
	us := []string{keyOf(1)}
	tree := func(archive []byte, lock *lockfile.Plugin) fstest.MapFS { return side{archive, us, nil, lock}.tree(t) }
	approved := locked(t, lockfile.PluginApproved, false, signed)
	revokedNext := locked(t, lockfile.PluginRevoked, false, signed, next)
	state := func(p *lockfile.Plugin, archive []byte, s lockfile.PluginState) *lockfile.Plugin {
		return handMade(p, func(p *lockfile.Plugin) { p.From(notesAddress, "sha256:"+sumOf(string(archive))).State = s })
	}
	only := func(kinds ...string) *lockfile.Plugin {
		return handMade(locked(t, lockfile.PluginEnabled, false, signed), func(p *lockfile.Plugin) { p.Versions[0].Only = kinds })
	}
	named := func(p *lockfile.Plugin, name string) *lockfile.Plugin {
		return handMade(p, func(p *lockfile.Plugin) { p.Name = name })
	}
	withoutLock := func(f fstest.MapFS) fstest.MapFS {
		f = maps.Clone(f)
		delete(f, PluginDir+"/notes.lock.json")
		return f
	}
	staged := state(locked(t, lockfile.PluginStaged, false, signed, hostile), signed, lockfile.PluginApproved)
	for name, c := range map[string]struct {
		anchor, head fstest.MapFS
		serves       []byte
		want         string
	}{
		"a lock that revokes is deleted":       {undeclared(tree(signed, revokedNext), us[0]), undeclared(withoutLock(tree(signed, nil)), us[0]), signed, "lock/review-changed"},
		"and its file taken by another plugin": {undeclared(tree(signed, revokedNext), us[0]), undeclared(tree(signed, named(approved, "other")), us[0]), signed, "lock/review-changed"},
		"a revoked package in a twin's lock":   {tree(signed, locked(t, lockfile.PluginRevoked, false, signed)), tree(signed, named(approved, "Notes")), signed, "plugin/barred"},
		"a revoked package in other bytes":     {tree(signed, locked(t, lockfile.PluginRevoked, false, signed)), tree(repacked(t, signed), locked(t, lockfile.PluginApproved, false, repacked(t, signed))), repacked(t, signed), "plugin/barred"},
		"more kinds of an enabled version":     {tree(signed, only("hooks")), tree(signed, only()), signed, "lock/review-changed"},
		"a confirmation of another package":    {tree(plain, locked(t, lockfile.PluginApproved, true, plain)), tree(plainNext, handMade(locked(t, lockfile.PluginApproved, true, plain, plainNext), func(p *lockfile.Plugin) { p.Versions[0].ConfirmUntrusted = true })), plainNext, "plugin/untrusted-confirmed"},
		"held against what was staged before": {tree(signed, staged), tree(hostileNext, handMade(staged, func(p *lockfile.Plugin) {
			*p = p.With(locked(t, lockfile.PluginApproved, false, hostileNext).Versions[0])
		})), hostileNext, "plugin/executes"},
		"a staged version is declared":           {tree(signed, staged), tree(hostile, state(staged, hostile, lockfile.PluginApproved)), hostile, "lock/review-changed"},
		"revoked to staged, beside the declared": {tree(signed, revokedNext), tree(signed, state(revokedNext, next, lockfile.PluginStaged)), signed, "lock/review-changed"},
		"revoked to disabled":                    {tree(signed, revokedNext), tree(signed, state(revokedNext, next, lockfile.PluginDisabled)), signed, "lock/review-changed"},
		"disabled to rolled back":                {tree(signed, state(revokedNext, next, lockfile.PluginDisabled)), tree(signed, state(revokedNext, next, lockfile.PluginRolledBack)), signed, "lock/review-changed"},
	} {
		t.Run(name, func(t *testing.T) {
			anchor := Anchor{Kind: "base", FS: c.anchor, Change: true}
			outcome, rules, target := judgedChange(t, Options{Head: c.head, Plugins: hosted{notesAddress: c.serves}, Anchor: anchor})
			if !slices.Contains(rules, c.want) || outcome != finding.Escalation || target.Status == finding.Verified {
				t.Errorf("outcome %s, status %s, %v without %s", outcome, target.Status, rules, c.want)
			}
		})
	}
}

// TestDiffTellsOfLostRevocations: what a reviewer reads says so too.
func TestDiffTellsOfLostRevocations(t *testing.T) {
	signed := pack(t, "1.0.0", "example", 1, nil)
	revoked := PluginLock{File: "a.lock.json", Plugin: *locked(t, lockfile.PluginRevoked, false, signed)}
	other := PluginLock{File: "a.lock.json", Plugin: *handMade(locked(t, lockfile.PluginApproved, false, signed), func(p *lockfile.Plugin) { p.Name = "other" })}
	for name, now := range map[string][]PluginLock{"deleted": nil, "another plugin's": {other}} {
		r := DiffPlugins(finding.Report{}, []PluginLock{revoked}, now)
		if !slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Rule == "lock/review-changed" && f.Level == finding.Error }) {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
}
