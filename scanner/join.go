package scanner

import (
	"context"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// Join is the target of one declaration that the user named, with the lock that
// holds it.
func (r Repo) Join(e manifest.Entry) (Target, error) {
	targets, err := group([]manifest.Entry{e}, r.Locks)
	if err != nil {
		return Target{}, err
	}
	return targets[0], nil // the declared one comes first
}

// Startable reports whether the target is a program.
func (t Target) Startable() bool { return len(t.Declared) > 0 && !t.remote() }

// Command is the launch for people, without its secrets.
func (t Target) Command() []string { return shownCommand(t.Launch) }

// Pin says how far the declaration fixes what runs: immutable, exact, floating,
// lockfile, local, host, remote or indirect.
func (t Target) Pin() string { return t.pin() }

// Code is the digest of the repository code that the target runs.
func (o Options) Code(t Target) (string, error) {
	return CodeDigest(o.Head, t.base(), t.Declared[0].Launch)
}

// ProposeAll reads the targets whose start is approved, several at once, and
// returns what sealing each would write, in order.
func ProposeAll(ctx context.Context, o Options, r Repo, targets []Target, start []bool, launchOnly bool) []Proposal {
	out := make([]Proposal, len(targets))
	forEach(o.parallel(), len(targets), func(i int) {
		if !start[i] {
			out[i] = Proposal{Target: targets[i], File: lockPath(r, targets[i])}
			return
		}
		out[i] = Propose(ctx, o, r, targets[i], launchOnly)
	})
	return out
}

// Strict raises every change at warning or above to an escalation, and lets
// known findings count.
func Strict(r finding.Report) finding.Report {
	r.Outcome = finding.Clean
	raised := map[string]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Known = false
		if f.Level == finding.Warning {
			f.Outcome = finding.Escalation
		}
		if f.Level != finding.Note {
			r.Outcome = r.Outcome.Worse(f.Outcome)
			raised[f.Target] = raised[f.Target] || f.Outcome == finding.Escalation
		}
	}
	for i := range r.Targets {
		if raised[r.Targets[i].Name] {
			r.Targets[i].Status = finding.Escalated
		}
	}
	return r
}
