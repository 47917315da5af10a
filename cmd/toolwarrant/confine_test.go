package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

func TestStrongest(t *testing.T) {
	full := sandbox.Trial{Profile: sandbox.Full, Reason: "no namespaces"}
	for _, tt := range []struct {
		name       string
		p          sandbox.Profile
		trials     []sandbox.Trial
		why, tells string
	}{
		{"the strongest", sandbox.Full, []sandbox.Trial{{Profile: sandbox.Full}}, "", ""},
		{"a step down", sandbox.Restricted, []sandbox.Trial{full, {Profile: sandbox.Restricted}}, "", "full: no namespaces"},
		{"none works", "", []sandbox.Trial{full, {Profile: sandbox.Restricted, Reason: "no Landlock"}}, "full: no namespaces; restricted: no Landlock", ""},
		{"another system", "", nil, "no sandbox profile", ""},
	} {
		why, told := strongest(tt.p, tt.trials)
		if !strings.Contains(why, tt.why) || (why == "") != (tt.why == "") || !strings.Contains(told, tt.tells) || (told == "") != (tt.tells == "") {
			t.Errorf("%s: %q and %q", tt.name, why, told)
		}
	}
}

// TestConfinement: a profile that was asked for is that one or none, never
// another.
func TestConfinement(t *testing.T) {
	var errs bytes.Buffer
	a := &app{stderr: &errs}
	if p, why := a.confinement(sandbox.None)(); p != sandbox.None || why != "" {
		t.Errorf("none: %s %s", p, why)
	}
	for _, wanted := range []sandbox.Profile{sandbox.Full, sandbox.Restricted} {
		p, why := a.confinement(wanted)()
		if works := sandbox.Try(wanted) == ""; works != (p == wanted) || works != (why == "") || !works && p != "" {
			t.Errorf("%s: %s %s", wanted, p, why)
		}
	}
	p, why := a.confinement(sandbox.Auto)()
	if (p == "") != (why != "") || p == sandbox.None {
		t.Errorf("auto: %s %s", p, why)
	}
}
