package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// public is a copy of this program that everybody may run: as root, a confined
// server is somebody else.
func public(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "toolwarrant-public-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "server")
	if os.Chmod(dir, 0o755) != nil || os.WriteFile(name, program, 0o755) != nil {
		t.Fatal("the program cannot be copied")
	}
	return name
}

// TestConfined: a server lists the same, words about its own folders included,
// under every profile that works here.
func TestConfined(t *testing.T) {
	program := public(t)
	read := func(p sandbox.Profile, behaviour string) Result {
		return Read(t.Context(), Order{
			Argv: []string{program, "fakemcp", "-behaviour", behaviour}, Env: []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}, Limits: patient, Profile: p,
		})
	}
	strongest, trials := sandbox.Probe()
	t.Log(strongest, trials)
	want := read(sandbox.None, "own-paths").Surface
	for _, p := range sandbox.Profiles() {
		r := read(p, "own-paths")
		if !r.Complete() && p != strongest {
			t.Logf("%s does not work here: %s", p, r.Detail)
			continue
		}
		if diff := cmp.Diff(want, r.Surface); diff != "" || !r.Complete() {
			t.Errorf("%s: %s %s (-none +got):\n%s", p, r.Detail, r.LastWords, diff)
		}
		if r.Seen.Profile != p || r.Seen.Hosts == nil || len(r.Seen.Hosts) > 0 || len(r.Seen.Decoys) > 0 || len(r.Seen.Wrote) > 0 {
			t.Errorf("%s: seen %+v", p, r.Seen)
		}
	}
	if !strings.Contains(string(want.Lists[surface.Tools].Items[0].Raw), "/tmp/toolwarrant-0000/work") {
		t.Errorf("got %s", want.Lists[surface.Tools].Items[0].Raw)
	}
}

// TestConfinedTwice: a server that dies at the probe is started again in the
// same slot, with decoys laid anew.
func TestConfinedTwice(t *testing.T) {
	p, trials := sandbox.Probe()
	if p == "" {
		t.Skipf("no profile works here: %v", trials)
	}
	r := Read(t.Context(), Order{Argv: []string{public(t), "fakemcp", "-behaviour", "dies-at-probe"}, Env: []string{"PATH=/usr/bin:/bin"}, Limits: patient, Profile: p})
	if !r.Complete() || r.Attempts != 2 {
		t.Errorf("%d attempts: %s %s", r.Attempts, r.Reason, r.Detail)
	}
}
