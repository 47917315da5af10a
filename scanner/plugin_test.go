package scanner

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// pack is a plugin.v1 archive of a version, with a document, signed by the key of a
// seed unless that is zero.
func pack(t testing.TB, version, publisher string, seed byte, more map[string]any) []byte {
	t.Helper()
	text := "# Notes " + version
	m := map[string]any{"protocol_version": "plugin.v1", "id": "notes", "name": "Notes", "version": version, "publisher": publisher, "description": "Keeps notes.",
		"capabilities": []string{"hooks"}, "files": []any{map[string]any{"path": "docs/a.md", "sha256": sumOf(text), "bytes": len(text)}},
		"hooks": []any{map[string]any{"protocol_version": "restricted-hooks.v1", "id": "h", "event": "pre_tool", "action": "deny", "failure_policy": "deny", "timeout_ms": 100, "message": "No."}}}
	for name, value := range more {
		m[name] = value
	}
	manifest := jsonText(t, m)
	entries := [][2]string{{"plugin.json", manifest}, {"docs/a.md", text}}
	if seed > 0 {
		raw := sha256.Sum256([]byte(manifest))
		print := sumOf(fmt.Sprintf("plugin.v1\x00%s%s\x00%s\x00%d\x00", raw[:], "docs/a.md", sumOf(text), len(text)))
		key := signer(seed)
		entries = append(entries, [2]string{"SIGNATURE.json", jsonText(t, map[string]any{"protocol_version": "plugin-signature.v1", "publisher": publisher, "algorithm": "ed25519",
			"public_key": base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey)), "signature": base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(print)))})})
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e[0], Method: zip.Store}
		h.SetMode(0o644)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(e[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func signer(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

// keyOf is the fingerprint by which a policy knows a signer.
func keyOf(seed byte) string { return sumOf(string(signer(seed).Public().(ed25519.PublicKey))) }

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func jsonText(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// hosted is where the archives of a test lie, by their address.
type hosted map[string][]byte

func (h hosted) Get(_ context.Context, p policy.Plugin) (PluginBytes, error) {
	data, ok := h[p.URL]
	if !ok {
		return PluginBytes{}, errors.New("the host does not answer")
	}
	return PluginBytes{Archive: data}, nil
}

const notesAddress = "https://plugins.example/notes.zip"

// declaring is a policy that declares an archive and trusts and revokes keys.
func declaring(archive []byte, trusted, revoked []string) string {
	list := func(keys []string) string { return `["` + strings.Join(keys, `", "`) + `"]` }
	text := "plugins:\n  - {name: notes, url: \"" + notesAddress + "\", sha256: \"" + sumOf(string(archive)) + "\"}\npublishers:\n"
	if len(trusted) > 0 {
		text += "  trusted: " + list(trusted) + "\n"
	}
	if len(revoked) > 0 {
		text += "  revoked: " + list(revoked) + "\n"
	}
	return strings.TrimSuffix(text, "publishers:\n")
}

// side is one tree of a test: what it declares, whom it trusts, and its lock.
type side struct {
	archive          []byte
	trusted, revoked []string
	lock             *lockfile.Plugin
}

func (s side) tree(t testing.TB) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{PolicyFile: {Data: []byte(declaring(s.archive, s.trusted, s.revoked)), Mode: 0o644}}
	if s.lock == nil {
		return out
	}
	data, err := s.lock.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	out[PluginDir+"/notes.lock.json"] = &fstest.MapFile{Data: data, Mode: 0o644}
	return out
}

// locked is the lock of some archives, the last in a state, the others approved.
func locked(t testing.TB, state lockfile.PluginState, confirmed bool, archives ...[]byte) *lockfile.Plugin {
	t.Helper()
	p := lockfile.Plugin{Name: "notes", Places: []string{PolicyFile + "#/plugins/notes"}}
	for i, a := range archives {
		got := JudgePlugin(policy.Plugin{Name: "notes", URL: notesAddress, SHA256: sumOf(string(a)), At: finding.At(PolicyFile, 2, 5)}, PluginBytes{Archive: a}, policy.Publishers{})
		if got.Version == nil {
			t.Fatalf("%+v", got.Verdict)
		}
		if got.Version.Package != "sha256:"+got.Verdict.PackageFingerprint {
			t.Fatalf("the lock has the package %s, the archive %s", got.Version.Package, got.Verdict.PackageFingerprint)
		}
		v := *got.Version
		v.State = lockfile.PluginApproved
		if i == len(archives)-1 {
			v.State, v.ConfirmUntrusted = state, confirmed
		}
		p = p.With(v)
	}
	return &p
}

// judged is what a scan says of a change.
func judgedChange(t testing.TB, o Options) (finding.Outcome, []string, finding.Target) {
	t.Helper()
	o.Date, o.Live = "2026-01-01", LiveAll
	r, err := Scan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, f := range r.Findings {
		if strings.HasPrefix(f.Rule, "plugin/") || strings.HasPrefix(f.Rule, "lock/") || f.Rule == "check/undetermined" {
			rules = append(rules, f.Rule)
			if f.Location.IsZero() || f.Target == "" && f.Rule != "lock/invalid" {
				t.Errorf("%s without a place or target", f.Rule)
			}
		}
	}
	slices.Sort(rules)
	for _, target := range r.Targets {
		if target.Kind == "plugin" {
			return r.Outcome, slices.Compact(rules), target
		}
	}
	return r.Outcome, slices.Compact(rules), finding.Target{}
}

// TestPluginTrust is who may have signed what, in what state, and what changed since
// the anchor.
func TestPluginTrust(t *testing.T) {
	const ours, theirs = 1, 2
	signed, unsigned := pack(t, "1.0.0", "example", ours, nil), pack(t, "1.0.0", "example", 0, nil)
	foreign, other := pack(t, "1.0.0", "example", theirs, nil), pack(t, "1.1.0", "example", theirs, nil)
	next, renamed := pack(t, "1.1.0", "example", ours, nil), pack(t, "1.1.0", "another", ours, nil)
	us, both := []string{keyOf(ours)}, []string{keyOf(ours), keyOf(theirs)}
	approved := func(archives ...[]byte) *lockfile.Plugin {
		return locked(t, lockfile.PluginApproved, false, archives...)
	}
	confirmed := func(archives ...[]byte) *lockfile.Plugin {
		return locked(t, lockfile.PluginApproved, true, archives...)
	}
	state := func(s lockfile.PluginState) *side { return &side{signed, us, nil, locked(t, s, false, signed)} }
	for name, c := range map[string]struct {
		anchor *side
		head   *side // nil: as the anchor
		tip    *side
		serves []byte // nil: what is declared
		want   []string
		is     finding.Outcome
	}{
		"signed by a trusted key":     {anchor: &side{signed, us, nil, approved(signed)}},
		"not signed":                  {anchor: &side{unsigned, us, nil, approved(unsigned)}, want: []string{"plugin/untrusted"}, is: finding.Refused},
		"not signed, and confirmed":   {anchor: &side{unsigned, us, nil, confirmed(unsigned)}},
		"signed by an untrusted key":  {anchor: &side{foreign, us, nil, approved(foreign)}, want: []string{"plugin/untrusted"}, is: finding.Refused},
		"untrusted, and confirmed":    {anchor: &side{foreign, us, nil, confirmed(foreign)}},
		"revoked":                     {anchor: &side{signed, nil, us, approved(signed)}, want: []string{"plugin/publisher-revoked"}, is: finding.Escalation},
		"revoked, and confirmed":      {anchor: &side{signed, nil, us, confirmed(signed)}, want: []string{"plugin/publisher-revoked"}, is: finding.Escalation},
		"revoked at the tip alone":    {anchor: &side{signed, us, nil, approved(signed)}, tip: &side{signed, nil, us, nil}, want: []string{"plugin/publisher-revoked"}, is: finding.Escalation},
		"version revoked at the tip":  {anchor: &side{signed, us, nil, approved(signed)}, tip: state(lockfile.PluginRevoked), want: []string{"plugin/barred"}, is: finding.Escalation},
		"trusted by the head alone":   {anchor: &side{signed, nil, nil, approved(signed)}, head: &side{signed, us, nil, approved(signed)}, want: []string{"plugin/untrusted"}, is: finding.Escalation},
		"confirmed by the head alone": {anchor: &side{unsigned, nil, nil, approved(unsigned)}, head: &side{unsigned, nil, nil, confirmed(unsigned)}, want: []string{"plugin/untrusted-confirmed"}, is: finding.Escalation},

		"staged":                         {anchor: state(lockfile.PluginStaged), want: []string{"plugin/not-approved"}, is: finding.Refused},
		"enabled":                        {anchor: state(lockfile.PluginEnabled)},
		"disabled":                       {anchor: state(lockfile.PluginDisabled), want: []string{"plugin/barred"}, is: finding.Escalation},
		"rolled back":                    {anchor: state(lockfile.PluginRolledBack), want: []string{"plugin/not-approved"}, is: finding.Refused},
		"revoked version":                {anchor: state(lockfile.PluginRevoked), want: []string{"plugin/barred"}, is: finding.Escalation},
		"led out of revoked by the head": {anchor: state(lockfile.PluginRevoked), head: &side{signed, us, nil, approved(signed)}, want: []string{"plugin/barred"}, is: finding.Escalation},
		"approved by the head":           {anchor: state(lockfile.PluginStaged), head: &side{signed, us, nil, approved(signed)}, want: []string{"lock/review-changed"}, is: finding.Escalation},
		"revoked by the head":            {anchor: &side{signed, us, nil, approved(signed)}, head: state(lockfile.PluginRevoked), want: []string{"plugin/barred"}, is: finding.Escalation},

		"not sealed": {anchor: &side{signed, us, nil, nil}, want: []string{"plugin/not-sealed"}, is: finding.Refused},
		"new":        {anchor: &side{signed, us, nil, nil}, head: &side{signed, us, nil, approved(signed)}, want: []string{"plugin/new"}, is: finding.Escalation},
		"next version, read": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{next, us, nil, approved(signed, next)},
			want: []string{"plugin/changed-minor"}, is: finding.Escalation}, // the policy is a gate
		"next version, not served": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{next, us, nil, approved(signed, next)}, serves: []byte{},
			want: []string{"check/undetermined", "plugin/changed"}, is: finding.Escalation},
		"next version, other bytes served": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{next, us, nil, approved(signed, next)}, serves: renamed,
			want: []string{"plugin/changed", "plugin/digest-mismatch"}, is: finding.Escalation},
		"key changed": {anchor: &side{signed, both, nil, approved(signed)}, head: &side{other, both, nil, approved(signed, other)},
			want: []string{"plugin/changed-minor", "plugin/signature-changed"}, is: finding.Escalation},
		"publisher renamed": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{renamed, us, nil, approved(signed, renamed)},
			want: []string{"plugin/changed-minor", "plugin/signature-changed-minor"}, is: finding.Escalation},
		"signature stripped": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{unsigned, us, nil, confirmed(signed, unsigned)},
			want: []string{"plugin/changed-minor", "plugin/signature-changed", "plugin/untrusted-confirmed"}, is: finding.Escalation},
		"replayed without its signature": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{unsigned, us, nil, approved(signed)},
			want: []string{"plugin/changed"}, is: finding.Escalation},
		"approved unseen beside the declared one": {anchor: &side{signed, us, nil, approved(signed)}, head: &side{signed, us, nil, locked(t, lockfile.PluginApproved, false, next, signed)},
			want: []string{"plugin/changed"}, is: finding.Escalation},
		"a revoked version forgotten": {anchor: &side{signed, us, nil, locked(t, lockfile.PluginRevoked, false, signed, next)}, head: &side{signed, us, nil, approved(signed)},
			want: []string{"lock/review-changed"}, is: finding.Escalation},
	} {
		t.Run(name, func(t *testing.T) {
			head := c.head
			if head == nil {
				head = c.anchor
			}
			served := c.serves
			if served == nil {
				served = head.archive
			}
			o := Options{Head: head.tree(t), Plugins: hosted{notesAddress: served}, Anchor: Anchor{Kind: "head", FS: c.anchor.tree(t)}}
			if len(served) == 0 {
				o.Plugins = hosted{}
			}
			o.Anchor.Change = c.head != nil
			if c.tip != nil {
				o.Tip = c.tip.tree(t)
			}
			got, rules, target := judgedChange(t, o)
			if diff := cmp.Diff(c.want, rules); diff != "" {
				t.Error(diff)
			}
			if len(c.want) == 0 {
				c.is = finding.Clean
			}
			if got != c.is {
				t.Errorf("outcome %s, want %s", got, c.is)
			}
			if (target.Status == finding.Verified) != (len(c.want) == 0) {
				t.Errorf("status %s with %v", target.Status, rules)
			}
		})
	}
}

