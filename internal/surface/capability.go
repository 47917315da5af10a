package surface

import "slices"

// Capability is what a tool can do, by contract.md's vocabulary.
type Capability string

// The capabilities.
const (
	Exec         Capability = "exec"
	FSRead       Capability = "fs.read"
	FSWrite      Capability = "fs.write"
	Net          Capability = "net" // a destination the caller chooses
	ServiceRead  Capability = "service.read"
	ServiceWrite Capability = "service.write"
	Destructive  Capability = "destructive"
	Credentials  Capability = "credentials"
	Send         Capability = "send" // to people or in public
	Spend        Capability = "spend"
	Control      Capability = "control" // drives a browser, desktop or device
	Pure         Capability = "pure"    // nothing outside its input
	Unknown      Capability = "unknown"
)

var elevated = []Capability{Exec, FSWrite, Net, ServiceWrite, Destructive, Credentials, Send, Spend, Control}

// Elevated reports whether gaining c is an escalation.
func (c Capability) Elevated() bool { return slices.Contains(elevated, c) }

// Confidence is how much an inference rests on.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Evidence is one reason for an inference: where in the declaration, what was
// seen there, and the words themselves.
type Evidence struct {
	Path   string // JSON path in the tool, as "description" or "inputSchema.properties.url"
	Signal string
	Quote  string
}

// Inference is one capability with what it rests on.
type Inference struct {
	Capability Capability
	Confidence Confidence
	Evidence   []Evidence
}

// Verdict is what was inferred about one tool. No inference means unknown,
// which is not a low risk.
type Verdict struct {
	Inferences    []Inference // sorted by capability, each at most once
	Notes         []string    // such as "takes a credential"
	Contradiction string      // a claim of the server that the inference contradicts
}

// Capabilities lists the inferred capabilities, sorted, or unknown alone.
func (v Verdict) Capabilities() []Capability {
	if len(v.Inferences) == 0 {
		return []Capability{Unknown}
	}
	out := make([]Capability, len(v.Inferences))
	for i, inf := range v.Inferences {
		out[i] = inf.Capability
	}
	return out
}
