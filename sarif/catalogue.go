package sarif

import (
	"strings"

	sarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The rules of results that are no finding of a scan.
const (
	ruleUnread  = "check/undetermined"
	ruleRefused = "check/refused"
	ruleWaived  = "check/waived"
	ruleLeftOut = "check/left-out"
)

// ownRules describe them, where the list of rules does not.
var ownRules = []finding.Explanation{
	{
		ID: ruleUnread, Level: finding.Error, Outcome: finding.Undetermined.String(), Title: "It could not be told what this target can do",
		Why: "A check that failed must never look like one that found nothing.", Remedy: "`toolwarrant inspect` shows what stopped it.",
	},
	{
		ID: ruleRefused, Level: finding.Error, Outcome: finding.Refused.String(), Title: "A target was refused",
		Why: "Nothing of it was started or compared, so nothing is known about it.", Remedy: "The message says what is missing.",
	},
	{
		ID: ruleWaived, Level: finding.Note, Outcome: finding.Clean.String(), Title: "A target is not read, by decision",
		Why: "The policy accepts that it cannot be read here. Its launch and its package are still compared.", Remedy: "None needed until the waiver ends.",
	},
	{
		ID: ruleLeftOut, Level: finding.Warning, Outcome: finding.Drift.String(), Title: "Results were left out",
		Why: "GitHub shows 5,000 results of a run. The worst are in the file.", Remedy: "Read the JSON report: it has them all.",
	},
}

// catalogue is the rules of a run and where each stands.
type catalogue struct {
	descriptors []*sarif.ReportingDescriptor
	index       map[string]int
}

// newCatalogue describes every rule, our own, and those that only a report of
// another version knows.
func newCatalogue(rules []finding.Explanation, list []placed) catalogue {
	c := catalogue{descriptors: []*sarif.ReportingDescriptor{}, index: map[string]int{}}
	for _, e := range rules {
		c.add(e)
	}
	for _, e := range ownRules {
		c.add(e)
	}
	for _, p := range list {
		c.add(finding.Explanation{ID: p.Rule, Level: p.Level, Outcome: p.Outcome.String(), Title: "A rule of another version",
			Why: "This version of toolwarrant does not know the rule.", Remedy: "`toolwarrant explain` of the version that wrote the report tells it."})
	}
	return c
}

func (c *catalogue) add(e finding.Explanation) {
	if _, ok := c.index[e.ID]; ok {
		return
	}
	c.index[e.ID] = len(c.descriptors)
	c.descriptors = append(c.descriptors, descriptor(e))
}

// descriptor sets every member that go-sarif would write as null.
func descriptor(e finding.Explanation) *sarif.ReportingDescriptor {
	return &sarif.ReportingDescriptor{
		ID: e.ID, Name: ptr(pascal(e.ID)),
		ShortDescription:     sarif.NewMultiformatMessageString(e.Title),
		FullDescription:      sarif.NewMultiformatMessageString(e.Why),
		DefaultConfiguration: &sarif.ReportingConfiguration{Level: string(e.Level)},
		Help: &sarif.MultiformatMessageString{
			Text:     ptr(e.Why + "\n\nWhat to do: " + e.Remedy),
			Markdown: ptr("**Why.** " + e.Why + "\n\n**What to do.** " + e.Remedy + "\n"),
		},
		Properties: sarif.Properties{"security-severity": severity(e), "tags": []string{"security", "supply-chain", family(e.ID)}},
	}
}

// pascal turns "surface/tool-added" into "SurfaceToolAdded": SARIF wants a name
// that is not the id.
func pascal(id string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(id, func(r rune) bool { return r == '/' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
