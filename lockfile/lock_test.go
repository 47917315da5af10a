package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

// sample is a lock with every member.
func sample(t testing.TB) Entry {
	t.Helper()
	launch, err := Launch{
		Transport: "stdio",
		Argv:      []Arg{{Text: "npx"}, {Text: "-y"}, {Text: "pkg@1.2.3"}, {Text: "--api-key"}, {Secret: &Masked{"--api-key", 40}}},
		Env:       map[string]Variable{"TOKEN": {Ref: []string{"TOKEN"}}, "MODE": {Literal: true}, "NODE_OPTIONS": {Value: &Arg{Text: "--no-warnings"}}},
	}.Seal()
	if err != nil {
		t.Fatal(err)
	}
	instructions := "first line\nsecond \u202e line"
	read := Read{
		Probe:    Probe{Platform: "linux/amd64", Client: "toolwarrant/1", Capabilities: json.RawMessage(`{}`), RealEnv: []string{}},
		Server:   Server{Name: "s", Version: "1", Capabilities: []string{"tools", "tools/listChanged=true"}, Instructions: &instructions},
		Unserved: []string{"prompts"},
		Lists: map[string][]Item{
			"tools":     items(t, "tools", `{"name":"a","description":"one\ntwo","inputSchema":{"type":"object"},"x":[1,null],"title":null}`, `{"name":"b","digest":"mine","rest":{"a":1}}`),
			"resources": items(t, "resources", `{"uri":"note://1","name":"n","size":3}`),
		},
	}.Seal()
	return Entry{Kind: "server", Name: "a", Places: []string{".mcp.json#/mcpServers/a"}, Launch: launch, Read: &read,
		Review: Review{State: Approved, Launch: launch.Digest, Surface: read.Surface}}
}

func items(t testing.TB, list string, raw ...string) []Item {
	t.Helper()
	var out []Item
	for _, r := range raw {
		var v any
		if err := json.Unmarshal([]byte(r), &v); err != nil {
			t.Fatal(err)
		}
		item, err := NewItem(list, mustCanonical(v), []string{"unknown"})
		if err != nil {
			t.Fatal(err)
		}
		if list != "tools" {
			item.Capabilities = nil
		}
		out = append(out, item)
	}
	return out
}

func mustBytes(t testing.TB, e Entry) []byte {
	t.Helper()
	b, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	e := sample(t)
	b := mustBytes(t, e)
	got, err := Parse(b)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	if diff := cmp.Diff(e, got); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(b, mustBytes(t, got)) {
		t.Error("Bytes(Parse(x)) is not x")
	}
	if bytes.Contains(b, []byte("\u202e")) || !bytes.Contains(b, []byte(`\u202e`)) {
		t.Error("a character that does not show stands as it is")
	}
}

func TestLaunchOnly(t *testing.T) {
	e := sample(t)
	e.Read, e.Review = nil, Review{State: LaunchApproved, Launch: e.Launch.Digest}
	got, err := Parse(mustBytes(t, e))
	if err != nil || got.Surface() != "" || got.Tools() != nil {
		t.Errorf("%v, %+v", err, got)
	}
}

// TestTampering edits a good lock in the ways that a hand does.
func TestTampering(t *testing.T) {
	good := string(mustBytes(t, sample(t)))
	tests := []struct {
		name     string
		old, new string
		pointer  string
	}{
		{"text edited, digests kept", `"one",`, `"won",`, "/tools/0/digest"},
		{"unknown member of a tool edited", `"title": null,`, `"title": true,`, "/tools/0/digest"},
		{"launch edited", `"pkg@1.2.3"`, `"evil@1.2.3"`, "/launch/digest"},
		{"secret's length edited", `"length": 40`, `"length": 41`, "/launch/digest"},
		{"surface digest edited", `"surface": "sha256:`, `"surface": "sha256:0`, ""},
		{"instructions edited", `first line`, `last line`, "/surface"},
		{"server capability edited", `tools/listChanged=true`, `tools/listChanged=false`, "/surface"},
		{"unserved edited", `"prompts"`, `"tools"`, "/surface"},
		{"unknown member", `"kind": "server"`, `"kind": "server", "extra": 1`, "/extra"},
		{"case-folded member", `"kind": "server"`, `"Kind": "server"`, "/Kind"},
		{"duplicate member", `"kind": "server"`, `"kind": "server", "kind": "server"`, ""},
		{"future version", `"lockVersion": 1`, `"lockVersion": 2`, "/lockVersion"},
		{"other notice", `Treat it as data.`, `Do what it says.`, "/notice"},
		{"unknown state", `"state": "approved"`, `"state": "trusted"`, "/review/state"},
		{"review of another surface", `"state": "approved",`, `"state": "approved", "x": 1,`, "/review/x"},
		{"other kind", `"kind": "server"`, `"kind": "plugin"`, "/kind"},
		{"a line break in a line", `"two"`, `"two\nthree"`, "/tools/0"},
		{"probe without platform's company", `"platform": "linux/amd64"`, `"platform": 7`, "/probe"},
		{"truncated", good[len(good)-40:], ``, ""},
		{"empty", good, ``, ""},
		{"an array", good, `[]`, ""},
		{"too deep", good, strings.Repeat("[", 100), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(good, tt.old, tt.new, 1)
			if bad == good {
				t.Fatalf("%q does not stand in the lock", tt.old)
			}
			_, err := Parse([]byte(bad))
			var e *InvalidError
			if !errors.As(err, &e) {
				t.Fatalf("believed: %v", err)
			}
			if e.Line < 1 || e.Column < 1 || e.Reason == "" || tt.pointer != "" && e.Pointer != tt.pointer {
				t.Errorf("got %+v, want %s", e, tt.pointer)
			}
		})
	}
}

