package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// verdict is the first line: one sentence, the worst first.
func (c *comment) verdict() string {
	what := c.what()
	switch {
	case c.r.Outcome == finding.Clean:
		return "✔ **Clean**: " + c.verifiedWords()
	case c.o.Approval == ApprovalGiven:
		return fmt.Sprintf("**Approved: %s**%s", what, c.approvers())
	case c.o.Adoption:
		return "**First locks: please review**" + c.waits() + what
	case c.o.Fails:
		return fmt.Sprintf("**Blocked: %s**%s", what, c.waits())
	}
	return fmt.Sprintf("**Changed: %s**%s", what, c.waits())
}

func (c *comment) verifiedWords() string {
	if len(c.r.Targets) == 0 && c.quiet() {
		return "nothing that an agent may call is declared here."
	}
	parts := c.counts()
	if n := len(c.r.Excluded); n > 0 {
		parts = append(parts, count(n, "file")+" excluded by the policy")
	}
	return strings.Join(parts, ", ") + "; this pull request changes nothing."
}

func (c *comment) waits() string {
	switch {
	case c.o.Approval == ByReview:
		return " (waits for approval)"
	case c.o.Approval == ByCodeOwners:
		return " (waits for a code owner)"
	case !c.o.Fails:
		return " (does not block)"
	}
	return ""
}

// approvers names whose approval counts; they are logins, which are not to be
// told of it again.
func (c *comment) approvers() string {
	var names []string
	for _, who := range c.r.ApprovedBy[:min(3, len(c.r.ApprovedBy))] {
		names = append(names, span(who, 40))
	}
	if more := len(c.r.ApprovedBy) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 {
		return ""
	}
	return " by " + strings.Join(names, ", ")
}

// what is the worst that counts, in half a sentence.
func (c *comment) what() string {
	if c.o.Adoption && c.r.Outcome == finding.Escalation && c.onlyNew() {
		return ""
	}
	worst, ok := c.worst()
	if !ok {
		return "something could not be judged"
	}
	text := sentence(worst)
	if c.o.Adoption && c.o.Approval != ApprovalGiven {
		text = ": " + text
	}
	others := map[string]bool{}
	for _, f := range c.counting(func(f finding.Finding) bool { return f.Outcome == worst.Outcome && f.Target != worst.Target }) {
		others[f.Target] = true
	}
	if n := len(others); n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// onlyNew reports whether nothing counts but that servers are new.
func (c *comment) onlyNew() bool {
	return len(c.counting(func(f finding.Finding) bool { return f.Rule != "launch/new" })) == 0
}

// worst is the finding that the verdict is about: of those with the gravest
// outcome one that gains a power, else the first.
func (c *comment) worst() (finding.Finding, bool) {
	list := c.counting(func(f finding.Finding) bool { return f.Outcome == c.r.Outcome })
	if len(list) == 0 {
		return finding.Finding{}, false
	}
	if i := slices.IndexFunc(list, func(f finding.Finding) bool { return len(gained(f)) > 0 }); i >= 0 {
		return list[i], true
	}
	return list[0], true
}

// sentence tells a finding with the name of its target.
func sentence(f finding.Finding) string {
	name := span(f.Target, 40)
	if powers := gained(f); len(powers) > 0 {
		text := fmt.Sprintf("%s can now %s", name, abilities[powers[0]])
		if len(powers) > 1 {
			text += fmt.Sprintf(" and %d more", len(powers)-1)
		}
		return text
	}
	if text, ok := sentences[strings.TrimSuffix(f.Rule, "-minor")]; ok && (f.Outcome != finding.Drift || loud[f.Rule]) {
		return strings.ReplaceAll(text, "NAME", name)
	}
	if f.Target == "" {
		return fileSentences[f.Outcome]
	}
	return name + " " + outcomeSentences[f.Outcome]
}

// gained lists the elevated capabilities that a finding's change brings.
func gained(f finding.Finding) []string {
	if f.Change == nil || f.Outcome != finding.Escalation && !upstream(f) {
		return nil
	}
	var out []string
	for _, g := range f.Change.Gained {
		if _, ok := abilities[g]; ok {
			out = append(out, g)
		}
	}
	return out
}

// abilities tell the elevated capabilities, what a server can do after "can".
var abilities = map[string]string{
	"exec": "run commands", "fs.write": "write files", "net": "contact any address", "service.write": "change data in a service",
	"destructive": "destroy data", "credentials": "read credentials", "send": "send messages", "spend": "spend money", "control": "control a browser or a device",
}

// sentences tell a rule in the verdict.
var sentences = map[string]string{
	"launch/new":                   "NAME is new",
	"launch/changed":               "NAME is started by another command",
	"launch/not-sealed":            "NAME has no lock",
	"launch/not-approved":          "nothing may be started that was not approved, so NAME was not judged",
	"launch/local-code-changed":    "NAME runs code that this pull request changes",
	"launch/barred":                "NAME is disabled or revoked, and is declared",
	"launch/floating":              "NAME is not pinned as the policy requires",
	"launch/inline-secret":         "a credential stands in clear beside NAME",
	"lock/edited":                  "the lock of NAME is not what the server says",
	"lock/invalid":                 "a lock is not believed",
	"lock/review-changed":          "the lock of NAME approves itself",
	"check/refused":                "nothing was judged",
	"package/bytes-changed":        "NAME has other bytes than were approved",
	"package/not-read":             "NAME gets other packages",
	"plugin/executes":              "NAME runs something that was not approved",
	"plugin/digest-mismatch":       "NAME has other bytes than its pin says",
	"plugin/signature-invalid":     "the signature of NAME is wrong",
	"plugin/publisher-revoked":     "NAME is signed by a revoked publisher",
	"policy/denied":                "NAME has what the policy denies",
	"policy/gate-changed":          "this pull request changes what judges it",
	"policy/invalid":               "the policy cannot be read",
	"sandbox/decoy-read":           "NAME opened credentials that are none of its business",
	"sandbox/wrote-outside":        "NAME left files outside of its own folders",
	"surface/description-changed":  "NAME has new words that hide something or give orders",
	"surface/instructions-changed": "NAME has new words that hide something or give orders",
	"surface/vanished":             "NAME lists no tool any more",
	"surface/unstable":             "NAME answers differently each time",
}

// loud are rules at warning that the verdict tells by their own sentence.
var loud = map[string]bool{"launch/changed-minor": true}

var outcomeSentences = map[finding.Outcome]string{
	finding.Escalation: "is not what was approved", finding.Refused: "was not judged",
	finding.Undetermined: "could not be read", finding.Drift: "changed, without a new dangerous power",
}

var fileSentences = map[finding.Outcome]string{
	finding.Escalation: "a file is not what was approved", finding.Refused: "a file was not judged",
	finding.Undetermined: "a file could not be read", finding.Drift: "a file changed, without a new dangerous power",
}
