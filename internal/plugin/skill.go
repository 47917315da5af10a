package plugin

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// skillManifest is the manifest of a skill (skill.v1).
type skillManifest struct {
	Protocol    string   `json:"protocol"`
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Publisher   string   `json:"publisher"`
	Description string   `json:"description"`
	Profiles    []string `json:"profiles"`
	Surfaces    []string `json:"surfaces"`
	Phases      []string `json:"phases"`
	Roles       []string `json:"roles"`
	User        bool     `json:"user_invocable"`
	Model       bool     `json:"model_invocable"`
	Explicit    bool     `json:"explicit_only"`
	Tools       []string `json:"tool_dependencies"`
	ContentPath string   `json:"content_path"`
	SHA256      string   `json:"content_sha256"`
	Bytes       int      `json:"content_bytes"`
	Tokens      int      `json:"content_token_upper_bound"`
}

// skillTools are the tools that a skill may depend on, and skillProfiles what
// each profile allows of those that do more than read.
var (
	skillTools    = []string{"list_workspace", "read_file", "replace_file", "script_process"}
	skillReads    = skillTools[:2]
	skillProfiles = map[string]string{"code": "replace_file", "learn": "", "review": "", "script": "script_process"}
)

// readSkill reads and judges the two files of a skill.
func readSkill(s Skill, publisher string, files map[string][]byte, d *doubts) (skillManifest, *Problem) {
	var m skillManifest
	data, content := files[s.Manifest], files[s.Content]
	if len(data) == 0 || len(data) > maxSkillManifest {
		return m, wrong(ruleContent, s.Manifest, "it has not 1 to %d bytes", maxSkillManifest)
	}
	if err := decode(data, &m); err != nil {
		return m, wrong(ruleContent, s.Manifest, "%v", err)
	}
	d.doubtJSON(s.Manifest, data, m)
	if m.Name != s.Name || m.ContentPath != path.Base(s.Content) || m.Publisher != "" && m.Publisher != publisher {
		return m, wrong(ruleContent, s.Manifest, "its name, content path or publisher is not the plugin's")
	}
	if err := m.judge(); err != nil {
		return m, wrong(ruleContent, s.Manifest, "%v", err)
	}
	if err := m.judgeContent(content); err != nil {
		return m, wrong(ruleContent, s.Content, "%v", err)
	}
	if hides(string(content)) {
		d.add(ruleHidden, s.Content, "a model reads characters in it that do not show")
	}
	return m, nil
}

func (m skillManifest) judge() error {
	const maxName, maxDescription, maxDigits = 64, 512, 9
	switch {
	case m.Protocol != "skill.v1":
		return errors.New(`its protocol is not "skill.v1"`)
	case !skillName(m.Name, maxName):
		return fmt.Errorf("its name is not at most %d of a-z, 0-9 and -, starting with a letter", maxName)
	case !version(m.Version, maxDigits):
		return fmt.Errorf("its version is not three numbers of at most %d digits", maxDigits)
	case m.Description == "" || strings.TrimSpace(m.Description) != m.Description || utf8.RuneCountInString(m.Description) > maxDescription || control(m.Description):
		return fmt.Errorf("its description is not 1 to %d characters on one line", maxDescription)
	case !contentPath(m.ContentPath):
		return errors.New("its content path is no relative path to Markdown")
	}
	if err := m.judgeProfiles(); err != nil {
		return err
	}
	return m.judgeTools()
}

func skillName(s string, limit int) bool {
	plain := strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	return s != "" && len(s) <= limit && plain && s[0] >= 'a' && s[0] <= 'z' && s[len(s)-1] != '-'
}

// contentPath is the path of a skill's text. As a base name it has one segment.
func contentPath(p string) bool {
	const most = 256
	return cleanPath(p) && len(p) <= most && utf8.ValidString(p) && strings.HasSuffix(p, ".md")
}

// judgeProfiles wants lists sorted or in the format's order, and nothing twice.
func (m skillManifest) judgeProfiles() error {
	if len(m.Profiles) == 0 {
		return errors.New("it has no profile")
	}
	for _, list := range []struct {
		name   string
		values []string
		order  []string
	}{
		{"profiles", m.Profiles, []string{"code", "learn", "review", "script"}},
		{"surfaces", m.Surfaces, []string{"code", "cyber"}},
		{"phases", m.Phases, []string{"plan", "deliver"}},
		{"roles", m.Roles, []string{"root", "specialist"}},
	} {
		if !ordered(list.values, list.order) {
			return fmt.Errorf("its %s are unknown, repeated or not in order", list.name)
		}
	}
	return nil
}

// ordered reports whether values are some of order, in its order, none twice.
func ordered(values, order []string) bool {
	last := -1
	for _, v := range values {
		i := slices.Index(order, v)
		if i <= last {
			return false
		}
		last = i
	}
	return true
}

func (m skillManifest) judgeTools() error {
	const most = 8
	if m.Tools == nil || len(m.Tools) > most || !ordered(m.Tools, skillTools) {
		return fmt.Errorf("its tool dependencies are not a list of at most %d known names, sorted", most)
	}
	for _, tool := range m.Tools {
		for _, profile := range m.Profiles {
			if !slices.Contains(skillReads, tool) && skillProfiles[profile] != tool {
				return fmt.Errorf("the profile %s does not allow the tool %s", profile, tool)
			}
		}
	}
	return nil
}

func (m skillManifest) judgeContent(content []byte) error {
	switch {
	case len(content) == 0 || len(content) > maxSkillText || !utf8.Valid(content) || !inert(string(content)):
		return fmt.Errorf("it is not 1 to %d bytes of plain text", maxSkillText)
	case m.Bytes != len(content) || m.Tokens != len(content):
		return errors.New("its length is not what the skill's manifest says")
	case m.SHA256 != sum(content):
		return errors.New("its SHA-256 is not what the skill's manifest says")
	}
	return nil
}
