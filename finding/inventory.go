package finding

// InventoryItem is one thing that a settings file or a skill makes a host do or
// forbear. Nothing of it was run.
type InventoryItem struct {
	Kind   string   `json:"kind"`
	Place  string   `json:"place"` // a file, perhaps with a JSON pointer behind "#"
	Line   int      `json:"line"`
	Text   []string `json:"text"` // foreign text, without its secret parts
	When   string   `json:"when"` // when it runs or counts
	Digest string   `json:"digest"`
}