// TestPluginReview is every action from every state.
func TestPluginReview(t *testing.T) {
	signed, next := pack(t, "1.0.0", "example", 1, nil), pack(t, "1.1.0", "example", 1, nil)
	trust := policy.Publishers{Trusted: []string{keyOf(1)}}
	want := map[string]map[lockfile.PluginState]lockfile.PluginState{
		"approve":  {"staged": "approved", "approved": "approved", "enabled": "enabled", "rolled-back": "approved"},
		"enable":   {"approved": "enabled", "disabled": "enabled", "enabled": "enabled"},
		"disable":  {"staged": "disabled", "approved": "disabled", "enabled": "disabled", "disabled": "disabled"},
		"revoke":   {"staged": "revoked", "approved": "revoked", "enabled": "revoked", "disabled": "revoked", "rolled-back": "revoked", "revoked": "revoked"},
		"rollback": {"approved": "enabled", "rolled-back": "enabled"},
	}
	for action, moves := range want {
		for _, from := range []lockfile.PluginState{"staged", "approved", "enabled", "disabled", "rolled-back", "revoked"} {
			target := targetOf(t, signed, locked(t, from, false, next, signed))
			v := target.version()
			after, refused := target.Review(PluginReview{Action: action, Package: v.Package, By: "me"}, trust)
			to, ok := moves[from]
			if ok != (refused == "") {
				t.Errorf("%s from %s: %q", action, from, refused)
			}
			if ok && (after.From(v.Source, v.Pin).State != to || after.From(v.Source, v.Pin).By != "me") {
				t.Errorf("%s from %s leads to %+v, want %s", action, from, after.From(v.Source, v.Pin).State, to)
			}
			if ok {
				believed(t, after)
			}
		}
	}
}

