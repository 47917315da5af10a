package finding

// SealingSchema names the form of the JSON of one seal.
const SealingSchema = "toolwarrant.seal/1"

// SealState is what became of one target that was to be sealed. The zero value
// wrote nothing.
type SealState string

// The states.
const (
	SealWritten SealState = "written"
	SealSame    SealState = "unchanged"
	SealDiffers SealState = "differs" // and nobody accepted it
	SealRefused SealState = "refused" // nothing was started, or nothing is worth sealing
	SealUnread  SealState = "unread"  // no lock is written, the old one stays
)

// Sealed is one target.
type Sealed struct {
	Name       string      `json:"name"`
	State      SealState   `json:"state"`
	Location   Location    `json:"location"`
	File       string      `json:"file"`
	Reason     string      `json:"reason,omitempty"`
	Launch     string      `json:"launch,omitempty"`
	Surface    string      `json:"surface,omitempty"`
	Accept     string      `json:"accept,omitempty"`
	Tools      int         `json:"tools"`
	Version    string      `json:"version,omitempty"` // of a plugin
	Findings   []Finding   `json:"findings"`
	Inspection *Inspection `json:"inspection,omitempty"`
	Next       string      `json:"next,omitempty"`
}

// Sealing is the result of one seal.
type Sealing struct {
	Schema   string   `json:"schema"`
	Outcome  Outcome  `json:"outcome"`
	ExitCode int      `json:"exitCode"`
	Sealed   []Sealed `json:"sealed"`
}

var sealOutcomes = map[SealState]Outcome{
	SealWritten: Clean, SealSame: Clean, SealDiffers: Refused, SealRefused: Refused, SealUnread: Undetermined,
}

// NewSealing takes the worst of its parts; without any there was nothing to
// seal, which is refused.
func NewSealing(parts []Sealed) Sealing {
	s := Sealing{Schema: SealingSchema, Outcome: Clean, Sealed: []Sealed{}}
	if len(parts) == 0 {
		s.Outcome = Refused
	}
	for _, p := range parts {
		if p.Findings == nil {
			p.Findings = []Finding{}
		}
		s.Sealed = append(s.Sealed, p)
		s.Outcome = s.Outcome.Worse(sealOutcomes[p.State])
	}
	return s
}
