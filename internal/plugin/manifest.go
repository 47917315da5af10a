package plugin

import (
	"slices"
	"strings"
)

// The names of the format's documents.
const (
	manifestProtocol  = "plugin.v1"
	signatureProtocol = "plugin-signature.v1"
)

// Manifest is plugin.json.
type Manifest struct {
	Protocol     string   `json:"protocol_version"`
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Publisher    string   `json:"publisher"`
	Description  string   `json:"description"`
	Capabilities []string `json:"capabilities"`
	Files        []File   `json:"files"`
	Skills       []Skill  `json:"skills"`
	Servers      []Server `json:"mcp_servers"`
	Interface    *UI      `json:"ui_metadata"`
	Hooks        []Hook   `json:"hooks"`
}

// File is one listed file.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"` // lower-case hex
	Bytes  int    `json:"bytes"`
}

// Skill names the two files of a skill.
type Skill struct {
	Name     string `json:"name"`
	Manifest string `json:"manifest_path"`
	Content  string `json:"content_path"`
}

// Server is an MCP server that the plugin brings along.
type Server struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Transport    string   `json:"transport"`
	Target       string   `json:"target"`
	Arguments    []string `json:"arguments"`
	Credential   string   `json:"credential_ref"`
	Capabilities []string `json:"declared_capabilities"`
	Timeout      int64    `json:"call_timeout_ms"`
	MaxResult    int      `json:"max_result_bytes"`
}

// UI is what a host shows of a plugin.
type UI struct {
	Name        string `json:"display_name"`
	Description string `json:"description"`
	Icon        string `json:"icon_path"`
}

// kinds are the kinds of contributions, and whether a manifest has any.
func (m *Manifest) kinds() map[string]bool {
	return map[string]bool{
		"skills": len(m.Skills) > 0, "mcp_servers": len(m.Servers) > 0, "ui_metadata": m.Interface != nil, "hooks": len(m.Hooks) > 0,
	}
}

// file finds a listed file.
func (m *Manifest) file(path string) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == path })
}

// readManifest reads and judges plugin.json.
func readManifest(data []byte, d *doubts) (Manifest, *Problem) {
	var m Manifest
	if len(data) < 2 || len(data) > maxManifest {
		return m, wrong(ruleManifest, manifestName, "it is missing, or has not 2 to %d bytes", maxManifest)
	}
	if err := decode(data, &m); err != nil {
		return m, wrong(ruleManifest, manifestName, "%v", err)
	}
	d.doubtJSON(manifestName, data, m)
	for _, judge := range []func() *Problem{m.judgeIdentity, m.judgeCapabilities, m.judgeFiles, m.judgeSkills, m.judgeServers, m.judgeUI, m.judgeHooks} {
		if p := judge(); p != nil {
			return m, p
		}
	}
	return m, nil
}

func bad(pointer, format string, args ...any) *Problem {
	return wrong(ruleManifest, manifestName+"#"+pointer, format, args...)
}

func (m *Manifest) judgeIdentity() *Problem {
	const maxName, maxDescription, kinds = 256, 4096, 4
	switch {
	case m.Protocol != manifestProtocol:
		return bad("/protocol_version", "it is not %q", manifestProtocol)
	case !identity(m.ID):
		return bad("/id", "it is no identity: 1 to %d bytes of plain text without a slash", maxIdentity)
	case !named(m.Name, maxName):
		return bad("/name", "it is not 1 to %d bytes of plain text", maxName)
	case !version(m.Version, 0):
		return bad("/version", "it is not three numbers")
	case !named(m.Publisher, maxName):
		return bad("/publisher", "it is not 1 to %d bytes of plain text", maxName)
	case !named(m.Description, maxDescription):
		return bad("/description", "it is not 1 to %d bytes of plain text", maxDescription)
	case len(m.Capabilities) == 0 || len(m.Capabilities) > kinds:
		return bad("/capabilities", "there are not 1 to %d", kinds)
	}
	return nil
}

