package scanner

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

// inState is the check of a rule that fires once on every subject in a state.
func inState(st state, message func(Subject) string) func(Subject, Rule) []finding.Finding {
	return func(s Subject, r Rule) []finding.Finding {
		if s.State != st {
			return nil
		}
		f := r.new(s, s.At, message(s))
		f.Hint = s.Hint
		if !s.LockAt.IsZero() && s.LockAt != s.At {
			f.Related = []finding.Location{s.LockAt}
		}
		return []finding.Finding{f}
	}
}

func plain(text string) func(Subject) string {
	return func(s Subject) string { return fmt.Sprintf("%s %s", finding.Claim(s.Name).Quote(), text) }
}

// exampleConfig is a configuration that no rule about declarations minds.
const exampleConfig = `{"mcpServers": {"files": {"command": "npx", "args": ["-y", "some-server@1.2.3"]}}}`

var ruleNotSealed = Rule{
	ID:      "launch/not-sealed",
	Title:   "A declared server has no lock",
	Why:     "Nobody has recorded what this server may do. A client starts it all the same, on one keypress or none.",
	Remedy:  "Run `toolwarrant seal NAME`, read what it shows, and commit the lock.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: notSealed},
	Good:    Example{State: compared},
	check:   inState(notSealed, plain("is declared, and no lock covers it: nothing was started")),
}

var ruleNotApproved = Rule{
	ID:      "launch/not-approved",
	Title:   "A sealed server that nobody here approved",
	Why:     "A lock that came with a checkout approves its own launch. Starting it because the lock says so would let its author decide what runs on this machine.",
	Remedy:  "Read the launch, then run `toolwarrant seal NAME`: it asks, compares and records your approval. A pipeline that trusts its checkout passes `--anchor head`.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: notApproved},
	Good:    Example{State: compared},
	check:   inState(notApproved, plain("is sealed, but its start is approved neither on this machine nor by an anchor: nothing was started")),
}

var ruleNotDeclared = Rule{
	ID:     "launch/not-declared",
	Title:  "A lock that nothing declares",
	Why:    "The server was removed or renamed and its approval stayed. An approval nobody uses is one that somebody may use later.",
	Remedy: "Delete the lock, or declare the server again.",
	Level:  finding.Warning,
	Bad:    Example{State: notDeclared},
	Good:   Example{State: compared},
	check:  inState(notDeclared, plain("has a lock, and no configuration declares it")),
}

var ruleBarred = Rule{
	ID:     "launch/barred",
	Title:  "A disabled or revoked server is declared",
	Why:    "Somebody decided that this server must not run, and a client that reads the configuration would start it.",
	Remedy: "Remove the declaration, or lead the lock out of its state with `toolwarrant review`.",
	Level:  finding.Error,
	Bad:    Example{State: barred},
	Good:   Example{State: compared},
	check:  inState(barred, plain("is declared, and its lock is disabled or revoked: it was not started")),
}

var ruleVanished = Rule{
	ID:      "surface/vanished",
	Title:   "Every tool is gone",
	Why:     "A server that lists nothing looks harmless and clean. Most often its backend, login or configuration is missing, so nothing was learnt about what it can do.",
	Remedy:  "Find out why it lists nothing (`toolwarrant inspect`). If it really has no tools any more, delete its lock and seal it again.",
	Level:   finding.Error,
	Outcome: outcome(finding.Undetermined),
	Bad:     Example{State: vanished},
	Good:    Example{State: compared},
	check:   inState(vanished, plain("listed no tool, where its lock holds some")),
}

var ruleUnstable = Rule{
	ID:      "surface/unstable",
	Title:   "Two listings of one run differ",
	Why:     "A server that answers differently each time can show a reviewer one face and an agent another; no lock can hold it.",
	Remedy:  "Give it the same configuration and backend each time, or do not use it.",
	Level:   finding.Error,
	Outcome: outcome(finding.Undetermined),
	Bad:     Example{State: unstable},
	Good:    Example{State: compared},
	check:   inState(unstable, plain("answered differently when asked twice")),
}

var ruleLaunchNew = Rule{
	ID:     "launch/new",
	Title:  "A new server is to be approved",
	Why:    "Approving its lock lets clients and pipelines start a program that nothing started before.",
	Remedy: "Read its launch and its tools, then approve or reject the change.",
	Level:  finding.Error,
	Bad:    Example{State: launchNew},
	Good:   Example{State: compared},
	check:  inState(launchNew, plain("is new: its launch was not approved before")),
}

var ruleLockGone = Rule{
	ID:     "launch/removed",
	Title:  "A server's lock was removed",
	Why:    "Where its declaration goes too, an approval ends and nothing is gained; where the declaration stays, a scan refuses it.",
	Remedy: "None needed.",
	Level:  finding.Note,
	Bad:    Example{State: lockGone},
	Good:   Example{State: compared},
	check:  inState(lockGone, plain("is no longer locked")),
}

var ruleFloating = Rule{
	ID:      "launch/floating",
	Title:   "A package is not pinned as far as the policy requires",
	Why:     "What a floating version runs is decided by a registry at every start: of 125 fetched servers in real configurations 119 float, and none is pinned immutably.",
	Remedy:  "Name an exact version, or what the policy's require-pin wants.",
	Level:   finding.Error,
	Outcome: outcome(finding.Refused),
	Bad:     Example{State: unpinned},
	Good:    Example{State: compared},
	check:   inState(unpinned, plain("is not pinned as far as the policy requires: nothing was started")),
}
