package scanner

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// fingerprint identifies a finding over time: the rule, the target, what the
// finding is about, and the digests of what was judged, so that new content is
// a new finding.
func fingerprint(r finding.Report, f finding.Finding) string {
	parts := []string{f.Rule, f.Target}
	if f.Change != nil {
		parts = append(parts, f.Change.List, f.Change.Item, f.Change.Path, f.Change.New)
	} else {
		parts = append(parts, f.Location.File, f.Message)
	}
	for _, t := range r.Targets {
		if t.Name == f.Target && t.Location.File == f.Location.File {
			parts = append(parts, t.Launch, t.Surface)
			break
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// next says what a person does about the worst of a report.
func next(r finding.Report) string {
	for _, want := range []struct{ status, text string }{
		{string(finding.Escalated), "toolwarrant seal NAME   shows the difference and asks"},
		{string(finding.StatusRefused), "toolwarrant seal NAME   shows the launch, starts it and asks"},
		{string(finding.StatusUndetermined), "toolwarrant inspect --from FILE --server NAME   shows what stopped it"},
		{string(finding.Drifted), "toolwarrant seal NAME   shows the difference and asks"},
	} {
		for _, t := range r.Targets {
			if (t.Kind == manifest.Project || t.Kind == manifest.Skill) && string(t.Status) == want.status && want.status == string(finding.Escalated) {
				return explains(r, t)
			}
			if t.Kind == manifest.Project || t.Kind == manifest.Skill {
				continue
			}
			if hint := hintOf(r, t); string(t.Status) == want.status && t.Status == finding.StatusRefused && hint != "" {
				return hint
			}
			if string(t.Status) == want.status && !strings.HasSuffix(t.Location.File, LockSuffix) {
				if strings.Contains(want.text, "FILE") && !plainWord(t.Location.File) {
					return "toolwarrant inspect " + plainName(t) + "   shows what stopped it"
				}
				return strings.NewReplacer("NAME", plainName(t), "FILE", t.Location.File).Replace(want.text)
			}
		}
	}
	return ""
}

// explains names the rule that a settings file or skill broke.
func explains(r finding.Report, t finding.Target) string {
	for _, f := range r.Findings {
		if f.Target == t.Name && !f.Known && f.Outcome == finding.Escalation && slices.Contains(append(f.Related, f.Location), t.Location) {
			return "toolwarrant explain " + f.Rule + "   says what a reviewer looks for"
		}
	}
	return ""
}

// hintOf is the first advice about a target.
func hintOf(r finding.Report, t finding.Target) string {
	for _, f := range r.Findings {
		if f.Target == t.Name && f.Location == t.Location && f.Hint != "" && f.Outcome == finding.Refused {
			return f.Hint
		}
	}
	return ""
}

func plainName(t finding.Target) string {
	target := Target{Name: t.Name}
	target.Launch.Digest = t.Launch
	return sealName(target)
}
