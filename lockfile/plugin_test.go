package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func hex64(c string) string { return strings.Repeat(c, 64) }

// samplePlugin is a lock with every member: a signed version, one without a
// signature, and one of a format that knows none.
func samplePlugin(t testing.TB) Plugin {
	t.Helper()
	files := []PluginFile{{"plugin.json", 10, hex64("a")}, {"skills/notes/SKILL.md", 3, hex64("b")}}
	signed := PluginVersion{
		Source: "https://plugins.example/notes.zip", Pin: "sha256:" + hex64("1"), Archive: "sha256:" + hex64("1"), Version: "1.0.0",
		Signature: PluginSignature{SignatureValid, hex64("c"), "example"}, Files: append(files[:2:2], PluginFile{"SIGNATURE.json", 5, hex64("d")}),
		Inventory: []PluginItem{{Kind: "hook", Place: "plugin.json#/hooks/0", Text: []string{"id a", "deny at pre_tool", "no \u202e way"}},
			{Kind: KindSkill, Place: "skills/notes/SKILL.md", Text: []string{"notes", "Reads notes.", "tool read_file"}}},
		Skills: []PluginSkill{{Name: "notes", Text: []string{"# Notes", "", "Read."}, Capabilities: []string{"fs.read"}}},
		State:  PluginEnabled, Only: []string{"hooks", "skills"}, By: "somebody",
	}
	plain := signed
	plain.Pin, plain.Archive, plain.Version, plain.State, plain.ConfirmUntrusted = "sha256:"+hex64("2"), "sha256:"+hex64("2"), "1.10.0", PluginApproved, true
	plain.Signature, plain.Files, plain.Only, plain.By = PluginSignature{State: SignatureNone, Name: "example"}, files, nil, ""
	folder := PluginVersion{Source: "git+https://git.example/notes.git#plugin", Pin: "commit:" + strings.Repeat("3", 40), Archive: "sha256:" + hex64("3"), Version: "1.2.0",
		Signature: PluginSignature{State: SignatureUnsignable}, Files: []PluginFile{{"a.md", 1, hex64("e")}}, Inventory: []PluginItem{}, Skills: []PluginSkill{}, State: PluginStaged}
	p := Plugin{Name: "notes", Places: []string{".toolwarrant/policy.yaml#/plugins/notes"}}
	for _, v := range []PluginVersion{signed, plain, folder} {
		p = p.With(v.Seal())
	}
	return p
}

