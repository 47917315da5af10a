package finding

// Outcome is the verdict over one target or a whole scan. The zero value is
// Undetermined: what was not judged is not clean.
type Outcome uint8

// The outcomes. Their order of gravity is given by [Outcome.Worse].
const (
	Undetermined Outcome = iota
	Clean
	Drift
	Refused
	Escalation
)

var outcomeNames = [...]string{"undetermined", "clean", "drift", "refused", "escalation"}

// gravity orders the outcomes: clean < drift < undetermined < refused < escalation.
var gravity = [...]int{Undetermined: 2, Clean: 0, Drift: 1, Refused: 3, Escalation: 4}

func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a name; an unknown one is Undetermined.
func (o *Outcome) UnmarshalText(b []byte) error {
	*o = Undetermined
	for i, name := range outcomeNames {
		if name == string(b) {
			*o = Outcome(i)
		}
	}
	return nil
}

// Worse returns the graver of two outcomes.
func (o Outcome) Worse(p Outcome) Outcome {
	if gravity[p] > gravity[o] {
		return p
	}
	return o
}

// outcomeOf is the outcome that a level implies.
func outcomeOf(l Level) Outcome {
	switch l {
	case Note:
		return Clean
	case Warning:
		return Drift
	}
	return Escalation
}