func (m *Manifest) judgeCapabilities() *Problem {
	kinds := m.kinds()
	for _, c := range m.Capabilities {
		if _, known := kinds[c]; !known {
			return bad("/capabilities", "there is no kind %s", quote(c))
		}
	}
	if c, twice := repeated(m.Capabilities); twice {
		return bad("/capabilities", "%s is there twice", quote(c))
	}
	for _, kind := range []string{"skills", "mcp_servers", "ui_metadata", "hooks"} {
		if declared := slices.Contains(m.Capabilities, kind); declared != kinds[kind] {
			return bad("/capabilities", "%s is declared and not there, or there and not declared", kind)
		}
	}
	return nil
}

func (m *Manifest) judgeFiles() *Problem {
	if len(m.Files) > maxFiles {
		return bad("/files", "it lists more than %d files", maxFiles)
	}
	var paths []string
	for _, f := range m.Files {
		switch {
		case !cleanPath(f.Path) || !listedPath(f.Path):
			return bad("/files", "%s is no path that the format knows", quote(f.Path))
		case !digest(f.SHA256):
			return bad("/files", "the SHA-256 of %s is not 64 lower-case hex digits", quote(f.Path))
		case f.Bytes < 0 || f.Bytes > maxContent:
			return bad("/files", "the length of %s is not 0 to %d", quote(f.Path), maxContent)
		}
		paths = append(paths, f.Path)
	}
	if p, twice := repeated(paths); twice {
		return bad("/files", "%s is listed twice", quote(p))
	}
	return nil
}

func (m *Manifest) judgeSkills() *Problem {
	if len(m.Skills) > maxSkills {
		return bad("/skills", "there are more than %d", maxSkills)
	}
	var names []string
	for _, s := range m.Skills {
		folder := "skills/" + s.Name + "/"
		for _, p := range []string{s.Manifest, s.Content} {
			if !identity(s.Name) || !cleanPath(p) || !strings.HasPrefix(p, folder) || !m.file(p) {
				return bad("/skills", "the skill %s has a file that is not listed below its folder", quote(s.Name))
			}
		}
		names = append(names, s.Name)
	}
	if n, twice := repeated(names); twice {
		return bad("/skills", "%s is there twice", quote(n))
	}
	return nil
}

func (m *Manifest) judgeServers() *Problem {
	if len(m.Servers) > maxServers {
		return bad("/mcp_servers", "there are more than %d", maxServers)
	}
	var ids []string
	for _, s := range m.Servers {
		if err := s.descriptor().judge(); err != nil {
			return bad("/mcp_servers", "the server %s: %v", quote(s.ID), err)
		}
		ids = append(ids, s.ID)
	}
	if id, twice := repeated(ids); twice {
		return bad("/mcp_servers", "%s is there twice", quote(id))
	}
	return nil
}

func (m *Manifest) judgeUI() *Problem {
	const maxName, maxDescription = 256, 2048
	switch u := m.Interface; {
	case u == nil:
		return nil
	case !named(u.Name, maxName):
		return bad("/ui_metadata/display_name", "it is not 1 to %d bytes of plain text", maxName)
	case !text(u.Description, maxDescription):
		return bad("/ui_metadata/description", "it is not at most %d bytes of plain text", maxDescription)
	case u.Icon != "" && (!m.file(u.Icon) || !strings.HasSuffix(u.Icon, ".png") && !strings.HasSuffix(u.Icon, ".webp")):
		return bad("/ui_metadata/icon_path", "it is no image that is listed")
	}
	return nil
}

func (m *Manifest) judgeHooks() *Problem {
	if len(m.Hooks) > maxHooks {
		return bad("/hooks", "there are more than %d", maxHooks)
	}
	var ids []string
	for _, h := range m.Hooks {
		if err := h.judge(); err != nil {
			return bad("/hooks", "the hook %s: %v", quote(h.ID), err)
		}
		ids = append(ids, h.ID)
	}
	if id, twice := repeated(ids); twice {
		return bad("/hooks", "%s is there twice", quote(id))
	}
	return nil
}