func pluginBytes(t testing.TB, p Plugin) []byte {
	t.Helper()
	b, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPluginRoundTrip(t *testing.T) {
	p := samplePlugin(t)
	b := pluginBytes(t, p)
	got, err := ParsePlugin(b)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	if diff := cmp.Diff(p, got); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(b, pluginBytes(t, got)) {
		t.Error("the bytes of what was read are others")
	}
	if got.Versions[0].Version != "1.0.0" || got.Versions[2].Version != "1.10.0" {
		t.Error("versions are not ordered by number")
	}
	if e := got.Enabled(); e == nil || e.Version != "1.0.0" {
		t.Errorf("enabled is %+v", e)
	}
}

// TestPluginIsNotBelieved edits a lock by hand, one place at a time.
func TestPluginIsNotBelieved(t *testing.T) {
	good := string(pluginBytes(t, samplePlugin(t)))
	for name, edit := range map[string][2]string{
		"another kind":                   {`"kind": "plugin"`, `"kind": "server"`},
		"no name":                        {`"name": "notes",` + "\n  \"notice", `"name": "",` + "\n  \"notice"},
		"another notice":                 {PluginNotice, "Trust this."},
		"another version of locks":       {`"lockVersion": 1`, `"lockVersion": 2`},
		"an unknown member":              {`"lockVersion": 1`, `"extra": 1, "lockVersion": 1`},
		"a member twice":                 {`"lockVersion": 1`, `"lockVersion": 1, "lockVersion": 1`},
		"another archive":                {`"archive": "sha256:11`, `"archive": "sha256:12`},
		"another pin":                    {`"pin": "sha256:11`, `"pin": "sha256:12`},
		"a short pin":                    {`"pin": "commit:3`, `"pin": "commit:`},
		"another file":                   {`"bytes": 3`, `"bytes": 4`},
		"another digest of a file":       {hex64("b"), hex64("f")},
		"another folder":                 {hex64("e"), hex64("f")},
		"no signature where one is":      {`"state": "valid"`, `"state": "none"`},
		"a signature of nobody":          {`"publisher": "` + hex64("c") + `",`, ``},
		"unsignable, to drop a key":      {`"state": "none"`, `"state": "unsignable"`},
		"other words of a hook":          {"deny at pre_tool", "record at pre_tool"},
		"another kind of an item":        {`"kind": "hook"`, `"kind": "skill"`},
		"other words of a skill":         {"Read.", "Write."},
		"another name of a skill":        {`"name": "notes",` + "\n          \"text", `"name": "other",` + "\n          \"text"},
		"two enabled versions":           {`"state": "approved"`, `"state": "enabled"`},
		"a state that there is not":      {`"state": "staged"`, `"state": "trusted"`},
		"laid out otherwise":             {"\n  \"kind\"", "\n \"kind\""},
		"a character that does not show": {`\u202e`, "\u202e"},
		"kinds out of order":             {`"hooks",` + "\n        \"skills\"", `"skills",` + "\n        \"hooks\""},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, edit[0], edit[1], 1)
			if bad == good {
				t.Fatalf("%q is not in\n%s", edit[0], good)
			}
			_, err := ParsePlugin([]byte(bad))
			if invalid, ok := errors.AsType[*InvalidError](err); !ok || invalid.Line < 1 || invalid.Column < 1 {
				t.Errorf("believed, or refused without a place: %v", err)
			}
		})
	}
	if _, err := Parse([]byte(good)); err == nil {
		t.Error("the lock of a plugin is taken for that of a server")
	}
}

// TestPluginHasFewVersions: what is compared pairwise is bounded before it is read.
func TestPluginHasFewVersions(t *testing.T) {
	p := samplePlugin(t)
	v := p.Versions[1]
	p.Versions = nil
	for i := range maxVersions + 1 {
		v.Version = fmt.Sprintf("1.0.%d", i)
		p.Versions = append(p.Versions, v)
	}
	if _, err := ParsePlugin(pluginBytes(t, p)); err == nil {
		t.Error("a lock of more versions than anybody looks at is believed")
	}
	p.Versions = p.Versions[:maxVersions]
	if _, err := ParsePlugin(pluginBytes(t, p)); err != nil {
		t.Error(err)
	}
}

// TestPluginFingerprint computes plugin.v1's by hand: the signature is no part of it.
func TestPluginFingerprint(t *testing.T) {
	p := samplePlugin(t)
	signed, plain := p.Versions[0], p.Versions[2]
	if signed.Package != plain.Package {
		t.Error("a package without its signature has another fingerprint")
	}
	if signed.Same(plain) {
		t.Error("and is taken for the same")
	}
}