func believed(t *testing.T, p lockfile.Plugin) {
	t.Helper()
	data, err := p.Bytes()
	if err == nil {
		_, err = lockfile.ParsePlugin(data)
	}
	if err != nil {
		t.Errorf("the lock after a review is not believed: %v", err)
	}
}

func targetOf(t *testing.T, archive []byte, lock *lockfile.Plugin) PluginTarget {
	t.Helper()
	p, found := policy.Parse([]byte(declaring(archive, nil, nil)), policy.File)
	if len(found) > 0 {
		t.Fatal(found)
	}
	data, err := lock.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return PluginTarget{Name: "notes", Declared: &p.Plugins[0], Lock: &PluginLock{File: PluginDir + "/notes.lock.json", Plugin: *lock, data: data}}
}

// TestPluginUpgrade: who upgrades or rolls back names both versions, and exactly one
// is enabled before and after.
func TestPluginUpgrade(t *testing.T) {
	first, second := pack(t, "1.0.0", "example", 1, nil), pack(t, "1.1.0", "example", 1, nil)
	trust := policy.Publishers{Trusted: []string{keyOf(1)}}
	lock := locked(t, lockfile.PluginEnabled, false, second, first)
	old, next := lock.Versions[0].Package, lock.Versions[1].Package
	target := targetOf(t, second, lock)
	for name, d := range map[string]PluginReview{
		"neither named":          {Action: "enable"},
		"the new alone":          {Action: "enable", Package: next},
		"the old alone":          {Action: "enable", Replaces: old},
		"another old one":        {Action: "enable", Package: next, Replaces: next},
		"too few digits":         {Action: "enable", Package: next, Replaces: old[:len("sha256:")+11]},
		"rolled back to nothing": {Action: "rollback", Replaces: old},
		"no such version":        {Action: "enable", Package: strings.Repeat("0", 64), Replaces: old},
	} {
		if _, refused := target.Review(d, trust); refused == "" {
			t.Errorf("%s: not refused", name)
		}
	}
	upgraded, refused := target.Review(PluginReview{Action: "enable", Package: next, Replaces: old}, trust)
	if refused != "" || upgraded.Versions[0].State != lockfile.PluginRolledBack || upgraded.Versions[1].State != lockfile.PluginEnabled {
		t.Fatalf("%q %v", refused, states(upgraded))
	}
	believed(t, upgraded)
	target = targetOf(t, second, &upgraded)
	if _, refused := target.Review(PluginReview{Action: "rollback", Package: old}, trust); refused == "" {
		t.Error("a rollback that does not name what it replaces is not refused")
	}
	back, refused := target.Review(PluginReview{Action: "rollback", Package: old, Replaces: next}, trust)
	if refused != "" || back.Versions[0].State != lockfile.PluginEnabled || back.Versions[1].State != lockfile.PluginRolledBack {
		t.Fatalf("%q %v", refused, states(back))
	}
	for name, who := range map[string]policy.Publishers{"untrusted": {}, "revoked": {Revoked: []string{keyOf(1)}}} {
		for _, action := range []string{"approve", "enable", "rollback"} {
			d := PluginReview{Action: action, Package: next, Replaces: old, ConfirmUntrusted: name == "revoked"}
			if _, refused := targetOf(t, second, lock).Review(d, who); refused == "" {
				t.Errorf("%s by a publisher that is %s: not refused", action, name)
			}
		}
	}
}

