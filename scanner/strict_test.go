package scanner

import (
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// TestStrictLeavesObservations: --strict raises changes, and not what was only
// seen.
func TestStrictLeavesObservations(t *testing.T) {
	at := finding.At(".mcp.json", 1, 1)
	seen := finding.New("sandbox/host-contacted", finding.Warning, at, "x")
	known := seen
	known.Known = true
	changed := finding.New("surface/tool-removed", finding.Warning, at, "x")
	for _, tt := range []struct {
		found finding.Finding
		want  finding.Outcome
	}{{seen, finding.Drift}, {known, finding.Clean}, {changed, finding.Escalation}} {
		if got := Strict(finding.Report{Findings: []finding.Finding{tt.found}}).Outcome; got != tt.want {
			t.Errorf("%s, known %v: %s, want %s", tt.found.Rule, tt.found.Known, got, tt.want)
		}
	}
}