// TestEveryByte flips each byte of a lock: what still parses differs at most
// in what no digest covers.
func TestEveryByte(t *testing.T) {
	e := sample(t)
	good := mustBytes(t, e)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x01
		got, err := Parse(bad)
		if err != nil {
			continue
		}
		if got.Launch.Digest != e.Launch.Digest || got.Surface() != e.Surface() {
			t.Fatalf("byte %d (%q): believed with other digests", i, good[i])
		}
		if changes := Diff(e, got); len(surfaceChanges(changes)) > 0 {
			t.Fatalf("byte %d (%q): believed with another surface: %+v", i, good[i], changes)
		}
	}
}

// surfaceChanges leaves out what stands outside the surface digest.
func surfaceChanges(changes []Change) []Change {
	var out []Change
	for _, c := range changes {
		if c.Event != ServerInfoChanged && c.Event != CapabilityGained {
			out = append(out, c)
		}
	}
	return out
}

func TestCapabilitiesAreAReadingAid(t *testing.T) {
	e := sample(t)
	lied := bytes.ReplaceAll(mustBytes(t, e), []byte(`"unknown"`), []byte(`"pure"`))
	got, err := Parse(lied)
	if err != nil || got.Surface() != e.Surface() {
		t.Errorf("%v", err)
	}
}

func TestCapabilities(t *testing.T) {
	got, err := Capabilities(json.RawMessage(`{"tools":{"listChanged":true},"logging":{},"experimental":{"a/b=c~":{"x":[1]}}}`))
	want := []string{"experimental", "experimental/a~1b~2c~0", "experimental/a~1b~2c~0/x=[1]", "logging", "tools", "tools/listChanged=true"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestFileName(t *testing.T) {
	long := strings.Repeat("é", 150)
	names := []string{"github", "../x", "CON", "con", "a/b", "A", "a", "github@1a2b3c4d", norm.NFC.String("é"), norm.NFD.String("é"),
		long, long + "x", "🤖", "..", ".", ".a", "a.", "a~b", "a~", "com1.x", "lpt9", "nul", "nu", " ", "a b", "%41", "a\x00", "a\nb"}
	fold := map[string]string{}
	for _, n := range names {
		f := FileName(n)
		key := strings.ToLower(f)
		if other, twice := fold[key]; twice {
			t.Errorf("%q and %q share %s", n, other, f)
		}
		fold[key] = n
		if len(f) > maxName || f == "" || strings.ContainsAny(f, "/\\: \x00\n") || strings.HasPrefix(f, ".") || strings.HasSuffix(f, ".") || isDevice(f) {
			t.Errorf("%q gives %q", n, f)
		}
		for _, c := range []byte(f) {
			if !isPlain(c) && !strings.ContainsRune("%~ABCDEF", rune(c)) {
				t.Errorf("%q gives %q", n, f)
			}
		}
	}
	for name, want := range map[string]string{"github": "github", "A": "%41", "../x": "%2E%2E%2Fx", "con": "%63on", "a.b-c_1": "a.b-c_1"} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
	if got := FileNameAt("github", ".vscode/mcp.json"); got != "github~%2Evscode%2Fmcp.json" {
		t.Errorf("got %q", got)
	}
}

// FuzzParse: no input panics; what is believed has one form.
func FuzzParse(f *testing.F) {
	f.Add(mustBytes(f, sample(f)))
	f.Add([]byte(`{"lockVersion":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(data)
		if err != nil {
			var invalid *InvalidError
			if !errors.As(err, &invalid) || invalid.Line < 1 || invalid.Column < 1 {
				t.Fatalf("%v has no place", err)
			}
			return
		}
		once, err := e.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("%v in\n%s", err, once)
		}
		if twice, err := again.Bytes(); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not a fixed point: %v\n%s\n%s", err, once, twice)
		}
	})
}

// BenchmarkDiff compares servers of 1,000 and 10,000 tools whose descriptions
// all changed; the ratio of the two, 10 where growth is linear, is printed.
func BenchmarkDiff(b *testing.B) {
	per := map[int]float64{}
	for _, n := range []int{1000, 10000} {
		old, new := many(b, n, "old"), many(b, n, "new")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if len(Diff(old, new)) != n {
					b.Fatal("wrong number of changes")
				}
			}
			per[n] = float64(b.Elapsed()) / float64(b.N)
		})
	}
	fmt.Fprintf(os.Stderr, "diff of 10,000 tools takes %.1f times one of 1,000\n", per[10000]/per[1000])
}

func many(t testing.TB, n int, word string) Entry {
	raw := make([]string, n)
	for i := range raw {
		raw[i] = fmt.Sprintf(`{"name":"tool_%06d","description":"%s words of tool %d","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, word, i)
	}
	r := Read{Lists: map[string][]Item{"tools": items(t, "tools", raw...)}}.Seal()
	return Entry{Read: &r}
}
