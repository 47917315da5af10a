package sarif

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// mostResults is what GitHub keeps of a run (it rejects more than 25,000).
const mostResults = 5000

// placed is a finding with the place in a file that stands for it.
type placed struct {
	finding.Finding
	at finding.Location
}

// selected are the results of a report, the worst first, and no more than GitHub
// shows.
func selected(r finding.Report) ([]placed, error) {
	var list []placed
	for _, f := range slices.Concat(r.Findings, untold(r)) {
		at, err := placeOf(r, f)
		if err != nil {
			return nil, err
		}
		list = append(list, placed{f, at})
	}
	slices.SortStableFunc(list, func(a, b placed) int { return weight(b.Finding) - weight(a.Finding) })
	return cut(list), nil
}

// cut keeps the worst and says how many it dropped.
func cut(list []placed) []placed {
	if len(list) <= mostResults {
		return list
	}
	first := list[mostResults-1]
	f := finding.New(ruleLeftOut, finding.Warning, first.at,
		fmt.Sprintf("%d further results, none worse than those here, are left out; the JSON report has them all", len(list)-mostResults+1))
	return append(list[:mostResults-1:mostResults-1], placed{f, first.at})
}

// untold are the targets whose status no finding tells: what was not judged is
// in the file all the same.
func untold(r finding.Report) []finding.Finding {
	var out []finding.Finding
	for _, t := range r.Targets {
		if f, ok := statusFinding(t); ok && !slices.ContainsFunc(r.Findings, func(g finding.Finding) bool { return tells(g, f) }) {
			out = append(out, f)
		}
	}
	return out
}

// tells reports whether g says of f's target what f says.
func tells(g, f finding.Finding) bool {
	return g.Target == f.Target && g.Location == f.Location && (g.Rule == f.Rule || g.Outcome == f.Outcome && f.Outcome != finding.Clean)
}

func statusFinding(t finding.Target) (finding.Finding, bool) {
	rule, level, outcome, text := "", finding.Error, finding.Undetermined, ""
	switch t.Status {
	case finding.StatusUndetermined:
		rule, text = ruleUnread, "could not be judged"
	case finding.StatusRefused:
		rule, outcome, text = ruleRefused, finding.Refused, "was refused: nothing was started or compared"
	case finding.Waived:
		rule, level, outcome, text = ruleWaived, finding.Note, finding.Clean, "is waived: it was not read"
	default:
		return finding.Finding{}, false
	}
	if t.Reason != "" {
		text += ": " + finding.Claim(t.Reason).Short(finding.ClaimWidth)
	}
	f := finding.New(rule, level, t.Location, finding.Claim(t.Name).Quote()+" "+text).As(outcome)
	f.Target, f.Fingerprint = t.Name, fallback(rule, t.Name, t.Launch, t.Surface)
	return f, true
}

// weight orders results: what counts before what is known, then by outcome, then
// by level.
func weight(f finding.Finding) int {
	order := []finding.Outcome{finding.Clean, finding.Drift, finding.Undetermined, finding.Refused, finding.Escalation}
	levels := []finding.Level{finding.Note, finding.Warning, finding.Error}
	w := slices.Index(order, f.Outcome)*len(levels) + slices.Index(levels, f.Level)
	if !f.Known {
		w += len(order) * len(levels)
	}
	return w
}

// placeOf is the place of a finding in a file. A target that the command line
// named lies at line 1 of the lock that it was compared with.
func placeOf(r finding.Report, f finding.Finding) (finding.Location, error) {
	at := f.Location
	if at.File == "" {
		for _, t := range r.Targets {
			if t.Name == f.Target && t.Location.File == "" && t.Lock != "" {
				at = finding.At(t.Lock, 1, 1)
			}
		}
	}
	if !inside(at.File) {
		return at, fmt.Errorf("%s: %w", f.Rule, ErrNoFile)
	}
	return at, nil
}

// inside reports whether a slash-separated path leads to a file below the root.
func inside(file string) bool {
	clean := path.Clean(file)
	return file != "" && clean != "." && clean != ".." && !strings.HasPrefix(clean, "../") && !path.IsAbs(clean)
}
