package finding

import "encoding/json"

// The forms of further JSON results.
const (
	ListSchema        = "toolwarrant.list/1"
	EnvironmentSchema = "toolwarrant.env/1"
	LockSchema        = "toolwarrant.show/1"
	PluginLockSchema  = "toolwarrant.show-plugin/1"
)

// Listing is what a repository declares and seals.
type Listing struct {
	Schema  string    `json:"schema"`
	Files   []string  `json:"files"`
	Servers []Listed  `json:"servers"`
	Plugins []Listed  `json:"plugins"`
	Invalid []Finding `json:"invalid"` // locks that are not believed
	Unread  []Finding `json:"unread"`  // files that could not be read, and what is wrong with others
}

// Listed is one declared or sealed server, or a plugin, which has neither a command
// nor a launch, and whose surface is its package.
type Listed struct {
	Name     string    `json:"name"`
	State    string    `json:"state"` // sealed, changed, not-sealed, not-declared, launch-approved, disabled, revoked, inactive or not-understood
	Location Location  `json:"location"`
	Places   []string  `json:"places"`
	Pin      string    `json:"pin,omitempty"`
	Command  []string  `json:"command"`
	Launch   string    `json:"launch"`
	Surface  string    `json:"surface,omitempty"`
	Lock     string    `json:"lock,omitempty"`
	Tools    int       `json:"tools"`
	Clients  []Client  `json:"clients"`
	Findings []Finding `json:"findings"`
}

// Question is what a person decides about who approves a start.
type Question struct {
	Name     string
	Command  []string
	Bindings []Bound
	Location Location
	Pin      string
	Findings []Finding
}

// Bound is something beside the command that shapes a start.
type Bound struct{ Kind, Name, Value string }

// Environments tells what servers would get.
type Environments struct {
	Schema  string              `json:"schema"`
	Servers []ServerEnvironment `json:"servers"`
}

// ServerEnvironment is what one server would get.
type ServerEnvironment struct {
	Name        string      `json:"name"`
	Environment Environment `json:"environment"`
}

// LockView is a lock for people and programs; Inspection holds its surface.
type LockView struct {
	Schema     string      `json:"schema"`
	File       string      `json:"file"`
	Places     []string    `json:"places"`
	State      string      `json:"state"`
	LaunchID   string      `json:"launchDigest"`
	Variables  []string    `json:"variables"` // names that the launch binds
	Inspection *Inspection `json:"surface,omitempty"`
}

// PluginLockView is a lock of a plugin for people and programs.
type PluginLockView struct {
	Schema   string              `json:"schema"`
	File     string              `json:"file"`
	Name     string              `json:"name"`
	Places   []string            `json:"places"`
	Versions []PluginVersionView `json:"versions"`
}

// PluginVersionView is one version of it.
type PluginVersionView struct {
	Version          string       `json:"version"`
	State            string       `json:"state"`
	Source           string       `json:"source"`
	Pin              string       `json:"pin"`
	Archive          string       `json:"archive"`
	Package          string       `json:"package"`
	Signature        string       `json:"signature"`
	Publisher        string       `json:"publisher,omitempty"` // fingerprint of the key
	ConfirmUntrusted bool         `json:"confirmUntrusted"`
	Only             []string     `json:"only,omitempty"`
	Inventory        []PluginItem `json:"inventory"`
	Skills           []PluginItem `json:"skills"` // Kind skill, Place the name
}

// Explanation is a rule for people and programs.
type Explanation struct {
	ID      string `json:"id"`
	Level   Level  `json:"level"`
	Outcome string `json:"outcome"`
	Title   string `json:"title"`
	Why     string `json:"why"`
	Remedy  string `json:"remedy"`
	Bad     Sample `json:"bad"`
	Good    Sample `json:"good"`
}

// Sample is an example on which a rule fires, or does not.
type Sample struct {
	File     string          `json:"file,omitempty"`
	Manifest string          `json:"manifest,omitempty"`
	Old      json.RawMessage `json:"old,omitempty"`
	New      json.RawMessage `json:"new,omitempty"`
	Text     string          `json:"text,omitempty"`
}
