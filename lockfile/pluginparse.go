package lockfile

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

const kindPlugin = "plugin"

// maxVersions bounds what is compared with each other: a lock may have many bytes,
// and its author is not always a friend.
const maxVersions = 1000

// ParsePlugin reads the lock of a plugin and recomputes every digest in it. What
// makes [Parse] refuse a lock is an *InvalidError here too, and so are two enabled
// versions.
func ParsePlugin(data []byte) (Plugin, error) {
	p, err := newParser(data)
	if err != nil {
		return Plugin{}, err
	}
	top, err := p.members("", data, "lockVersion", "notice", "kind", "name", "places", "versions")
	if err != nil {
		return Plugin{}, err
	}
	if err := p.version(top["lockVersion"]); err != nil {
		return Plugin{}, err
	}
	out := Plugin{}
	if err := p.pluginLabels(top, &out); err != nil {
		return Plugin{}, err
	}
	if out.Versions, err = p.versions(top["versions"]); err != nil {
		return Plugin{}, err
	}
	want, err := out.Bytes()
	return out, p.form(data, want, err)
}

func (p parser) pluginLabels(top map[string]json.RawMessage, out *Plugin) error {
	notice, kind := "", ""
	for _, m := range []struct {
		name string
		into any
	}{{"notice", &notice}, {"kind", &kind}, {"name", &out.Name}, {"places", &out.Places}} {
		if err := p.decode("/"+m.name, top[m.name], m.into); err != nil {
			return err
		}
	}
	switch {
	case kind != kindPlugin:
		return p.fail("/kind", "kind is not \"plugin\"")
	case out.Name == "":
		return p.fail("/name", "name is empty")
	case notice != PluginNotice:
		return p.fail("/notice", "the notice is not the one that every lock of a plugin carries")
	case !strictly(out.Places, strings.Compare):
		return p.fail("/places", "places are not sorted, or one stands twice")
	}
	return nil
}

// strictly reports whether a list is sorted and holds nothing twice.
func strictly[T any](list []T, compare func(a, b T) int) bool {
	for i := 1; i < len(list); i++ {
		if compare(list[i-1], list[i]) >= 0 {
			return false
		}
	}
	return true
}

func (p parser) versions(data json.RawMessage) ([]PluginVersion, error) {
	var raw []json.RawMessage
	if err := p.decode("/versions", data, &raw); err != nil {
		return nil, err
	}
	if len(raw) == 0 || len(raw) > maxVersions {
		return nil, p.fail("/versions", "there is no version, or more than %d", maxVersions)
	}
	var out []PluginVersion
	enabled := false
	for i, r := range raw {
		at := "/versions/" + strconv.Itoa(i)
		v, err := p.pluginVersion(at, r)
		if err != nil {
			return nil, err
		}
		if v.State == PluginEnabled && enabled {
			return nil, p.fail(at+"/state", "a second version is enabled")
		}
		enabled = enabled || v.State == PluginEnabled
		out = append(out, v)
	}
	if !strictly(out, PluginVersion.Compare) {
		return nil, p.fail("/versions", "versions are not sorted, or one stands twice")
	}
	return out, nil
}

func (p parser) pluginVersion(at string, data json.RawMessage) (PluginVersion, error) {
	var v PluginVersion
	members, err := p.members(at, data, "source", "pin", "archive", "package", "signature", "version", "files", "inventory", "skills",
		"state", "confirmUntrusted", "only", "by")
	if err != nil {
		return v, err
	}
	if _, err := p.members(at+"/signature", members["signature"], "state", "publisher", "name"); err != nil {
		return v, err
	}
	for list, allowed := range map[string][]string{"files": {"path", "bytes", "sha256"}, "inventory": {"kind", "place", "text", "digest"}, "skills": {"name", "text", "capabilities", "digest"}} {
		if err := p.each(at+"/"+list, members[list], allowed); err != nil {
			return v, err
		}
	}
	if err := p.decode(at, data, &v); err != nil {
		return v, err
	}
	for _, judge := range []func(string, PluginVersion) error{p.judgeSource, p.judgeSignature, p.judgeFiles, p.judgeItems, p.judgeSkills} {
		if err := judge(at, v); err != nil {
			return v, err
		}
	}
	return v, nil
}