// TestPluginTwins are a signed archive and the same without its signature, which
// have one fingerprint: neither stands for the other.
func TestPluginTwins(t *testing.T) {
	signed, plain := pack(t, "1.0.0", "example", 1, nil), pack(t, "1.0.0", "example", 0, nil)
	next := pack(t, "1.1.0", "example", 1, nil)
	lock := locked(t, lockfile.PluginApproved, false, plain, signed)
	target, trust := targetOf(t, next, lock), policy.Publishers{Trusted: []string{keyOf(1)}}
	if lock.Versions[0].Package != lock.Versions[1].Package {
		t.Fatal("they are no twins")
	}
	if _, refused := target.Review(PluginReview{Action: "enable", Package: lock.Versions[0].Package}, trust); !strings.Contains(refused, "signature valid") || !strings.Contains(refused, "signature none") {
		t.Errorf("one of two is taken: %q", refused)
	}
	for _, v := range lock.Versions {
		after, refused := target.Review(PluginReview{Action: "enable", Package: v.Archive}, trust)
		if (refused == "") != (v.Signature.State == lockfile.SignatureValid) {
			t.Errorf("signature %s: %q", v.Signature.State, refused)
		}
		if refused == "" && (after.Enabled() == nil || after.Enabled().Archive != v.Archive) {
			t.Error("another one was enabled")
		}
	}
}

