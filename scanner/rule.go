package scanner

import (
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// Rule is one thing that toolwarrant says, with its reason. An event with two
// levels has two rules: GitHub's severity is per rule.
type Rule struct {
	ID     string
	Title  string // one line, without a full stop
	Why    string // what an attacker or an accident does with it
	Remedy string
	Level  finding.Level
	// Outcome is what a finding means for the exit code where the level alone
	// does not say it.
	Outcome *finding.Outcome
	// Bad is an example on which the rule fires, Good one on which it does not.
	Bad, Good Example
	check     func(Subject, Rule) []finding.Finding
}

// Example is a runnable example of a rule. Of its parts only those are set that
// the rule looks at.
type Example struct {
	File      string // path of a configuration, with Manifest its text
	Manifest  string
	Submodule bool              // File is one
	Beside    map[string]string // other files of the tree
	Old, New  string            // surfaces as JSON: tools, resources, prompts, instructions
	Lock      string            // a lock's text
	State     state
	Reason    string   // why a surface was not read
	Others    []string // names of other servers' tools
	Files     []string
	ReadLive  bool
	Moves     packageMoves // packages that differ between the two
	Unread    bool         // what New was resolved to was not started
	Live      bool         // New was read, and the declaration did not change
	Reviewed  string
	Seen      Sighting
	Policy    string            // a policy's text
	Inputs    map[string]string // one input of the action, beside Policy
}

// Subject is one target as the rules see it. Rules read it and nothing else.
type Subject struct {
	Name     string
	At       finding.Location // the declaration, or the lock where nothing is declared
	LockAt   finding.Location
	State    state
	Reason   string // why it was not read
	Hint     string
	Declared []manifest.Entry
	File     []finding.Finding // about files as a whole
	Invalid  *lockfile.InvalidError
	Old, New *lockfile.Entry // capabilities of both inferred by this program
	Changes  []lockfile.Change
	Others   surface.ToolNames // of the tools of other targets
	Cause    finding.Cause
	Files    []string
	Reviewed string                      // the step between two review states
	cued     map[changeKey][]surface.Cue // what the rules found in the words so far
	none     bool                        // there is nothing to tell
	Seen     Sighting
	readLive bool         // the surface behind a changed launch was read in this run
	moves    packageMoves // between the trees of both sides
	// bytesUnread: the lock of a change names other bytes than the anchor's, and
	// they were not started.
	bytesUnread bool
	stale       bool // its lock is of another launch
	stands      bool // the declaration stands at the anchor: what is told of it is known
}

// state is how declaration, lock and reading stand to each other. The zero
// value is unread.
type state int

const (
	unread        state = iota // it could not be read; Reason says why
	compared                   // Old and New are both there
	notSealed                  // declared, and no lock holds it
	launchMoved                // declared otherwise than the lock that lists its place
	notDeclared                // a lock that nothing declares
	lockInvalid                // a lock that is not believed
	notApproved                // sealed, but nobody with a say approved the start
	notUnderstood              // the declaration was not understood in full
	offered                    // read, and no lock to compare with
	vanished                   // every tool is gone
	unstable                   // two listings of one run differ
	probeDiffers               // read in another way than the lock
	pending                    // a launch whose surface nobody has read yet
	barred                     // a disabled or revoked lock that a host would load
	launchNew                  // a lock that has no predecessor
	lockGone                   // a lock that has no successor
	localChanged               // the repository code that a launch runs is not the anchor's; Files names it
	unpinned                   // the policy requires a pin that the launch does not have
	lockEdited                 // the lock says otherwise than the server; Files names what
	tampered                   // bytes are not those that are locked; Reason names the file
	unconfined                 // it may be started, and nothing would confine it
	notJudged                  // a whole run that judged nothing
)

// new is a finding of this rule about s.
func (r Rule) new(s Subject, at finding.Location, message string) finding.Finding {
	f := finding.New(r.ID, r.Level, at, message)
	f.Target, f.Cause = s.Name, s.Cause
	if r.Outcome != nil {
		f = f.As(*r.Outcome)
	}
	return f
}

func outcome(o finding.Outcome) *finding.Outcome { return &o }

// Rules lists every rule in the order in which findings are told.
func Rules() []Rule { return rules }

// Find returns the rule with an id.
func Find(id string) (Rule, bool) {
	for _, r := range rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// judge runs every rule over one subject.
func judge(s Subject) []finding.Finding {
	s.cued = map[changeKey][]surface.Cue{}
	var out []finding.Finding
	for _, r := range rules {
		out = append(out, r.check(s, r)...)
	}
	return out
}
