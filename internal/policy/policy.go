// Package policy reads .toolwarrant/policy.yaml: what a repository's owners let
// the gate accept. It is read at the anchor, so a change never loosens the run
// that judges it.
//
// The file is YAML 1.2 of one document without anchors, aliases, explicit tags
// and characters that do not show: a reviewer sees all of it. Every key and
// value is known or an error (rule policy/invalid) at its place. A file with an
// error loosens nothing: of its members only those count that tighten.
//
// docs/policy.schema.json describes the same file for editors; a test judges
// the same documents by both.
package policy

import "github.com/toolwarrant/toolwarrant/finding"

// File is where a policy lies, from the repository's root.
const File = ".toolwarrant/policy.yaml"

// MaxSize is the most bytes that a policy may have.
const MaxSize = 256 << 10

// Policy is one policy in full, defaults filled in. The zero value is broken
// and accepts nothing.
type Policy struct {
	Start          Start             `json:"start"`
	FailOn         FailOn            `json:"fail-on"`
	AnchorBranches []string          `json:"anchor-branches"` // beside the default branch; names, no patterns
	FailScope      Scope             `json:"fail-scope"`
	Approval       Approval          `json:"approval"`
	Approvers      []string          `json:"approvers"` // logins; see MayApprove
	Bumps          Bumps             `json:"bumps"`
	RequirePin     Pin               `json:"require-pin"`
	Network        Network           `json:"network"`
	OnDrift        OnDrift           `json:"on-drift"`
	Deny           Deny              `json:"deny"`
	Exclude        []Exclude         `json:"exclude"`
	Servers        map[string]Server `json:"servers"` // by the name that is declared, as it stands
	Publishers     Publishers        `json:"publishers"`
	Plugins        []Plugin          `json:"plugins"`
	Ignore         []Ignore          `json:"ignore"`

	file   string
	places map[string]finding.Location // of the members that stand in the file
	sound  bool
}

// Network is what our own requests may reach beyond public addresses.
type Network struct {
	Allow []Destination `json:"allow"`
}

// Publishers are the keys that sign plugins, each as the lower-case hex of the
// SHA-256 of its 32 bytes.
type Publishers struct {
	Trusted []string `json:"trusted"`
	Revoked []string `json:"revoked"`
}

// Plugin is an archive that no manifest names: URL with SHA256, or Git with
// Commit and Path.
type Plugin struct {
	Name   string           `json:"name"`
	URL    string           `json:"url,omitempty"`    // https
	SHA256 string           `json:"sha256,omitempty"` // 64 lower-case hex digits
	Git    string           `json:"git,omitempty"`    // https
	Commit string           `json:"commit,omitempty"` // 40 or 64 lower-case hex digits
	Path   string           `json:"path,omitempty"`   // slash-separated, from the root of Git
	At     finding.Location `json:"-"`
}

// Default is the policy of a repository without one.
func Default() Policy {
	return Policy{
		Start: StartApproved, FailOn: FailUndetermined, FailScope: ScopeTouched, RequirePin: PinNone,
		Servers: map[string]Server{}, sound: true,
	}
}

// Broken reports whether the file had an error. Nothing may then be started,
// and no approval counts.
func (p Policy) Broken() bool { return !p.sound }

// MayApprove reports whether the policy lets a login approve: everyone where it
// names no approvers. That the login may write is for the caller to see.
func (p Policy) MayApprove(login string) bool {
	if p.Broken() || login == "" {
		return false
	}
	return len(p.Approvers) == 0 || containsFold(p.Approvers, login)
}

// Fails reports whether an outcome fails the job of the action.
func (p Policy) Fails(o finding.Outcome) bool {
	least := [...]finding.Outcome{FailDrift: finding.Drift, FailUndetermined: finding.Undetermined, FailEscalation: finding.Escalation}
	return int(p.FailOn) < len(least) && least[p.FailOn].Worse(o) == o
}

// restricted is the default with what p tightens.
func (p Policy) restricted() Policy {
	d := Default()
	d.Start, d.FailOn, d.FailScope = min(d.Start, p.Start), min(d.FailOn, p.FailOn), min(d.FailScope, p.FailScope)
	d.Approval, d.Bumps, d.RequirePin = min(d.Approval, p.Approval), min(d.Bumps, p.Bumps), min(d.RequirePin, p.RequirePin)
	d.Approvers, d.Deny, d.Publishers.Revoked = p.Approvers, p.Deny, p.Publishers.Revoked
	d.file, d.places, d.sound = p.file, p.places, p.sound
	return d
}