func states(p lockfile.Plugin) []lockfile.PluginState {
	var out []lockfile.PluginState
	for _, v := range p.Versions {
		out = append(out, v.State)
	}
	return out
}

// TestPluginOnly enables some kinds, and only those that are there.
func TestPluginOnly(t *testing.T) {
	signed := pack(t, "1.0.0", "example", 1, nil)
	target, trust := targetOf(t, signed, locked(t, lockfile.PluginApproved, false, signed)), policy.Publishers{Trusted: []string{keyOf(1)}}
	if after, refused := target.Review(PluginReview{Action: "enable", Only: []string{"hooks"}}, trust); refused != "" || !slices.Equal(after.Versions[0].Only, []string{"hooks"}) {
		t.Errorf("%q %v", refused, after.Versions)
	}
	if _, refused := target.Review(PluginReview{Action: "enable", Only: []string{"skills"}}, trust); refused == "" {
		t.Error("a kind that is not there is enabled")
	}
}

// TestPluginLockIsOne: of two locks of one plugin none is believed after the first.
func TestPluginLockIsOne(t *testing.T) {
	signed := pack(t, "1.0.0", "example", 1, nil)
	tree := side{archive: signed, lock: locked(t, lockfile.PluginApproved, false, signed)}.tree(t)
	tree[PluginDir+"/second.lock.json"] = tree[PluginDir+"/notes.lock.json"]
	locks, err := LoadPluginLocks(tree, PluginDir)
	if err != nil || len(locks) != 2 || locks[0].Invalid != nil || locks[1].Invalid == nil {
		t.Errorf("%+v, %v", locks, err)
	}
}

