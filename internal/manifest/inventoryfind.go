package manifest

import (
	"path"
	"slices"
	"strings"
)

// hostFile is one kind of a host's settings file.
type hostFile struct {
	claim []string // the ending of its path, as exact components; "*.json" is any such name
	parse syntax
	read  func(*Inventory, node)
}

// settingsFiles in the order in which a path is tried.
var settingsFiles = []hostFile{
	{[]string{".claude", "settings.json"}, parseJSON, (*Inventory).claude},
	{[]string{".claude", localSettings}, parseJSON, (*Inventory).claude},
	{[]string{".cursor", "hooks.json"}, parseJSON, (*Inventory).cursor},
	{[]string{".codex", "config.toml"}, parseTOML, (*Inventory).codex},
	{[]string{".codex", "hooks.json"}, parseJSON, (*Inventory).codexHooks},
	{[]string{".github", "hooks", "*.json"}, parseJSON, (*Inventory).copilot},
	{[]string{".gemini", "settings.json"}, parseJSON, (*Inventory).gemini},
	{[]string{".claude-plugin", "plugin.json"}, parseJSON, (*Inventory).plugin},
	{[]string{".codex-plugin", "plugin.json"}, parseJSON, (*Inventory).plugin},
	{[]string{".cursor-plugin", "plugin.json"}, parseJSON, (*Inventory).plugin},
	{[]string{"gemini-extension.json"}, parseJSON, (*Inventory).geminiExtension},
	{[]string{"hooks", "hooks.json"}, parseJSON, (*Inventory).codexHooks},
}

// localSettings are one person's own and count only where they were committed.
const localSettings = "settings.local.json"

// Local reports whether a file is a person's own unless it was committed.
func (f Found) Local() bool {
	return f.Steers == Project && sameName(path.Base(f.Path), localSettings)
}

// AtRoot reports whether it is a settings file of the whole tree.
func (f Found) AtRoot() bool {
	s, _ := hostFileOf(f.Path)
	return s != nil && strings.Count(f.Path, "/") == len(s.claim)-1
}

// hostFileOf finds the kind of a settings file. exact is false where the path only
// looks like it.
func hostFileOf(name string) (s *hostFile, exact bool) {
	parts := strings.Split(name, "/")
	for _, s := range settingsFiles {
		if len(parts) < len(s.claim) {
			continue
		}
		tail := parts[len(parts)-len(s.claim):]
		if slices.EqualFunc(tail, s.claim, likeName) {
			return &s, slices.EqualFunc(tail, s.claim, exactName)
		}
	}
	return nil, false
}

const anyJSONName = "*.json"

func likeName(name, claimed string) bool {
	if claimed == anyJSONName {
		return strings.HasSuffix(strings.ToLower(strings.TrimRight(name, " .")), ".json")
	}
	return sameName(name, claimed)
}

func exactName(name, claimed string) bool {
	return name == claimed || claimed == anyJSONName && strings.HasSuffix(name, ".json")
}

// settingsFolder reports whether a path is, or looks like, a folder that a host
// reads settings from.
func settingsFolder(name string) bool {
	parts := strings.Split(name, "/")
	for _, s := range settingsFiles {
		if !strings.HasPrefix(s.claim[0], ".") {
			continue // a folder of a common name
		}
		for n := 1; n < len(s.claim); n++ {
			if len(parts) >= n && slices.EqualFunc(parts[len(parts)-n:], s.claim[:n], sameName) {
				return true
			}
		}
	}
	return false
}

const skillFile = "SKILL.md"

// steers says which kind of inventory a file has, if any, and the name that it
// only looks like.
func steers(name string) (kind, meant string) {
	if s, exact := hostFileOf(name); s != nil {
		if !exact {
			meant = strings.Join(s.claim, "/")
		}
		return Project, meant
	}
	if sameName(path.Base(name), skillFile) {
		return Skill, ""
	}
	return "", ""
}

// skillPlace reports whether a link stands where hosts look for skills.
func skillPlace(name string) bool {
	parts := strings.Split(name, "/")
	return sameName(parts[len(parts)-1], "skills") || len(parts) > 1 && sameName(parts[len(parts)-2], "skills")
}

// lost is a link that leads nowhere where settings or a skill are looked for. Its
// inventory says no more than that.
func lost(name string) (f Found, ok bool) {
	kind, _ := steers(name)
	switch {
	case kind == "" && settingsFolder(name):
		kind = Project
	case kind == "" && skillPlace(name):
		kind = Skill
	}
	return Found{Path: name, Steers: kind, linked: true}, kind != ""
}
