package main

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// TestPluginKilled kills upgrades and rollbacks at random moments. Whenever that is,
// the lock is one of the two that were ever whole, and one version is enabled.
func TestPluginKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run kills nothing")
	}
	needsLinux(t)
	const lockFile = ".toolwarrant/plugins/notes.lock.json"
	s := newScratch(t, t.TempDir())
	first, second := lockedArchive(t, "first"), lockedArchive(t, "second")
	first.State = lockfile.PluginEnabled
	whole, err := lockfile.Plugin{Name: "notes", Places: []string{policy.File + "#/plugins/notes"}}.With(first).With(second).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	s.write(policy.File, "publishers: {trusted: [\""+first.Signature.Publisher+"\"]}\nplugins:\n  - {name: notes, url: \""+first.Source+"\", sha256: \""+strings.TrimPrefix(first.Pin, "sha256:")+"\"}\n")
	s.write(lockFile, string(whole))
	steps := [2][]string{
		{"review", "notes", "enable", "--package", second.Package, "--replaces", first.Package},
		{"review", "notes", "rollback", "--package", first.Package, "--replaces", second.Package},
	}
	s.run(0, steps[0]...) // from here on the two locks lead to each other
	locks := map[string]int{s.read(lockFile): 1}
	began := time.Now()
	s.run(0, steps[1]...)
	takes := time.Since(began)
	locks[s.read(lockFile)] = 0
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range fewKills {
		at := locks[s.read(lockFile)]
		cmd := exec.Command("toolwarrant", steps[at]...)
		cmd.Dir, cmd.Env = s.repo, s.environ()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(takes))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		text := s.read(lockFile)
		if _, known := locks[text]; !known {
			t.Fatalf("after %v the lock is neither the old one nor the new one:\n%s", steps[at], text)
		}
		p, err := lockfile.ParsePlugin([]byte(text))
		if err != nil || strings.Count(text, `"state": "enabled"`) != 1 || p.Enabled() == nil {
			t.Fatalf("after %v not exactly one version is enabled: %v\n%s", steps[at], err, text)
		}
	}
}

// TestPluginReviewsAtOnce lets two people decide about one lock at the same moment.
// Whoever is told that the lock was written finds the decision in it: a revocation is
// never lost behind another decision.
func TestPluginReviewsAtOnce(t *testing.T) {
	needsLinux(t)
	const lockFile = ".toolwarrant/plugins/notes.lock.json"
	s := newScratch(t, t.TempDir())
	first, second := lockedArchive(t, "first"), lockedArchive(t, "second")
	whole, err := lockfile.Plugin{Name: "notes", Places: []string{policy.File + "#/plugins/notes"}}.With(first).With(second).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	s.write(policy.File, "publishers: {trusted: [\""+first.Signature.Publisher+"\"]}\nplugins:\n  - {name: notes, url: \""+first.Source+"\", sha256: \""+strings.TrimPrefix(first.Pin, "sha256:")+"\"}\n")
	for range 4 {
		s.write(lockFile, string(whole))
		start := func(args ...string) *exec.Cmd {
			cmd := exec.Command("toolwarrant", args...)
			cmd.Dir, cmd.Env = s.repo, s.environ()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			return cmd
		}
		revoking := start("review", "notes", "revoke", "--package", first.Package)
		enabling := start("review", "notes", "enable", "--package", second.Package)
		revoked, enabled := revoking.Wait() == nil, enabling.Wait() == nil
		p, err := lockfile.ParsePlugin([]byte(s.read(lockFile)))
		if err != nil {
			t.Fatal(err)
		}
		if !revoked && !enabled || revoked && p.From(first.Source, first.Pin).State != lockfile.PluginRevoked || enabled && p.From(second.Source, second.Pin).State != lockfile.PluginEnabled {
			t.Errorf("revoked %t, enabled %t, and the lock says\n%s", revoked, enabled, s.read(lockFile))
		}
	}
}

// TestPluginReportConforms holds a report about plugins against the published schema:
// one that is not sealed, one that was not fetched, and a lock that nothing declares.
func TestPluginReportConforms(t *testing.T) {
	published := schema(t, "docs/report.schema.json")
	s := newScratch(t, t.TempDir())
	v := lockedArchive(t, "first")
	v.Source, v.ConfirmUntrusted = "https://127.0.0.1:1/notes.zip", true
	for name, want := range map[string]int{"notes": exitUndetermined, "other": exitRefused} {
		lock, err := lockfile.Plugin{Name: "notes", Places: []string{policy.File + "#/plugins/notes"}}.With(v).Bytes()
		if err != nil {
			t.Fatal(err)
		}
		address := v.Source
		if name == "other" {
			address = "https://127.0.0.1:1/other.zip"
		}
		text := "plugins:\n  - {name: " + name + ", url: \"" + address + "\", sha256: \"" + strings.TrimPrefix(v.Pin, "sha256:") + "\"}\n"
		s.write(policy.File, text)
		s.write(".toolwarrant/plugins/notes.lock.json", string(lock))
		s.run(0, "review", "notes", "approve", "--confirm-untrusted", "--package", v.Package)
		code, out, errs := s.try("toolwarrant", "scan", "--json")
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
		if err := published.Validate(doc); err != nil {
			t.Error(err)
		}
		if code != want {
			t.Errorf("%s: exits %d, want %d\n%s", name, code, want, out)
		}
	}
}

// lockedArchive is the version that a lock holds of an archive, approved.
func lockedArchive(t *testing.T, kind string) lockfile.PluginVersion {
	t.Helper()
	data := archiveOf(kind)
	declared := policy.Plugin{Name: "notes", URL: "https://plugins.example/" + kind + ".zip", SHA256: hexSum(string(data)), At: finding.At(policy.File, 1, 1)}
	read := scanner.JudgePlugin(declared, scanner.PluginBytes{Archive: data}, policy.Publishers{})
	if read.Version == nil {
		t.Fatalf("%+v", read.Verdict)
	}
	v := *read.Version
	v.State = lockfile.PluginApproved
	return v
}
