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
	Source             *PluginSource   `json:"source,omitempty"`        // of one that was fetched from git
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

// PluginSource is a place in a git repository at one commit.
type PluginSource struct {
	Commit string `json:"commit"` // its full id
	Path   string `json:"path"`   // of a file, or of a folder, which ends in a slash
	Reach  Reach  `json:"reach"`
	Digest string `json:"digest,omitempty"` // of a folder's paths, modes and contents
	Files  int    `json:"files,omitempty"`  // of a folder
}

// Reach says whether a commit belongs to the repository that served it. Hosts that
// keep forks in one store serve the commits of each under the name of all.
type Reach string

// The answers, which are the repository's own.
const (
	Reached   Reach = "reached"   // a branch or tag leads to it
	Unreached Reach = "unreached" // none does
	Unknown   Reach = "unknown"   // it does not tell, or not cheaply
)

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