// TestBroughtServers: the servers of a plugin are targets of their own, and not
// approved by the plugin's lock.
func TestBroughtServers(t *testing.T) {
	with := pack(t, "1.0.0", "example", 1, map[string]any{"capabilities": []string{"hooks", "mcp_servers"}, "mcp_servers": []any{
		map[string]any{"id": "local", "name": "Local", "transport": "stdio", "target": "/usr/local/bin/notes", "arguments": []string{"--root", "/srv"}, "declared_capabilities": []string{"tools"}, "call_timeout_ms": 30000, "max_result_bytes": 65536},
		map[string]any{"id": "far", "name": "Far", "transport": "streamable_http", "target": "https://mcp.example/notes", "declared_capabilities": []string{"tools"}, "call_timeout_ms": 30000, "max_result_bytes": 65536},
		map[string]any{"id": "odd", "name": "Odd", "transport": "stdio", "target": "/usr/local/bin/odd", "arguments": []string{"--github-token=s3ntinel-Kq8wZr4Tn1Vb7Xd9Lp5"}, "declared_capabilities": []string{"tools"}, "call_timeout_ms": 30000, "max_result_bytes": 65536},
	}})
	s := side{with, []string{keyOf(1)}, nil, locked(t, lockfile.PluginApproved, false, with)}
	r, err := Load(s.tree(t))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, target := range r.Targets {
		got[target.Name] = fmt.Sprint(target.Understood(), " ", strings.Join(target.Command(), " "))
	}
	want := map[string]string{"notes/local": "true /usr/local/bin/notes --root /srv", "notes/far": "true https://mcp.example/notes", "notes/odd": "false /usr/local/bin/odd --github-token=***"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	outcome, _, target := judgedChange(t, Options{Head: s.tree(t), Plugins: hosted{notesAddress: with}, Anchor: Anchor{Kind: "head", FS: s.tree(t)}})
	if outcome != finding.Refused || target.Status != finding.Verified {
		t.Errorf("outcome %s, the plugin is %s", outcome, target.Status)
	}
}

// TestFolderVersion locks a plugin that is a folder: other bytes, another package.
func TestFolderVersion(t *testing.T) {
	files := fstest.MapFS{"SKILL.md": {Data: []byte("Read.")}, "a/b.md": {Data: []byte("b")}}
	o := PluginOrigin{"git+https://git.example/a#b", "commit:" + strings.Repeat("1", 40)}
	c := PluginContents{Version: "1.0.0", Skills: []lockfile.PluginSkill{{Name: "a", Text: []string{"Read."}}}}
	v, err := NewFolderVersion(o, "sha256:"+strings.Repeat("2", 64), files, c)
	if err != nil {
		t.Fatal(err)
	}
	believed(t, lockfile.Plugin{Name: "a"}.With(v))
	files["a/b.md"].Data = []byte("c")
	if w, err := NewFolderVersion(o, "sha256:"+strings.Repeat("2", 64), files, c); err != nil || w.Package == v.Package {
		t.Errorf("other bytes have the same package: %v", err)
	}
	files["link"] = &fstest.MapFile{Mode: 0o777 | 1<<27}
	if _, err := NewFolderVersion(o, "", files, c); err == nil {
		t.Error("a link is taken")
	}
}
