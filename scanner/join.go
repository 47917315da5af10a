package scanner

import (
	"context"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
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
	return o.codeOf(t).digest(o.Head, o.tracked(), t.Declared[0].Launch)
}

func (o Options) tracked() tracked { return tracked{o.Tracked, o.Staged} }

// ProposeAll reads the targets whose start is approved, several at once, and
// returns what sealing each would write, in order.
func ProposeAll(ctx context.Context, o Options, r Repo, targets []Target, start []bool, launchOnly bool) []Proposal {
	out := make([]Proposal, len(targets))
	files := allocate(r, targets)
	forEach(o.parallel(), len(targets), func(i int) {
		if !start[i] {
			out[i] = Proposal{Target: targets[i], File: files[i]}
			return
		}
		out[i] = Propose(ctx, o, r, targets[i], launchOnly)
		out[i].File = files[i]
	})
	return out
}

// allocate names the locks of one run, each at most once: where two targets
// would share a file, the later one is named by its place and launch.
func allocate(r Repo, targets []Target) []string {
	out := make([]string, len(targets))
	used := map[string]bool{}
	for i, t := range targets {
		if out[i] = LockFile(r, t); used[out[i]] {
			out[i] = inLockDir(lockfile.FileNameAt(t.Name, strings.Join(t.Places(), "\n")+t.Launch.Digest))
		}
		used[out[i]] = true
	}
	return out
}

// Strict raises every change at warning or above to an escalation, and lets
// known findings count. What was only observed of a server stays what it is.
func Strict(r finding.Report) finding.Report {
	r.Outcome = finding.Clean
	raised := map[finding.Location]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if strings.HasPrefix(f.Rule, "sandbox/") {
			if !f.Known {
				r.Outcome = r.Outcome.Worse(f.Outcome)
			}
			continue
		}
		f.Known = false
		if f.Level == finding.Warning || f.Level == finding.Error && f.Outcome == finding.Clean {
			f.Outcome = finding.Escalation
		}
		if f.Level != finding.Note {
			r.Outcome = r.Outcome.Worse(f.Outcome)
			raised[f.Location] = raised[f.Location] || f.Outcome == finding.Escalation
		}
	}
	for i := range r.Targets {
		if raised[r.Targets[i].Location] {
			r.Targets[i].Status = finding.Escalated
		}
	}
	r.Proposal = r.Proposal && approvable(r.Findings)
	return r
}
