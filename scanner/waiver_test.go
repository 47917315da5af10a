package scanner

import (
	"slices"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// TestWaiverReason: what is offered is a reason of the policy that a scan accepts
// for that failure.
func TestWaiverReason(t *testing.T) {
	failed := func(class string, env map[string]lockfile.Variable) Proposal {
		p := Proposal{Target: Target{Declared: []manifest.Entry{{}}}, Inspection: finding.Inspection{Failure: &finding.Failure{Reason: class}}}
		p.Target.Launch.Env = env
		return p
	}
	token := map[string]lockfile.Variable{"TOKEN": {Ref: []string{"TOKEN"}}}
	for _, tt := range []struct {
		class string
		env   map[string]lockfile.Variable
		want  string
	}{
		{"died", nil, "needs-backend"}, {"died", token, "needs-auth"}, {"timeout", token, "needs-auth"}, {"error-answer", nil, "needs-backend"},
		{"missing-program", nil, "missing-program"}, {"needs-build", token, "needs-build"}, {"unresolvable", nil, "unresolvable"},
		{"remote", nil, "unresolvable"}, {"start-failed", nil, "unresolvable"}, {"refused-dependency", nil, "unresolvable"},
		{"protocol", nil, ""}, {"too-large", token, ""}, {"", nil, ""},
	} {
		got := WaiverReason(failed(tt.class, tt.env))
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.class, got, tt.want)
		}
		if got != "" && (!slices.Contains(policy.WaiverReasons(), got) || !slices.Contains(waivable[got], tt.class)) {
			t.Errorf("%s: a scan does not accept %s for it", tt.class, got)
		}
	}
	static := Proposal{Target: Target{Declared: []manifest.Entry{{}}}, Reason: "remote: only servers on standard input and output are read"}
	if got := WaiverReason(static); got != "unresolvable" {
		t.Errorf("without a reading: %q", got)
	}
	if static.Fate = Unclear; WaiverReason(static) != "" {
		t.Error("a declaration that is not understood can be waived")
	}
}
