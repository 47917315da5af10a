package plugin

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Snapshot is what a host of plugin.v1 keeps of a server's lists. The order of
// the members is that of the fingerprint.
type Snapshot struct {
	Protocol    string     `json:"protocol_version"`
	Name        string     `json:"server_name"`
	Version     string     `json:"server_version"`
	Negotiated  []string   `json:"negotiated"`
	Tools       []Tool     `json:"tools"`
	Resources   []Resource `json:"resources"`
	Prompts     []Prompt   `json:"prompts"`
	Fingerprint string     `json:"fingerprint"`
	At          string     `json:"discovered_at"`
}

// Tool is one tool of a snapshot.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// Resource is one resource of a snapshot.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mime_type,omitempty"`
}

// Prompt is one prompt of a snapshot.
type Prompt struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// ParseSnapshot reads a snapshot.
func ParseSnapshot(data []byte) (Snapshot, error) {
	var s Snapshot
	err := decode(data, &s)
	return s, err
}

// Compute is the fingerprint of the capabilities: of the lists sorted, without
// the moment and the fingerprint itself. A title or an annotation that changed
// does not show in it, which is why a lock of ours has digests of its own.
func (s Snapshot) Compute() string {
	s.Fingerprint, s.At = "", "0001-01-01T00:00:00Z"
	s.Negotiated, s.Tools, s.Resources, s.Prompts = slices.Clone(s.Negotiated), slices.Clone(s.Tools), slices.Clone(s.Resources), slices.Clone(s.Prompts)
	slices.Sort(s.Negotiated)
	slices.SortStableFunc(s.Tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(s.Resources, func(a, b Resource) int { return cmp.Compare(a.URI, b.URI) })
	slices.SortStableFunc(s.Prompts, func(a, b Prompt) int { return cmp.Compare(a.Name, b.Name) })
	return fingerprint(s)
}