// TestDiffPlugins changes one thing at a time.
func TestDiffPlugins(t *testing.T) {
	p := samplePlugin(t)
	old := p.Versions[0]
	for name, c := range map[string]struct {
		change func(*PluginVersion)
		want   []Event
	}{
		"nothing":          {func(*PluginVersion) {}, nil},
		"state and reason": {func(v *PluginVersion) { v.State, v.By, v.Only = PluginStaged, "x", nil }, nil},
		"repacked": {func(v *PluginVersion) { v.Pin, v.Archive = "sha256:"+hex64("9"), "sha256:"+hex64("9") },
			[]Event{PluginRepacked}},
		"archive under one pin": {func(v *PluginVersion) { v.Archive = "sha256:" + hex64("9") }, []Event{PluginBytes}},
		"package under one pin": {func(v *PluginVersion) { v.Files[1].Bytes++ }, []Event{PluginBytes}},
		"new version": {func(v *PluginVersion) {
			v.Files[1].Bytes, v.Version, v.Pin, v.Archive = 99, "1.1.0", "sha256:"+hex64("9"), "sha256:"+hex64("9")
		}, []Event{PluginPackageChanged}},
		"other source":       {func(v *PluginVersion) { v.Source = "https://elsewhere.example/notes.zip" }, []Event{PluginSourceChanged}},
		"signature stripped": {func(v *PluginVersion) { v.Signature = PluginSignature{State: SignatureNone, Name: "example"} }, []Event{SignatureStripped}},
		"key changed":        {func(v *PluginVersion) { v.Signature.Publisher = hex64("9") }, []Event{PublisherChanged}},
		"publisher renamed":  {func(v *PluginVersion) { v.Signature.Name = "other" }, []Event{PublisherRenamed}},
		"hook changed":       {func(v *PluginVersion) { v.Inventory[0].Text[1] = "record at pre_tool" }, []Event{PluginExecChanged}},
		"hook moved":         {func(v *PluginVersion) { v.Inventory[0].Place = "plugin.json#/hooks/1" }, nil},
		"hook gone":          {func(v *PluginVersion) { v.Inventory = v.Inventory[1:] }, []Event{PluginExecRemoved}},
		"command at load time": {func(v *PluginVersion) {
			v.Inventory = append(v.Inventory, PluginItem{Kind: "skill-command", Place: "skills/notes/SKILL.md", Text: []string{"id"}})
		}, []Event{PluginExecAdded}},
		"two of one place": {func(v *PluginVersion) {
			for _, c := range []string{"id", "who"} {
				v.Inventory = append(v.Inventory, PluginItem{Kind: "skill-command", Place: "skills/notes/SKILL.md", Text: []string{c}})
			}
		}, []Event{PluginExecAdded, PluginExecAdded}},
		"more tools":                        {func(v *PluginVersion) { v.Inventory[1].Text = append(v.Inventory[1].Text, "tool replace_file") }, []Event{SkillTools}},
		"fewer tools":                       {func(v *PluginVersion) { v.Inventory[1].Text = v.Inventory[1].Text[:2] }, nil},
		"other words":                       {func(v *PluginVersion) { v.Skills[0].Text[2] = "Write." }, []Event{SkillText}},
		"other description":                 {func(v *PluginVersion) { v.Inventory[1].Text[1] = "Writes notes." }, []Event{SkillText}},
		"a tool in the description is none": {func(v *PluginVersion) { v.Inventory[1].Text[1] = "tool replace_file" }, []Event{SkillText}},
		"a skill more": {func(v *PluginVersion) {
			v.Skills = append(v.Skills, PluginSkill{Name: "more", Text: []string{"x"}, Capabilities: []string{"exec"}})
		}, []Event{SkillAdded}},
		"a skill gone": {func(v *PluginVersion) { v.Skills, v.Inventory = nil, v.Inventory[:1] }, []Event{SkillRemoved}},
		"confirmed":    {func(v *PluginVersion) { v.ConfirmUntrusted = true }, []Event{UntrustedConfirmed}},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := ParsePlugin(pluginBytes(t, p)) // a copy down to the last list
			if err != nil {
				t.Fatal(err)
			}
			v := after.Versions[0]
			c.change(&v)
			var got []Event
			for _, d := range DiffPlugins(old, v.Seal()) {
				got = append(got, d.Event)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzParsePlugin wants whatever is believed to be written again as it was.
func FuzzParsePlugin(f *testing.F) {
	good := pluginBytes(f, samplePlugin(f))
	f.Add(good)
	f.Add(bytes.Replace(good, []byte(`"staged"`), []byte(`"revoked"`), 1))
	f.Add([]byte(`{"kind": "plugin", "lockVersion": 1, "versions": [{}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePlugin(data)
		if err != nil {
			if _, ok := errors.AsType[*InvalidError](err); !ok {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if !bytes.Equal(pluginBytes(t, p), data) {
			t.Error("what was read is written otherwise")
		}
		for _, v := range p.Versions {
			if len(DiffPlugins(v, v)) != 0 {
				t.Error("a version differs from itself")
			}
		}
	})
}
