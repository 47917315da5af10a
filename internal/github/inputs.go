package github

// Input is one input of the action. Its value is read from the variable INPUT_
// followed by the name in capitals, hyphens kept.
type Input struct {
	Name    string
	Default string   // in action.yml; empty: see About
	Values  []string // the only ones that are taken, beside the default; nil for free text
	About   string   // one sentence or two, for a reader of action.yml
}

// Output is one output of the action. Each is a short word, a number, a path or
// a list of logins: no foreign text.
type Output struct{ Name, About string }

var yesNo = []string{"true", "false"}

// Inputs are all inputs of the action: action.yml, docs/action.md and what the
// command reads agree with this table, which a test sees to.
var Inputs = []Input{
	{"path", ".", nil, "The folder to scan, from the root of the checkout."},
	{"live", "", []string{"changed", "all", "none"}, "Which approved servers are started and read. Empty: those that the change touches on a pull request or a merge group, all of them elsewhere. `none` compares files only."},
	{"fail-on", "", []string{"drift", "undetermined", "escalation", "never"}, "The mildest outcome that fails the job. Empty: what the policy says. On a pull request or a merge group it may be stricter than the policy, not milder."},
	{"strict", "false", yesNo, "`true` counts every difference as an escalation, and what was known before as well."},
	{"comment", "true", yesNo, "`true` keeps one comment on a pull request up to date, where there is something to say. It needs `pull-requests: write`; where the token may not, the job summary has the same."},
	{"comment-text", "true", yesNo, "`true` quotes changed words of a server in the comment, at most 300 characters of each. `false` names what changed, and leaves the words to the job summary."},
	{"category", "", nil, "Tells several runs of one workflow apart in the code scanning dashboard. Empty: `toolwarrant/`, followed by the path where one is given. Keep it the same for every event."},
	{"on-drift", "", []string{"issue", "pull-request", "none"}, "What a scheduled run does when the world has moved: keep one issue, or nothing. `pull-request` keeps an issue too: this version opens no pull request, and says so in the log. Empty: what the policy says."},
	{"timeout", "15m", nil, "The time for the whole scan, as `90s` or `15m`. What is not read by then is undetermined."},
	{"sandbox", "auto", []string{"auto", "full", "restricted"}, "How servers are confined. `auto` takes the strongest profile that this runner can hold; with a profile that it cannot hold nothing is started. There is none without a sandbox."},
	{"sarif-file", "toolwarrant.sarif", nil, "Where the SARIF log is written, below the checkout. It is there after every run, also one that fails the job."},
	{"summary", "true", yesNo, "`true` writes the job summary."},
	{"github-token", "${{ github.token }}", nil, "Reads the pull request, its reviews and, where the checkout has no history, the files at its base; writes the comment. No server and no package ever sees it."},
}

// Outputs are all outputs of the action.
var Outputs = []Output{
	{"outcome", "`clean`, `drift`, `undetermined`, `refused` or `escalation`: the worst of all targets."},
	{"exit-code", "What `toolwarrant scan` exits with on the same outcome: 0, 3, 4, 5 or 6; 1 and 2 where there is no complete report. The job itself fails as `fail-on` and an approval decide."},
	{"approved", "`true` where a review of exactly this commit approves what is proposed."},
	{"approved-by", "The logins whose reviews count, separated by commas."},
	{"sarif", "The path of the SARIF log, for github/codeql-action/upload-sarif."},
	{"report", "The path of the whole report as JSON."},
	{"escalations", "How many targets are escalations."},
	{"undetermined", "How many targets could not be judged."},
}
