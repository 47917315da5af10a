package scanner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// TestNeverStarted asks in every way for the start of a launch that is not
// understood, at a terminal, by a user who approved it.
func TestNeverStarted(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	w := &world{t: t, files: map[string]string{}, log: log, shelf: newShelf(t, log)}
	unheard(w)
	w.seal(".mcp.json", "notes", "base")
	repo, err := Load(w.fs())
	if err != nil || len(repo.Targets) != 1 {
		t.Fatal(err, repo.Targets)
	}
	o := Options{Head: w.fs(), Root: dir, Approved: func(string, string) bool { return true },
		Environment: inspect.EnvOptions{Parent: os.Environ()}, Packages: w.shelf}
	notes := repo.Targets[0]
	if o.approves(notes) {
		t.Error("it may be started")
	}
	report := Verify(t.Context(), o, repo, repo.Targets)
	if got := report.Targets[0]; got.Reason == "" || !strings.HasPrefix(got.Reason, "unresolvable: ") {
		t.Errorf("verify: %s", tell(report))
	}
	if p := Propose(t.Context(), o, repo, notes, false); p.Fate != NotRead || !strings.Contains(p.Reason, "unresolvable") {
		t.Errorf("seal: %v %s", p.Fate, p.Reason)
	}
	if p := Propose(t.Context(), o, repo, notes, true); p.Fate == NotRead {
		t.Errorf("seal --launch-only: %s", p.Reason)
	}
	if i := Inspect(t.Context(), o, notes); i.Failure == nil || i.Failure.Reason != "unresolvable" {
		t.Errorf("inspect: %+v", i.Failure)
	}
	if _, err := os.Stat(log); err == nil {
		t.Error("something was started")
	}
}

// TestUnfixed names the launches that no pipeline starts.
func TestUnfixed(t *testing.T) {
	for line, want := range map[string]bool{
		"docker run img:1.0.0": true, "podman run img": true, "go run h.x/p@v1.0.0": true, "docker compose run x": true, "ssh h x": true,
		"npx pkg": false, "uvx pkg": false, "go run ./cmd/x": false, "node x.js": false, "sh x.sh": false, "cmd /c npx pkg": false, "sh -c npx": true,
	} {
		target := Target{Declared: []manifest.Entry{manifest.Typed(strings.Fields(line))}}
		if got := target.unfixed(); (got != "") != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
