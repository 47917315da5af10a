package scanner

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// typed is a target as somebody types it.
func typed(t *testing.T, argv ...string) Target {
	t.Helper()
	target, err := Repo{}.Join(manifest.Typed(argv))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestNothingConfines: where no profile works, nothing is started, and both ways
// out are named.
func TestNothingConfines(t *testing.T) {
	asked := 0
	o := Options{Confine: func() (inspect.Profile, string) { asked++; return "", "this system has no sandbox profile" }, ConfineAuto: true}
	for _, argv := range [][]string{{"no-such-program-here"}, {"npx", "-y", "some-server@1.2.3"}} {
		target := typed(t, argv...)
		i := Inspect(t.Context(), o, target)
		if !Unstarted(i) || i.Complete() || i.Sandbox.Profile != "" {
			t.Errorf("%q: inspected as %+v", argv, i.Failure)
		}
		for _, flag := range []string{"--live none", "--sandbox none"} {
			if i.Failure == nil || !strings.Contains(i.Failure.Hint, flag) {
				t.Errorf("%q: the way out %s is not named", argv, flag)
			}
		}
		if p := Propose(t.Context(), o, Repo{}, target, false); p.Fate != Unconfined || len(p.Data) > 0 {
			t.Errorf("%q: sealing comes to %d", argv, p.Fate)
		}
		s, lacking := o.unconfinable(Subject{Name: "x", At: finding.At("x", 1, 1)}, target)
		if found := judge(s); !lacking || len(found) != 1 || found[0].Outcome != finding.Refused {
			t.Errorf("%q: judged as %+v", argv, found)
		}
	}
	if asked == 0 {
		t.Error("nobody was asked")
	}
}

// TestLauncherIsReadUnconfined: a launcher that fetches by itself is read without a
// profile only where nobody insists on one.
func TestLauncherIsReadUnconfined(t *testing.T) {
	full := func() (inspect.Profile, string) { return sandbox.Full, "" }
	engine, npx, local := typed(t, "go", "run", "example.com/server@v1.0.0"), typed(t, "npx", "-y", "some-server@1.2.3"), typed(t, "node", "server.js")
	for _, tt := range []struct {
		o    Options
		t    Target
		want inspect.Profile
	}{
		{Options{Confine: full, ConfineAuto: true}, engine, sandbox.None},
		{Options{Confine: full}, engine, sandbox.Full},
		{Options{Confine: full, ConfineAuto: true}, npx, sandbox.Full},
		{Options{Confine: full, ConfineAuto: true}, local, sandbox.Full},
		{Options{}, local, sandbox.None},
	} {
		if got, why := tt.o.confinement(tt.t); got != tt.want || why != "" {
			t.Errorf("%+v: %s %s, want %s", tt.t.Launch.Argv, got, why, tt.want)
		}
	}
}

// TestSighted: what the policy grants is no finding, what the approved lock
// records is known.
func TestSighted(t *testing.T) {
	r := reading{attempts: 1, result: inspect.Result{Survivors: 2, Seen: sandbox.Observed{
		Profile: sandbox.Full, Hosts: []string{"api.example.com:443", "192.0.2.1:53/udp", "[2001:db8::1]:80", "other.example.com"},
		Decoys: []sandbox.Decoy{{File: "~/.netrc"}, {File: "~/.npmrc", Read: true}}, Wrote: []string{"/var/tmp/a", "/var/tmp/b"},
	}}}
	grants := policy.Server{Hosts: []string{"api.example.com:443"}, Files: []string{"~/.npmrc", "/var/tmp/b"}}
	approved := &lockfile.Entry{Read: &lockfile.Read{ObservedHost: []string{"other.example.com:443"}}}
	got := sighted(Subject{}, r, grants, approved).Seen
	switch {
	case !slices.Equal(got.Hosts, []string{"192.0.2.1:53/udp", "[2001:db8::1]:80"}),
		!slices.Equal(got.Recorded, []string{"other.example.com"}),
		!slices.Equal(got.Decoys, []string{"~/.netrc"}), !slices.Equal(got.Wrote, []string{"/var/tmp/a"}), got.Survivors != 2:
		t.Errorf("%+v", got)
	}
	if got := r.hosts(); !slices.Equal(got, []string{"api.example.com:443", "192.0.2.1:53", "[2001:db8::1]:80", "other.example.com"}) {
		t.Errorf("to be denied: %q", got)
	}
	if s := r.sandbox(); !slices.Equal(s.Decoys, []string{"~/.netrc", "~/.npmrc"}) || s.Hosts == nil {
		t.Errorf("reported: %+v", s)
	}
}
