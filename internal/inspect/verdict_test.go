package inspect

import (
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMissedMeansUnread: a server whose watchers missed something was not read,
// unless it failed for a reason of its own.
func TestMissedMeansUnread(t *testing.T) {
	missed := sandbox.Observed{Profile: sandbox.Full, Partly: []string{"hosts"}}
	for _, tt := range []struct {
		name string
		f    *failure
		exit sandbox.Exit
		seen sandbox.Observed
		want Reason
	}{
		{"nothing missed", nil, sandbox.Exit{}, sandbox.Observed{Profile: sandbox.Full}, ""},
		{"missed", nil, sandbox.Exit{}, missed, Unwatched},
		{"failed besides", fatal(Protocol, "x"), sandbox.Exit{}, missed, Protocol},
		{"limit besides", nil, sandbox.Exit{Limit: "memory"}, missed, Limit},
	} {
		got := Reason("")
		if f := verdict(t.Context(), tt.f, tt.exit, tt.seen); f != nil {
			got = f.reason
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
