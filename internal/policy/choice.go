package policy

// The members that take one word of a closed list. Each list begins with the
// strictest word, so that the zero value is the safe one and the lesser of two
// values the stricter.

// Start says what scan may start.
type Start uint8

// The values of start.
const (
	StartNever    Start = iota
	StartApproved       // launches that the anchor approves; the default
)

var startWords = []string{"never", "approved"}

func (s Start) String() string { return startWords[s] }

// MarshalText writes the word of the file.
func (s Start) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// FailOn is the mildest outcome that fails the job of the action.
type FailOn uint8

// The values of fail-on.
const (
	FailDrift        FailOn = iota
	FailUndetermined        // the default
	FailEscalation
	FailNever
)

var failOnWords = []string{"drift", "undetermined", "escalation", "never"}

func (f FailOn) String() string { return failOnWords[f] }

// MarshalText writes the word of the file.
func (f FailOn) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Scope says what counts on a pull request.
type Scope uint8

// The values of fail-scope.
const (
	ScopeAll     Scope = iota
	ScopeTouched       // what the change touches; the default
)

var scopeWords = []string{"all", "touched"}

func (s Scope) String() string { return scopeWords[s] }

// MarshalText writes the word of the file.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Approval says whose word turns a proposal's job green.
type Approval uint8

// The values of approval.
const (
	ApprovalReview     Approval = iota // a review of exactly this head; the default
	ApprovalCodeowners                 // branch protection alone
)

var approvalWords = []string{"review", "codeowners"}

func (a Approval) String() string { return approvalWords[a] }

// MarshalText writes the word of the file.
func (a Approval) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// Bumps says what a change of a package's version alone needs.
type Bumps uint8

// The values of bumps.
const (
	BumpsReview Bumps = iota // the default
	BumpsLive                // the head's sealed tree may be started, sandboxed
)

var bumpsWords = []string{"review", "live"}

func (b Bumps) String() string { return bumpsWords[b] }

// MarshalText writes the word of the file.
func (b Bumps) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Pin is how firmly a launch must name what it runs.
type Pin uint8

// The values of require-pin.
const (
	PinImmutable Pin = iota // a digest or commit
	PinExact                // at least an exact version
	PinNone                 // the default
)

var pinWords = []string{"immutable", "exact", "none"}

func (p Pin) String() string { return pinWords[p] }

// MarshalText writes the word of the file.
func (p Pin) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// OnDrift says how a scheduled run tells of drift, loudest first.
type OnDrift uint8

// The values of on-drift.
const (
	DriftIssue OnDrift = iota // the default
	DriftPullRequest
	DriftNone
)

var onDriftWords = []string{"issue", "pull-request", "none"}

func (o OnDrift) String() string { return onDriftWords[o] }

// MarshalText writes the word of the file.
func (o OnDrift) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Local says which repository code may run though it differs from the anchor's.
type Local uint8

// The values of servers.NAME.local.
const (
	LocalAnchor         Local = iota // none; what a server without the member gets
	LocalSameRepository              // changed by a pull request of the same repository, with placeholders only
)

// localWords has no word for the default: a server without the member gets it.
var localWords = []string{"", "same-repository"}

func (l Local) String() string { return localWords[l] }

// MarshalText writes the word of the file.
func (l Local) MarshalText() ([]byte, error) { return []byte(l.String()), nil }
