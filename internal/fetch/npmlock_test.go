package fetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTreeRoundTrip(t *testing.T) {
	tree := smallTree(t, newSource(server, sdk))
	data := mustBytes(t, tree)
	if bytes.Contains(data, []byte("registry.example")) || bytes.Contains(data, []byte("license")) {
		t.Errorf("an address or a word that is of no use was kept:\n%s", data)
	}
	again, err := ParseTree(data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, mustBytes(t, again)) {
		t.Error("the bytes are no fixed point")
	}
	one, err1 := tree.Digest()
	two, err2 := again.Digest()
	if err1 != nil || err2 != nil || one != two {
		t.Errorf("%s %v, %s %v", one, err1, two, err2)
	}
}

// TestEveryByteOfATreeCounts flips each byte of a tree in turn: none is believed
// with the digest that was locked.
func TestEveryByteOfATreeCounts(t *testing.T) {
	tree := smallTree(t, newSource(server, sdk))
	data := mustBytes(t, tree)
	want, _ := tree.Digest()
	for i := range data {
		flipped := bytes.Clone(data)
		flipped[i] ^= 1
		other, err := ParseTree(flipped)
		if err != nil {
			continue
		}
		if got, _ := other.Digest(); got == want {
			t.Errorf("byte %d may be another: %q", i, data[max(0, i-20):min(len(data), i+20)])
		}
	}
}

