package policy

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Ignore takes the effect from findings of one rule about one thing, until a
// day. It is bound to what was judged: other content is judged again.
type Ignore struct {
	Rule    string           `json:"rule"`
	Target  string           `json:"target"` // [NAME@]sha256:HEX of the launch, or [NAME@]HEX of the finding's fingerprint
	Reason  string           `json:"reason"`
	Expires string           `json:"expires"` // yyyy-mm-dd, the last day on which it holds
	At      finding.Location `json:"-"`
}

// stubborn are the rules that no policy ignores, and the families (with their
// slash) of which it ignores none: bytes that do not match their pin, locks
// that are not believed, revoked publishers, plugins and servers, changed launches
// and sources, and the gate itself.
var stubborn = []string{
	"launch/changed", "launch/local-code-changed", "launch/barred", "package/bytes-changed",
	"plugin/digest-mismatch", "plugin/signature-invalid", "plugin/publisher-revoked", "plugin/changed", "plugin/bytes-changed", "plugin/barred", "lock/",
	"policy/invalid", "policy/gate-changed", "policy/expired", "policy/unused",
}

// Ignorable reports whether a policy may ignore the findings of a rule.
func Ignorable(rule string) bool {
	rule = strings.TrimSuffix(rule, "-minor")
	family, _, _ := strings.Cut(rule, "/")
	return !slices.Contains(stubborn, rule) && !slices.Contains(stubborn, family+"/")
}

// Ignored returns the entry that ignores f, a finding with its fingerprint
// about a target with a launch digest (empty for none), as of a day
// (yyyy-mm-dd). What was not read or not started is never ignored: the one is
// waived, the other sealed.
func (p Policy) Ignored(f finding.Finding, launch, date string) (Ignore, bool) {
	if !Ignorable(f.Rule) || f.Outcome == finding.Undetermined || f.Outcome == finding.Refused {
		return Ignore{}, false
	}
	for _, i := range p.Ignore {
		if i.Rule == f.Rule && !expired(i.Expires, date) && i.about(f, launch) {
			return i, true
		}
	}
	return Ignore{}, false
}

func (i Ignore) about(f finding.Finding, launch string) bool {
	name, digest, ok := splitTarget(i.Target)
	if !ok || name != "" && name != f.Target {
		return false
	}
	if strings.HasPrefix(digest, "sha256:") {
		return strings.HasPrefix(launch, digest)
	}
	return strings.HasPrefix(f.Fingerprint, digest)
}

var digestText = pattern.Of(`^(?:sha256:)?[0-9a-f]{12,64}$`)

// splitTarget cuts the name for readers from the digest that binds.
func splitTarget(s string) (name, digest string, ok bool) {
	at := strings.LastIndexByte(s, '@')
	if at > 0 {
		name = s[:at]
	}
	digest = s[at+1:]
	return name, digest, at != 0 && digestText.MatchString(digest)
}

func targetForm(s string) string {
	if _, _, ok := splitTarget(s); !ok {
		return `what binds it to what was judged: "sha256:" and at least 12 hex digits of the launch digest (toolwarrant list shows it), or at least 12 of the finding's fingerprint; a name may stand before it: "github@sha256:1a2b3c4d5e6f"`
	}
	return ""
}

func ignoreRuleForm(s string) string {
	switch {
	case !ruleText.MatchString(s):
		return `a rule's id, as "launch/shell" (toolwarrant explain lists them)`
	case !Ignorable(s):
		return "a rule that can be ignored; this one cannot"
	}
	return ""
}

func (r *reader) ignores(n *yaml.Node) []Ignore {
	var out []Ignore
	r.each(n, "ignore", func(e *yaml.Node) {
		i := Ignore{At: r.place(e)}
		ok := r.required(e, "an entry of ignore", []field{
			{"rule", func(_, v *yaml.Node) { i.Rule = r.checked(v, "rule", ignoreRuleForm) }},
			{"target", func(_, v *yaml.Node) { i.Target = r.checked(v, "target", targetForm) }},
			{"reason", func(_, v *yaml.Node) { i.Reason, _ = r.prose(v, "reason") }},
			{"expires", func(_, v *yaml.Node) { i.Expires = r.date(v, "expires") }},
		})
		if ok && i.Rule != "" && i.Target != "" && i.Reason != "" && i.Expires != "" {
			out = append(out, i)
		}
	})
	return out
}

// Expired tells, as policy/expired, the waivers and ignore entries that no
// longer hold on a day (yyyy-mm-dd), in the order of the file.
func (p Policy) Expired(date string) []finding.Finding {
	var out []finding.Finding
	tell := func(at finding.Location, what, last string) {
		f := finding.New("policy/expired", finding.Warning, at, fmt.Sprintf("%s held until %s", what, last))
		f.Hint = "remove it, or decide anew and set a later day"
		out = append(out, f)
	}
	for name, s := range p.Servers {
		if s.Waive != nil && expired(s.Waive.Until, date) {
			tell(s.Waive.At, "the waiver of "+finding.Claim(name).Quote(), s.Waive.Until)
		}
	}
	for _, i := range p.Ignore {
		if expired(i.Expires, date) {
			tell(i.At, "an ignore entry for "+i.Rule, i.Expires)
		}
	}
	slices.SortFunc(out, byPlace)
	return out
}

// Unused tells, as policy/unused, the ignore entries that hold on a day and
// whose place is not among those of the entries that [Policy.Ignored] returned.
func (p Policy) Unused(used map[finding.Location]bool, date string) []finding.Finding {
	var out []finding.Finding
	for _, i := range p.Ignore {
		if !used[i.At] && !expired(i.Expires, date) {
			f := finding.New("policy/unused", finding.Warning, i.At, "an ignore entry for "+i.Rule+" ignores nothing: what it was for is gone or has changed")
			f.Hint = "remove it, or look at what changed and bind it anew"
			out = append(out, f)
		}
	}
	return out
}

func byPlace(a, b finding.Finding) int {
	if a.Location.Line != b.Location.Line {
		return a.Location.Line - b.Location.Line
	}
	return a.Location.Column - b.Location.Column
}
