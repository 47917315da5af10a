package finding

import "encoding/json"

// InspectionSchema names the form of the JSON of one inspection.
const InspectionSchema = "toolwarrant.inspect/1"

// Inspection is what one server declares and what was inferred from it.
type Inspection struct {
	Schema    string          `json:"schema"`
	Name      string          `json:"name"`
	Launch    json.RawMessage `json:"launch"` // as a lock stores it
	Pin       string          `json:"pin"`
	Artifact  *Artifact       `json:"artifact,omitempty"` // what the launch was resolved to
	Era       string          `json:"era"`                // legacy or modern
	Protocol  string          `json:"protocol"`
	Server    Server          `json:"server"`
	Tools     []ToolView      `json:"tools"`
	Resources []Declared      `json:"resources"`
	Templates []Declared      `json:"resourceTemplates"`
	Prompts   []Declared      `json:"prompts"`
	Unserved  []string        `json:"unserved"`
	Unread    []Unread        `json:"unread"`
	Surface   string          `json:"surface"` // digest, empty where not read in full
	Sandbox   Sandbox         `json:"sandbox"`
	Noise     Noise           `json:"noise"`
	Asked     []string        `json:"asked"` // requests that the server made and was refused
	Findings  []Finding       `json:"findings"`
	Failure   *Failure        `json:"failure,omitempty"`
	// Environment is for people: it differs from machine to machine.
	Environment Environment `json:"-"`
	Command     []string    `json:"-"`
	Dir         string      `json:"-"`
}

// Server is what a server says of itself.
type Server struct {
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Capabilities []string `json:"capabilities"`
	Instructions *string  `json:"instructions,omitempty"`
}

// ToolView is one tool with what was inferred about it.
type ToolView struct {
	Name          string          `json:"name"`
	Capabilities  []string        `json:"capabilities"`
	Inferences    []Inference     `json:"inferences"`
	Notes         []string        `json:"notes,omitempty"`
	Contradiction string          `json:"contradiction,omitempty"`
	Declaration   json.RawMessage `json:"declaration"`
	Description   string          `json:"-"`
	Notable       bool            `json:"-"`
}

// Inference is one capability with its confidence and evidence.
type Inference struct {
	Capability string     `json:"capability"`
	Confidence string     `json:"confidence"`
	Evidence   []Evidence `json:"evidence"`
}

// Declared is a resource, template or prompt.
type Declared struct {
	Key         string          `json:"key"`
	Declaration json.RawMessage `json:"declaration"`
}

// Unread is a list that could not be read, and why.
type Unread struct {
	List   string `json:"list"`
	Reason string `json:"reason"`
}

// Noise is output that was not protocol.
type Noise struct {
	Lines int `json:"lines"`
	Bytes int `json:"bytes"`
}

// Failure says why a server was not read in full.
type Failure struct {
	Stage     string `json:"stage"`
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
	LastWords string `json:"lastWords,omitempty"` // the server's own
	Hint      string `json:"hint,omitempty"`
}

// Environment is what a server is given; names only.
type Environment struct {
	Given    []Variable `json:"given"`
	Withheld []string   `json:"withheld"` // credential-shaped names, sorted
	Others   int        `json:"others"`   // further names that are not passed
	Exposed  int        `json:"exposed"`  // credential-shaped names that --inherit-env passes
}

// Variable is one variable a server would get.
type Variable struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // base, literal, placeholder, real or inherited
	Length int    `json:"length"`
}

// Complete reports whether everything was read.
func (i Inspection) Complete() bool {
	return i.Failure == nil && len(i.Unread) == 0 && i.Surface != ""
}

// Artifact is what a launch was resolved to.
type Artifact struct {
	ID             string   `json:"id"` // package URL
	Ecosystem      string   `json:"ecosystem"`
	Name           string   `json:"name"`
	Version        string   `json:"version,omitempty"`
	Integrity      string   `json:"integrity,omitempty"`
	Packages       int      `json:"packages,omitempty"` // of its tree
	Tree           string   `json:"tree,omitempty"`     // digest
	Bin            string   `json:"bin,omitempty"`
	InstallScripts []string `json:"installScripts,omitempty"`
}
