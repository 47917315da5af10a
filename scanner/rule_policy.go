package scanner

import "github.com/toolwarrant/toolwarrant/finding"

// governing is an example of a rule about policies: what it would tell of a
// server with the power exec, from the npm package some-server, on the day
// exampleDay, beside an anchor without a policy.
func governing(text string) Example { return Example{Policy: text} }

// exampleDay is the day on which the examples of policies are read.
const exampleDay = "2026-01-01"

var rulePolicyInvalid = Rule{
	ID:     "policy/invalid",
	Title:  "A policy that cannot be read in full",
	Why:    "A misspelt key or word would leave the gate at a value that nobody chose. Nothing is started under such a policy, and of its members only those count that tighten.",
	Remedy: "Correct the place that the message names; `toolwarrant policy check` tells before you commit.",
	Level:  finding.Error,
	Bad:    governing("fail_on: drift\n"),
	Good:   governing("fail-on: drift\n"),
	check:  told,
}

var rulePolicyDenied = Rule{
	ID:     "policy/denied",
	Title:  "A target has what the policy denies",
	Why:    "The owners of the repository decided that no server here may have this power, package or host, whoever approved its lock.",
	Remedy: "Remove the target, or change the policy, which a reviewer approves.",
	Level:  finding.Error,
	Bad:    governing("deny:\n  capabilities: [exec]\n"),
	Good:   governing("deny:\n  capabilities: [spend]\n"),
	check:  told,
}

var ruleGateChanged = Rule{
	ID:     "policy/gate-changed",
	Title:  "A change alters the gate that judges it",
	Why:    "Whoever may set the policy may let everything pass after the merge. The anchor's policy decides this run; a person decides about the next.",
	Remedy: "Read what the new policy accepts, then approve or reject the change.",
	Level:  finding.Error,
	Bad:    governing("fail-on: never\n"),
	Good:   governing("fail-on: undetermined # the default\n"),
	check:  told,
}

var rulePolicyExpired = Rule{
	ID:     "policy/expired",
	Title:  "A waiver or an ignore entry has expired",
	Why:    "It was accepted until a day. Since then what it was for counts again, and the entry only looks as if somebody still answered for it.",
	Remedy: "Remove the entry, or decide anew and set a later day.",
	Level:  finding.Warning,
	Bad:    governing("servers:\n  mail:\n    waive: {reason: needs-auth, why: no test account, until: 2025-12-31}\n"),
	Good:   governing("servers:\n  mail:\n    waive: {reason: needs-auth, why: no test account, until: 2026-12-31}\n"),
	check:  told,
}

var rulePolicyUnused = Rule{
	ID:     "policy/unused",
	Title:  "An ignore entry ignores nothing",
	Why:    "What it was for is gone or has changed. An exception that nobody needs is one that somebody may use later.",
	Remedy: "Remove the entry; if the finding is still there under another digest, look at what changed and bind it anew.",
	Level:  finding.Warning,
	Bad:    governing("ignore:\n  - {rule: launch/shell, target: \"sha256:0123456789ab\", reason: our own script, expires: 2026-06-30}\n"),
	Good:   governing("ignore: []\n"),
	check:  told,
}

var ruleInputIgnored = Rule{
	ID:     "policy/input-ignored",
	Title:  "An input of the action would loosen the policy",
	Why:    "Inputs stand in a workflow, which a change brings along: they may only tighten what the anchor's policy says. This one was left out.",
	Remedy: "Remove the input, or change the policy.",
	Level:  finding.Note,
	Bad:    Example{Policy: "fail-on: drift\n", Inputs: map[string]string{"fail-on": "never"}},
	Good:   Example{Policy: "fail-on: escalation\n", Inputs: map[string]string{"fail-on": "drift"}},
	check:  told,
}
