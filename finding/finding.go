// Package finding is the vocabulary of results: what was found, where, how bad
// it is, and what follows from it for the exit code. It holds data only; it
// reads no clock, file or network.
package finding

// Level is a finding's severity, in SARIF's words.
type Level string

// The levels, mildest first.
const (
	Note    Level = "note"
	Warning Level = "warning"
	Error   Level = "error"
)

// Cause says whether this commit or the world made a change.
type Cause string

// The causes.
const (
	Change   Cause = "change"   // the declaration or its lock was changed
	Upstream Cause = "upstream" // the world moved under an unchanged declaration
)

// Finding is one thing to tell. Build it with [New]: a finding without a
// location does not exist.
type Finding struct {
	Rule        string     `json:"rule"`
	Level       Level      `json:"level"`
	Cause       Cause      `json:"cause,omitempty"`
	Known       bool       `json:"known,omitempty"` // stands at the anchor too: shown, without effect
	Target      string     `json:"target,omitempty"`
	Message     string     `json:"message"`
	Hint        string     `json:"hint,omitempty"`
	Location    Location   `json:"location"`
	Related     []Location `json:"related,omitempty"`
	Evidence    []Evidence `json:"evidence,omitempty"`
	Fingerprint string     `json:"fingerprint,omitempty"`
	// Change is what differs, where the finding is about a difference.
	Change *ChangeItem `json:"change,omitempty"`
	// Outcome is set where the level alone does not say it: an event at refused
	// or undetermined is shown as an error but is not an escalation.
	Outcome Outcome `json:"outcome"`
}

// New is a finding of rule at a place. It panics without one: that is a bug of
// ours, not a property of what was scanned.
func New(rule string, level Level, at Location, message string) Finding {
	if at.IsZero() {
		panic("finding " + rule + " without a location")
	}
	return Finding{Rule: rule, Level: level, Location: at, Message: message, Outcome: outcomeOf(level)}
}

// As returns f with an outcome that its level does not imply.
func (f Finding) As(o Outcome) Finding { f.Outcome = o; return f }

// Evidence is what an inference rests on: the JSON path in the declaration, the
// signal that was seen there, and the server's own words.
type Evidence struct {
	Path   string `json:"path"`
	Signal string `json:"signal"`
	Quote  string `json:"quote,omitempty"`
}