func TestTreesThatAreNotBelieved(t *testing.T) {
	s := newSource(server, sdk)
	const at = "node_modules/sdk"
	edit := func(path string, change func(map[string]any)) func(map[string]map[string]any) {
		return func(e map[string]map[string]any) { change(e[path]) }
	}
	set := func(name string, v any) func(map[string]map[string]any) {
		return edit(at, func(m map[string]any) { m[name] = v })
	}
	for name, c := range map[string]struct {
		change func(map[string]map[string]any)
		path   string
		url    bool
	}{
		"no digest":            {edit(at, func(m map[string]any) { delete(m, "integrity") }), at, false},
		"SHA-1 alone":          {set("integrity", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="), at, false},
		"short SHA-512":        {set("integrity", "sha512-AAAA"), at, false},
		"link":                 {set("link", true), at, false},
		"git":                  {set("resolved", "git+ssh://git@host.example/a/b.git#0000000000000000000000000000000000000000"), at, true},
		"file":                 {set("resolved", "file:../x"), at, true},
		"no version":           {set("version", ""), at, false},
		"version is a range":   {set("version", "1.x"), at, false},
		"outside of the range": {set("version", "2.0.0"), at, false},
		"undeclared alias":     {set("name", "evil-sdk"), at, false},
		"name with a path":     {set("name", "../../x"), at, false},
		"nobody asks for it": {func(e map[string]map[string]any) {
			e["node_modules/extra"] = map[string]any{"version": "1.0.0", "integrity": e[at]["integrity"]}
		}, "node_modules/extra", false},
		"missing":                 {func(e map[string]map[string]any) { delete(e, at) }, "node_modules/@scope/server", false},
		"climbs":                  {func(e map[string]map[string]any) { e["node_modules/../../x"] = e[at] }, "node_modules/../../x", false},
		"outside of node_modules": {func(e map[string]map[string]any) { e["packages/x"] = e[at] }, "packages/x", false},
		"bundled by nobody":       {set("inBundle", true), at, false},
		"asks for an address": {edit("node_modules/@scope/server", func(m map[string]any) {
			m["dependencies"] = map[string]string{"sdk": "https://host.example/sdk.tgz"}
		}), "node_modules/@scope/server", true},
		"asks for a repository": {edit("node_modules/@scope/server", func(m map[string]any) {
			m["dependencies"] = map[string]string{"sdk": "owner/sdk"}
		}), "node_modules/@scope/server", true},
	} {
		t.Run(name, func(t *testing.T) {
			entries := map[string]map[string]any{"node_modules/@scope/server": s.entry(server), at: s.entry(sdk)}
			c.change(entries)
			_, err := readTree(lockText(t, map[string]string{"@scope/server": "1.0.0"}, entries))
			bad := (*LockError)(nil)
			if !errors.As(err, &bad) || bad.Path != c.path || bad.URL != c.url {
				t.Errorf("got %+v (%v), want path %q, by address: %t", bad, err, c.path, c.url)
			}
		})
	}
}

func TestTreesOfAnotherForm(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "a list": "[]", "version 2": `{"lockfileVersion": 2, "packages": {"": {"dependencies": {"a": "1.0.0"}}}}`,
		"asks for nothing": `{"lockfileVersion": 3, "packages": {"": {}}}`, "no root": `{"lockfileVersion": 3, "packages": {}}`,
		"a member twice": `{"lockfileVersion": 3, "lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}}}`,
		"other types":    `{"lockfileVersion": 3, "packages": {"": {"dependencies": ["a"]}}}`,
	} {
		if _, err := readTree([]byte(text)); err == nil {
			t.Errorf("%s was believed", name)
		}
	}
}

func TestAliasThatIsDeclared(t *testing.T) {
	user := fakePackage{name: "user", version: "1.0.0", deps: map[string]string{"short": "npm:sdk@^1.0.0"}}
	s := newSource(user, sdk)
	entry := s.entry(sdk)
	entry["name"] = "sdk"
	tree, err := readTree(lockText(t, map[string]string{"user": "latest"}, map[string]map[string]any{
		"node_modules/user": s.entry(user), "node_modules/short": entry}))
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := tree.at("node_modules/short"); p.Name != "sdk" {
		t.Errorf("the alias is of %q", p.Name)
	}
	if _, err := ParseTree(mustBytes(t, tree)); err != nil {
		t.Error(err)
	}
}

func TestSatisfies(t *testing.T) {
	for _, c := range []struct {
		selector, version string
		want              bool
	}{
		{"", "1.0.0", true}, {"*", "3.1.4", true}, {"latest", "9.9.9", true}, {"next", "1.0.0-rc.1", true},
		{"1.2.3", "1.2.3", true}, {"1.2.3", "1.2.4", false}, {"=1.2.3", "1.2.3", true}, {"v1.2.3", "1.2.3", true},
		{"^1.2.3", "1.9.0", true}, {"^1.2.3", "2.0.0", false}, {"^0.2.3", "0.2.9", true}, {"^0.2.3", "0.3.0", false}, {"^0.0.3", "0.0.4", false},
		{"~1.2.3", "1.2.9", true}, {"~1.2.3", "1.3.0", false}, {"~> 1.2", "1.2.9", true},
		{">=1.2.3 <2.0.0", "1.5.0", true}, {">= 1.2.3 < 2", "1.5.0", true}, {">=1.2.3 <2.0.0", "2.0.0", false},
		{"1.x || >=2.5.0 || 5.0.0 - 7.2.3", "6.1.0", true}, {"1.x||2.x", "2.4.0", true}, {"1.x || 2.x", "3.0.0", false},
		{"1.2.3 - 2.3.4", "2.0.0", true}, {"1", "1.7.0", true}, {"1.2", "1.2.7", true}, {"1.2.x", "1.3.0", false},
		{"^1.0.0-beta.1", "1.0.0-beta.2", true}, {"^1.0.0", "1.1.0-beta.1", false}, {"x", "4.0.0", true},
		{"not a range at all", "1.0.0", false}, {"^>", "1.0.0", false}, {">", "1.0.0", false},
		// prereleases
		{"", "1.0.0-rc.1", true}, {"*", "1.0.0-rc.1", true}, {"latest", "1.0.0-rc.1", true}, {"x", "1.0.0-rc.1", false},
		{">=1.0.0", "2.0.0-rc.1", false}, {">=1.0.0", "1.0.0-rc.1", false}, {"1.x", "1.2.0-rc.1", false}, {"|| 1.0.0", "3.0.0-rc.1", false},
		{">=1.0.0-rc.1", "1.0.0-rc.2", true}, {">=1.0.0-rc.1", "1.0.1-rc.1", false}, {">=1.0.0-rc.1", "1.0.1", true}, {"^1.0.0-rc.1", "1.0.1-rc.1", false},
		{">=1.0.0-rc.1 <2.0.0-rc.1", "2.0.0-beta", true}, {">=1.0.0 || 2.0.0-rc.1", "2.0.0-rc.2", false}, {"1.0.0-a - 2", "1.0.0-b", true}, {"<2", "2.0.0-rc.1", false},
		{"^1.2.3", "2.0.0-0", false}, {"~1.2.3-beta.2", "1.2.3-beta.4", true}, {"~1.2.3-beta.2", "1.2.4-beta.2", false}, {"1.0.0-rc.1", "1.0.0-rc.1", true}, {"1.0.0", "1.0.0-rc.1", false},
		// alternatives and forms
		{"||", "3.0.0", true}, {"1.0.0 ||", "3.0.0", true}, {"|| 1.0.0", "3.0.0", true}, {">*", "1.0.0", false}, {"<*", "1.0.0", false}, {">=*", "1.0.0", true}, {"^*", "1.0.0", true},
		{"1.*.3", "1.2.3", false}, {"01.2.3", "1.2.3", false}, {"1.2.3, 1.2.4", "1.2.3", false}, {">=1.0.0,<2.0.0", "1.5.0", false}, {"1.*.*", "1.2.3", true}, {"1.*", "2.0.0", false},
		{">1", "1.9.0", false}, {">1", "2.0.0", true}, {">1.2", "1.2.9", false}, {">1.2", "1.3.0", true}, {"<=1", "1.9.9", true}, {"<=1.2", "1.3.0", false}, {"<1.2", "1.2.0", false}, {">=1.2", "1.2.0", true},
		{"~1", "1.9.0", true}, {"~1", "2.0.0", false}, {"^0.1", "0.1.9", true}, {"^0.1", "0.2.0", false}, {"^0", "0.9.0", true}, {"^0", "1.0.0", false}, {"^0.0", "0.0.9", true}, {"^0.0", "0.1.0", false},
		{"^0.0.0", "0.0.1", false}, {"1 - 2", "2.9.0", true}, {"1.2 - 2.3", "2.4.0", false}, {"* - 2", "0.1.0", true}, {">=v1.2.3", "1.2.3", true}, {"= 1.2.3", "1.2.3", true}, {"1.2.3+build", "1.2.3", true},
		{">=1.0.0 - 2.0.0", "1.5.0", false}, {"!=1.0.0", "2.0.0", false}, {"=>1.0.0", "2.0.0", false}, {"==1.0.0", "1.0.0", true},
	} {
		if got := satisfies(c.selector, c.version); got != c.want {
			t.Errorf("%q takes %s: %t, want %t", c.selector, c.version, got, c.want)
		}
	}
}

func TestCompareTrees(t *testing.T) {
	tree := func(names ...string) Tree {
		out := Tree{}
		for _, n := range names {
			name, rest, _ := strings.Cut(n, "@")
			version, sum, _ := strings.Cut(rest, "#")
			out.Packages = append(out.Packages, Package{Path: nodeModules + name, Name: name, Version: version, Integrity: sum})
		}
		return out
	}
	got := Compare(tree("a@1", "b@1", "c@1", "c@2", "d@1#x"), tree("a@2", "c@2", "d@1#y", "e@1"))
	want := Moves{Added: []string{"e 1"}, Removed: []string{"b 1", "c 1"}, Moved: []string{"a 1 → 2"}, Bytes: []string{"d 1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzTree(f *testing.F) {
	s := newSource(server, sdk)
	f.Add(mustBytes(f, smallTree(f, s)))
	f.Add([]byte(`{"lockfileVersion":3,"packages":{"":{"dependencies":{"a":"npm:b@1"}},"node_modules/a":{"name":"b","version":"1.0.0"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := readTree(data)
		if err != nil {
			if bad := (*LockError)(nil); !errors.As(err, &bad) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		out, err := tree.Bytes()
		if err != nil || !json.Valid(out) {
			t.Fatalf("a tree that was read cannot be written: %v", err)
		}
		if _, err := ParseTree(out); err != nil {
			t.Fatalf("what was written is not believed: %v\n%s", err, out)
		}
	})
}
