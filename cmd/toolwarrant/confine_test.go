package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
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

// TestNoProfile: on a system without any profile, as macOS and Windows are, what
// would start something is refused, with both ways on.
func TestNoProfile(t *testing.T) {
	none := func() (sandbox.Profile, []sandbox.Trial) { return "", nil }
	weak := func() (sandbox.Profile, []sandbox.Trial) {
		return "", []sandbox.Trial{{Profile: sandbox.Full, Reason: "no namespaces"}, {Profile: sandbox.Restricted, Reason: "no Landlock"}}
	}
	for name, tt := range map[string]struct {
		probe func() (sandbox.Profile, []sandbox.Trial)
		why   string
	}{"another system": {none, "this system has no sandbox profile"}, "an old kernel": {weak, "no Landlock"}} {
		for _, args := range [][]string{
			{"inspect", "--sandbox", "auto", "-o", "json", "--", "a-program-that-is-not-there"},
			{"seal", "notes", "--yes", "--sandbox", "auto", "-o", "json"},
			{"scan", "--sandbox", "auto", "--start", "approved", "-o", "json"},
		} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(`{"mcpServers": {"notes": {"command": "a-program-that-is-not-there"}}}`), 0o644); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			a := &app{ctx: t.Context(), stdin: os.Stdin, stdout: &out, stderr: &errs, environ: []string{"HOME=" + t.TempDir()}, dir: dir, probe: tt.probe}
			if args[0] == "scan" { // it starts what is sealed
				seal := &app{ctx: t.Context(), stdin: os.Stdin, stdout: io.Discard, stderr: &errs, environ: a.environ, dir: dir}
				if outcome, err := seal.main([]string{"seal", "notes", "--yes", "--launch-only"}); err != nil || outcome != finding.Clean {
					t.Fatalf("%v %v %s", outcome, err, errs.String())
				}
			}
			outcome, err := a.main(args)
			if code := codeOf(outcome, err); code != exitCodes[finding.Refused] {
				t.Errorf("%s, %s: exit %d, %v\n%s%s", name, args[0], code, err, out.String(), errs.String())
			}
			for _, word := range []string{tt.why, "--sandbox none", "--live none"} {
				if !strings.Contains(out.String(), word) {
					t.Errorf("%s, %s: it does not say %q\n%s", name, args[0], word, out.String())
				}
			}
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
