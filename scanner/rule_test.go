package scanner

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// recorded is the surface of an example.
type recorded struct {
	Artifact     *lockfile.Artifact
	Argv         []string
	ServerInfo   struct{ Name, Version string }
	Instructions *string
	Capabilities json.RawMessage
	Tools        []json.RawMessage
	Resources    []json.RawMessage
	Prompts      []json.RawMessage
}

// entryOf makes a lock entry of an example's text.
func entryOf(t testing.TB, text string) lockfile.Entry {
	t.Helper()
	var r recorded
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	s := surface.Surface{Server: surface.Server{Name: r.ServerInfo.Name, Version: r.ServerInfo.Version, Capabilities: r.Capabilities}, Instructions: r.Instructions, Lists: map[surface.Kind]surface.List{}}
	if s.Server.Capabilities == nil {
		s.Server.Capabilities = json.RawMessage(`{}`)
	}
	for kind, raws := range map[surface.Kind][]json.RawMessage{surface.Tools: r.Tools, surface.Resources: r.Resources, surface.Prompts: r.Prompts, surface.Templates: nil} {
		list := surface.List{State: surface.Read}
		for _, raw := range raws {
			item, err := surface.NewItem(kind, raw)
			if err != nil {
				t.Fatalf("%v in %s", err, raw)
			}
			list.Items = append(list.Items, item)
		}
		surface.Sort(list.Items)
		s.Lists[kind] = list
	}
	launch := lockfile.Launch{Transport: "stdio", Argv: []lockfile.Arg{{Text: "server"}}}
	if r.Argv != nil {
		launch.Argv = nil
		for _, a := range r.Argv {
			launch.Argv = append(launch.Argv, lockfile.Arg{Text: a})
		}
	}
	launch, err := launch.Seal()
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEntry("example", []string{".mcp.json#/mcpServers/example"}, launch, s, lockfile.Probe{Capabilities: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	e.Artifact = r.Artifact
	return e
}

// versionOf makes a version of a plugin of an example's text.
func versionOf(t testing.TB, text string) lockfile.PluginVersion {
	t.Helper()
	var v lockfile.PluginVersion
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// subject runs an example through the code that a scan runs it through.
func (e Example) subject(t testing.TB) Subject {
	t.Helper()
	s := Subject{Name: "example", At: finding.At(".mcp.json", 3, 5), LockAt: finding.At("x.lock.json", 1, 1), State: e.State, Reason: e.Reason, Others: surface.NewToolNames(e.Others), Files: e.Files, readLive: e.ReadLive, Reviewed: e.Reviewed, moves: e.Moves, bytesUnread: e.Unread, Seen: e.Seen}
	if e.Live {
		s.Cause = finding.Upstream
	}
	switch {
	case e.Lock != "":
		_, err := lockfile.Parse([]byte(e.Lock))
		if !errors.As(err, &s.Invalid) {
			t.Fatalf("the example's lock is believed: %v", err)
		}
		s.State = lockInvalid
	case e.File == ".gitattributes":
		files := fstest.MapFS{e.File: {Data: []byte(e.Manifest)}, ".mcp.json": {Data: []byte(exampleConfig)}, notesLock: {Data: []byte("{}")}}
		s.File, s.State = tree.Attributes(files, []string{".mcp.json"}), compared
	case e.Plugins[1] != "":
		s.Changes = lockfile.DiffPlugins(versionOf(t, e.Plugins[0]), versionOf(t, e.Plugins[1]))
	case e.Policy != "":
		s.File, s.State = e.toldByPolicy(), compared
	case e.Before != nil:
		s.Steered, s.State = e.steered(t), compared
	case e.Manifest != "":
		tree := fstest.MapFS{e.File: {Data: []byte(e.Manifest)}}
		if e.Submodule {
			tree[e.File].Mode = fs.ModeIrregular
		}
		for name, text := range e.Beside {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		found, problems := manifest.Find(tree)
		s.File, s.State = problems, compared
		for _, f := range found {
			if f.Steers != "" {
				continue
			}
			file := manifest.Read(tree, f.Path)
			s.File, s.Declared = append(s.File, file.Problems...), append(s.Declared, settle(manifest.NewTree(tree, func(string) bool { return true }), file.Entries)...)
		}
	case e.New != "":
		old, after := entryOf(t, e.Old), entryOf(t, e.New)
		s.Old, s.New, s.Changes = &old, &after, lockfile.Diff(old, after)
		if s.State == unread {
			s.State = compared
		}
	}
	return s
}

// steered are the events of an example's settings or skill.
func (e Example) steered(t testing.TB) []steered {
	t.Helper()
	read := func(files map[string]string) *manifest.Inventory {
		tree := fstest.MapFS{}
		for name, text := range files {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		repo, err := Load(tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, inv := range repo.Inventories {
			if inv.Path == e.File {
				return &inv
			}
		}
		return nil
	}
	after := map[string]string{e.File: e.Manifest}
	maps.Copy(after, e.Beside)
	return steers(read(e.Before), *read(after))
}

// toldByPolicy is everything that the policy of an example tells.
func (e Example) toldByPolicy() []finding.Finding {
	p, found := policy.Parse([]byte(e.Policy), policy.File)
	p, inputs := policy.Tighten(p, e.Inputs)
	asked := policy.Asked{Name: "example", At: finding.At(".mcp.json", 3, 5), Capabilities: []string{"exec"}, Ecosystem: "npm", Package: "some-server"}
	return slices.Concat(found, inputs, p.Expired(exampleDay), p.Unused(nil, exampleDay), p.Denied(asked), policy.GateChanged(policy.Default(), p))
}

// TestRules runs every rule on its own examples.
func TestRules(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			if ids[r.ID] {
				t.Error("two rules have this id")
			}
			ids[r.ID] = true
			if r.Title == "" || r.Why == "" || r.Remedy == "" || r.Level == "" {
				t.Error("title, why, remedy or level is missing")
			}
			fired := false
			for _, f := range judge(r.Bad.subject(t)) {
				if f.Rule == r.ID {
					fired = true
					if f.Level != r.Level || f.Location.IsZero() || f.Message == "" {
						t.Errorf("a finding of another level, place or without words: %+v", f)
					}
					if r.Outcome != nil && f.Outcome != *r.Outcome {
						t.Errorf("outcome %s, want %s", f.Outcome, *r.Outcome)
					}
				}
			}
			if !fired {
				t.Errorf("does not fire on its bad example; these do: %v", idsOf(judge(r.Bad.subject(t))))
			}
			for _, f := range judge(r.Good.subject(t)) {
				if f.Rule == r.ID {
					t.Errorf("fires on its good example: %s", f.Message)
				}
			}
		})
	}
}

func idsOf(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Rule)
	}
	return out
}

// TestEveryIDHasARule reads the ids that the readers of configurations and
// policies give.
func TestEveryIDHasARule(t *testing.T) {
	files, err := filepath.Glob("../internal/manifest/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("the sources of manifest are not there", err)
	}
	more, err := filepath.Glob("../internal/policy/*.go")
	if err != nil || len(more) == 0 {
		t.Fatal("the sources of policy are not there", err)
	}
	files = slices.DeleteFunc(append(files, more...), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	id := regexp.MustCompile(`"((?:launch|check|policy)/[a-z-]+)"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range id.FindAllStringSubmatch(string(text), -1) {
			if _, ok := Find(m[1]); !ok {
				t.Errorf("%s speaks of %s, which no rule explains", file, m[1])
			}
		}
	}
}