// each wants a list of objects without unknown members.
func (p parser) each(at string, data json.RawMessage, allowed []string) error {
	var raw []json.RawMessage
	if err := p.decode(at, data, &raw); err != nil {
		return err
	}
	for i, r := range raw {
		if _, err := p.members(at+"/"+strconv.Itoa(i), r, allowed...); err != nil {
			return err
		}
	}
	return nil
}

func (p parser) judgeSource(at string, v PluginVersion) error {
	kind, pin, _ := strings.Cut(v.Pin, ":")
	switch {
	case v.Source == "":
		return p.fail(at+"/source", "it names no source")
	case kind != "sha256" && kind != "commit" || !lowerHex(pin) || len(pin) != 64 && (kind != "commit" || len(pin) != 40):
		return p.fail(at+"/pin", "not a pin")
	case !pluginDigest(v.Archive):
		return p.fail(at+"/archive", "not a digest")
	case kind == "sha256" && v.Pin != v.Archive:
		return p.fail(at+"/archive", "the archive is not the pinned one: it was edited by hand")
	case !slices.Contains(pluginStates, v.State):
		return p.fail(at+"/state", "not a state of a plugin")
	case !strictly(v.Only, strings.Compare):
		return p.fail(at+"/only", "not a sorted set of kinds")
	}
	return nil
}

func (p parser) judgeSignature(at string, v PluginVersion) error {
	s := v.Signature
	switch {
	case s.State != SignatureValid && s.State != SignatureNone && s.State != SignatureUnsignable:
		return p.fail(at+"/signature/state", "not a state of a signature")
	case (s.State == SignatureValid) != (len(s.Publisher) == 64 && lowerHex(s.Publisher)) || s.State != SignatureValid && s.Publisher != "":
		return p.fail(at+"/signature", "a valid signature names its key, and no other does")
	case s.State != SignatureUnsignable && (s.State == SignatureValid) != (len(v.Files) > 0 && v.Files[len(v.Files)-1].Path == pluginSignature):
		return p.fail(at+"/signature", "it does not agree with the files: it was edited by hand")
	}
	return nil
}

func (p parser) judgeFiles(at string, v PluginVersion) error {
	seen := map[string]bool{}
	for i, f := range v.Files {
		if f.Path == "" || seen[f.Path] || f.Bytes < 0 || len(f.SHA256) != 64 || !lowerHex(f.SHA256) {
			return p.fail(at+"/files/"+strconv.Itoa(i), "not a file with its digest, or one that stands twice")
		}
		seen[f.Path] = true
	}
	switch signable := v.Signature.State != SignatureUnsignable; {
	case len(v.Files) == 0, signable && v.Files[0].Path != pluginManifest:
		return p.fail(at+"/files", "the manifest is not there")
	case !signable && !strictly(v.Files, func(a, b PluginFile) int { return cmp.Compare(a.Path, b.Path) }):
		return p.fail(at+"/files", "files are not sorted")
	case v.Fingerprint() != v.Package:
		return p.fail(at+"/package", "the files do not have this digest: it was edited by hand")
	}
	return nil
}

func (p parser) judgeItems(at string, v PluginVersion) error {
	for i, item := range v.Inventory {
		place := at + "/inventory/" + strconv.Itoa(i)
		if item.Kind == "" || item.Place == "" {
			return p.fail(place, "an item without a kind or place")
		}
		if item.sum() != item.Digest {
			return p.fail(place+"/digest", "the item does not have this digest: it was edited by hand")
		}
	}
	if !slices.IsSortedFunc(v.Inventory, PluginItem.compare) {
		return p.fail(at+"/inventory", "the inventory is not sorted")
	}
	return nil
}

func (p parser) judgeSkills(at string, v PluginVersion) error {
	for i, s := range v.Skills {
		place := at + "/skills/" + strconv.Itoa(i)
		if len(s.Text) == 0 || slices.ContainsFunc(s.Text, func(l string) bool { return strings.Contains(l, "\n") }) {
			return p.fail(place+"/text", "a text is not an array of lines")
		}
		if s.sum() != s.Digest {
			return p.fail(place+"/digest", "the skill does not have this digest: it was edited by hand")
		}
	}
	if !strictly(v.Skills, func(a, b PluginSkill) int { return strings.Compare(a.Name, b.Name) }) {
		return p.fail(at+"/skills", "skills are not sorted, or one stands twice")
	}
	return nil
}

func pluginDigest(s string) bool {
	sum, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(sum) == 64 && lowerHex(sum)
}

func lowerHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && s != "" && s == strings.ToLower(s)
}
