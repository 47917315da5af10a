package finding

// PluginSchema names the form of the JSON of one checked plugin archive.
const PluginSchema = "toolwarrant.plugin/1"

// PluginVerdict is what became of an archive. The zero value judged nothing.
type PluginVerdict string

// The verdicts.
const (
	Accepted PluginVerdict = "accept"
	Rejected PluginVerdict = "reject"
)

// Plugin is one checked plugin archive.
type Plugin struct {
	Schema             string          `json:"schema"`
	File               string          `json:"file"`
	Pinned             bool            `json:"pinned"` // the archive's digest was given
	Strict             bool            `json:"strict"` // doubts reject
	Verdict            PluginVerdict   `json:"verdict"`
	Reason             string          `json:"reason,omitempty"`
	Outcome            Outcome         `json:"outcome"`
	ExitCode           int             `json:"exitCode"`
	ArchiveSHA256      string          `json:"archiveSha256,omitempty"` // hex
	ArchiveBytes       int             `json:"archiveBytes"`
	PackageFingerprint string          `json:"packageFingerprint,omitempty"` // hex
	Signature          PluginSignature `json:"signature"`
	ID                 string          `json:"id"`
	Version            string          `json:"version"`
	Name               string          `json:"name"`
	Publisher          string          `json:"publisher"`
	Files              int             `json:"files"` // listed ones
	Inventory          []PluginItem    `json:"inventory"`
	Findings           []Finding       `json:"findings"`
}

// PluginSignature is the state of a package's signature. A valid one says who
// signed, not that anybody trusts them.
type PluginSignature struct {
	Present              bool   `json:"present"`
	Valid                bool   `json:"valid"`
	Trusted              bool   `json:"trusted"`                        // the policy at the anchor trusts the key
	PublisherFingerprint string `json:"publisherFingerprint,omitempty"` // hex
}

// PluginItem is one thing that a plugin runs, or that makes others do something.
type PluginItem struct {
	Kind   string   `json:"kind"`
	Place  string   `json:"place"`
	Text   []string `json:"text"`
	Digest string   `json:"digest"`
}

// UnreadPlugin is the result for an archive that was not judged: outcome and reason
// say why.
func UnreadPlugin(file string, o Outcome, reason string) Plugin {
	return Plugin{Schema: PluginSchema, File: file, Outcome: o, Reason: reason, Inventory: []PluginItem{}, Findings: []Finding{}}
}
