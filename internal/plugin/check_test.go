package plugin

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/toolwarrant/toolwarrant/finding"
)

func check(t testing.TB, data []byte, o Options) finding.Plugin {
	t.Helper()
	v, err := Check(bytes.NewReader(data), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFlips: whatever byte of an accepted archive is changed, the pin of the
// archive does not hold, and nothing of it is read.
func TestFlips(t *testing.T) {
	b := full()
	b.key = testKey()
	data := b.zip()
	pin := sum(data)
	if v := check(t, data, Options{File: "a.zip", Pin: strings.ToUpper(pin), Strict: true}); v.Verdict != finding.Accepted || !v.Signature.Valid {
		t.Fatalf("the archive itself: %+v", v)
	}
	for at := range data {
		changed := bytes.Clone(data)
		changed[at] ^= 1 << (at % 8)
		v := check(t, changed, Options{File: "a.zip", Pin: pin})
		if v.Verdict != finding.Rejected || v.Findings[0].Rule != ruleDigest.ID || v.ID != "" || len(v.Inventory) > 0 {
			t.Fatalf("byte %d: %+v", at, v)
		}
	}
}

// TestFlippedContents: no byte of a packed file, its name or the manifest can be
// changed so that a signed package stays accepted with another content.
func TestFlippedContents(t *testing.T) {
	b := full()
	b.key = testKey()
	data := b.zip()
	want := Read(data)
	for at := range data {
		changed := bytes.Clone(data)
		changed[at] ^= 1 << (at % 8)
		p := Read(changed)
		if p.Rejected != nil {
			continue
		}
		if p.Fingerprint != want.Fingerprint || p.Publisher != want.Publisher || !p.Valid {
			t.Errorf("byte %d: accepted as another package: %+v", at, p)
		}
	}
}

func TestInventory(t *testing.T) {
	b := full().skill(nil, "# Notes\n\nNow: !`git status`\n\n```!\nuname -a\nid\n```\n\nNot `!code`, and not a!`b`.\n")
	v := check(t, b.zip(), Options{File: "a.zip"})
	var got []string
	for _, i := range v.Inventory {
		got = append(got, i.Kind+" "+i.Place+" "+strings.Join(i.Text, "|"))
		if !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(i.Digest) {
			t.Errorf("%s has the digest %q", i.Place, i.Digest)
		}
	}
	want := []string{
		"mcp-server plugin.json#/mcp_servers/0 /usr/local/bin/notes|--root|/srv",
		"mcp-remote plugin.json#/mcp_servers/1 https://mcp.example/api|credential notes_1",
		"hook plugin.json#/hooks/0 deny at pre_tool of replace_file|Notes are read alone.",
		"skill skills/notes/SKILL.md Reads notes.|read_file",
		"skill-command skills/notes/SKILL.md git status",
		"skill-command skills/notes/SKILL.md uname -a\nid",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSecretsAreNotShown: not in the inventory, and not in what is told.
func TestSecretsAreNotShown(t *testing.T) {
	const token = "ghp_Kq8wZr4Tn1Vb7Xd9Lp5Kq8wZr4Tn1Vb7Xd9L"
	for _, change := range []func(*built){
		serving("arguments", []string{"--github-token=" + token}), serving("arguments", []string{"--header", "X: " + token}), serving("id", token+"/"),
		hooking(map[string]any{"message": "use " + token}), setting("capabilities", []string{token}), setting("description", token+"\u202e"),
	} {
		b := full()
		change(b)
		v := check(t, b.zip(), Options{File: "a.zip"})
		if text := marshalled(v); strings.Contains(text, token) {
			t.Errorf("it is shown: %s", text)
		}
	}
}

// TestCommit: a commit that no branch or tag leads to rejects what lies in it; one of
// which nobody knows is told of, and rejects where doubts do.
func TestCommit(t *testing.T) {
	for _, tt := range []struct {
		reach  finding.Reach
		strict bool
		want   finding.PluginVerdict
		rules  []string
	}{
		{finding.Reached, true, finding.Accepted, nil},
		{finding.Unreached, false, finding.Rejected, []string{"plugin/commit-stray"}},
		{finding.Unknown, false, finding.Accepted, []string{"plugin/commit-unplaced"}},
		{finding.Unknown, true, finding.Rejected, []string{"plugin/commit-unplaced"}},
		{"", false, finding.Accepted, []string{"plugin/commit-unplaced"}},
	} {
		v := check(t, plain().zip(), Options{File: "a.zip", Strict: tt.strict, Source: &finding.PluginSource{Commit: strings.Repeat("1", 40), Reach: tt.reach}})
		var rules []string
		for _, f := range v.Findings {
			rules = append(rules, f.Rule)
		}
		if v.Verdict != tt.want || !slices.Equal(rules, tt.rules) {
			t.Errorf("%q, strict %v: %q by %v", tt.reach, tt.strict, v.Verdict, rules)
		}
	}
}

// TestReading: an archive that is too large is not read to its end, and the
// error of a reader is no verdict.
func TestReading(t *testing.T) {
	large := &endless{}
	v, err := Check(large, Options{File: "a.zip"})
	if err != nil || v.Verdict != finding.Rejected || v.ArchiveSHA256 != "" || large.n > MaxArchive+1<<20 {
		t.Errorf("%+v, %v, %d bytes were read", v, err, large.n)
	}
	broken := errors.New("broken")
	if _, err := Check(iotest.ErrReader(broken), Options{File: "a.zip"}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type endless struct{ n int }

func (e *endless) Read(b []byte) (int, error) {
	e.n += len(b)
	return len(b), nil
}

// TestRules: each rule says what it is, and is rejected or told of by some test
// of this package.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if r.Title == "" || r.Why == "" || r.Remedy == "" || r.Bad == "" || r.Good == "" || seen[r.ID] || !strings.HasPrefix(r.ID, "plugin/") {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
	fired := map[string]bool{}
	note := func(data []byte) {
		p := Read(data)
		if p.Rejected != nil {
			fired[p.Rejected.Rule] = true
		}
		for _, d := range p.Doubts {
			fired[d.Rule] = true
			if r, ok := find(d.Rule); !ok || r.Level != finding.Warning {
				t.Errorf("%s is told of as a doubt", d.Rule)
			}
		}
	}
	for _, a := range attacks() {
		note(a.data)
	}
	for _, row := range manifestRows {
		b := full()
		row.change(b)
		note(b.zip())
	}
	b := full()
	setting("id", "a\u202eb")(b)
	note(b.zip())
	b = plain()
	b.key, b.sign = testKey(), func(s map[string]any) { s["algorithm"] = "none" }
	note(b.zip())
	note(forged(t, weakKeys[1]))
	b = plain()
	b.key = testKey()
	signer := Read(b.zip()).Publisher
	fired[check(t, b.zip(), Options{File: "a.zip", Revoked: []string{signer}}).Findings[0].Rule] = true
	for _, reach := range []finding.Reach{finding.Unreached, finding.Unknown} {
		fired[check(t, plain().zip(), Options{File: "a.zip", Source: &finding.PluginSource{Reach: reach}}).Findings[0].Rule] = true
	}
	for id := range seen {
		if !fired[id] {
			t.Errorf("nothing fires %s", id)
		}
	}
}

// forged is a package that nobody with a secret signed.
func forged(t *testing.T, key string) []byte {
	t.Helper()
	public, err := hex.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	b := plain()
	b.key = testKey()
	for n := range 64 {
		setting("description", strings.Repeat("a", n+1))(b)
		files := b.listed()
		fingerprint := packageFingerprint([]byte(marshalled(b.manifest)), files)
		for _, point := range weakKeys {
			r, _ := hex.DecodeString(point)
			sig := append(r, make([]byte, 32)...)
			if ed25519.Verify(public, []byte(fingerprint), sig) {
				b.sign = func(s map[string]any) {
					s["public_key"], s["signature"] = base64.StdEncoding.EncodeToString(public), base64.StdEncoding.EncodeToString(sig)
				}
				return b.zip()
			}
		}
	}
	t.Fatalf("%s: no signature was found", key)
	return nil
}

// TestWeakKeys forges a signature by each weak key, without a secret.
func TestWeakKeys(t *testing.T) {
	for _, key := range weakKeys {
		p := Read(forged(t, key))
		if p.Rejected != nil || len(p.Doubts) != 1 || p.Doubts[0].Rule != ruleWeakKey.ID {
			t.Errorf("%s: rejected by %v, told of %v", key, p.Rejected, p.Doubts)
		}
	}
}

// TestHonestNames: what people call their files, and write, is no reason for
// doubt.
func TestHonestNames(t *testing.T) {
	b := plain().skill(map[string]any{"description": "نوشته\u200cها 👩\u200d💻 ❤\ufe0f"}, "# 笔记\n\nमुंबई 👩\u200d💻 ❤\ufe0f café\n")
	setting("description", "Keeps notes 👩\u200d💻 ❤\ufe0f\nنوشته\u200cها را نگه می\u200cدارد")(b)
	p := Read(b.file("docs/说明.md", "a").file("docs/café.md", "b").file("docs/ユーザーガイド.md", "c").file("docs/한국어.md", "d").file("docs/read me.md", "e").file("docs/README.en.md", "f").zip())
	if p.Rejected != nil || len(p.Doubts) > 0 {
		t.Errorf("%v %v", p.Rejected, p.Doubts)
	}
}

// TestPublishers: a revoked key rejects, whoever trusts it as well; trust needs a
// signature.
func TestPublishers(t *testing.T) {
	b := plain()
	unsigned := b.zip()
	b.key = testKey()
	signed := b.zip()
	signer := Read(signed).Publisher
	none, other := []string(nil), []string{strings.Repeat("0", 64)}
	for _, tt := range []struct {
		name             string
		data             []byte
		trusted, revoked []string
		accepted, trusts bool
	}{
		{"nobody", signed, none, none, true, false},
		{"trusted", signed, []string{signer}, other, true, true},
		{"another one trusted", signed, other, none, true, false},
		{"revoked", signed, none, []string{signer}, false, false},
		{"both", signed, []string{signer}, []string{signer}, false, false},
		{"unsigned", unsigned, []string{signer, ""}, []string{signer, ""}, true, false},
	} {
		v := check(t, tt.data, Options{File: "a.zip", Trusted: tt.trusted, Revoked: tt.revoked})
		if (v.Verdict == finding.Accepted) != tt.accepted || v.Signature.Trusted != tt.trusts {
			t.Errorf("%s: %s, trusted %v", tt.name, v.Verdict, v.Signature.Trusted)
		}
		if !tt.accepted && v.Findings[0].Rule != ruleRevoked.ID {
			t.Errorf("%s: rejected by %s", tt.name, v.Findings[0].Rule)
		}
	}
}

// TestManyDoubts: what is not listed is counted.
func TestManyDoubts(t *testing.T) {
	const extra = 10000
	b := plain()
	writing(func(s string) string { return "{" + strings.Repeat(`"id":"x",`, extra) + s[1:] })(b)
	p := Read(b.zip())
	if p.Rejected != nil || len(p.Doubts) != maxDoubts+1 || !strings.Contains(p.Doubts[maxDoubts].Text, fmt.Sprintf("%d more", extra-maxDoubts)) {
		t.Errorf("rejected by %v, %d doubts, the last: %v", p.Rejected, len(p.Doubts), p.Doubts[len(p.Doubts)-1])
	}
}
