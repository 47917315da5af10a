package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/tree"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// forest makes files in folders of a hundred, and a configuration in each tenth
// folder.
func forest(b *testing.B, files int) string {
	b.Helper()
	dir := b.TempDir()
	for folder := range files / 100 {
		at := filepath.Join(dir, fmt.Sprintf("d%03d", folder/20), fmt.Sprintf("e%04d", folder))
		if err := os.MkdirAll(at, 0o755); err != nil {
			b.Fatal(err)
		}
		for f := range 100 {
			name, text := fmt.Sprintf("f%02d.txt", f), "x"
			if f == 0 && folder%10 == 0 {
				name, text = ".mcp.json", fmt.Sprintf(`{"mcpServers": {"s%d": {"command": "npx", "args": ["-y", "pkg@1.0.%d"]}}}`, folder, folder)
			}
			if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	return dir
}

// BenchmarkStaticScan sets a scan of 50,000 files that starts nothing against
// find(1) over the same tree and cat(1) of the configurations, in turns.
func BenchmarkStaticScan(b *testing.B) {
	find, err := exec.LookPath("find")
	if err != nil {
		b.Skip("find is not installed: linux and others have it")
	}
	dir := forest(b, 50000)
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	var ratio []float64
	for b.Loop() {
		least := milliseconds(func() {
			out, err := exec.Command(find, dir, "-name", ".mcp.json", "-exec", "cat", "{}", "+").Output()
			if err != nil || len(out) == 0 {
				b.Fatal("find found nothing", err)
			}
		})
		ours := milliseconds(func() {
			r, err := scanner.Scan(b.Context(), scanner.Options{Head: root.FS(), Root: dir, Live: scanner.LiveNone, Date: "2026-01-01"})
			if err != nil || len(r.Targets) != 50 {
				b.Fatal("the scan found something else", err)
			}
		})
		ratio = append(ratio, ours/least)
	}
	b.ReportMetric(median(ratio), "scan/find")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkAnchoredScan sets a scan of 100,000 git objects against an anchor
// that differs in one file, for which equal folders are not walked again,
// against the same scan without an anchor.
func BenchmarkAnchoredScan(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("git is not installed")
	}
	dir := forest(b, 100000)
	git(b, dir, "init", "-q")
	git(b, dir, "add", "-A")
	git(b, dir, "commit", "-qm", "one")
	if err := os.WriteFile(filepath.Join(dir, "d000", "new.txt"), []byte("x"), 0o644); err != nil {
		b.Fatal(err)
	}
	git(b, dir, "add", "-A")
	git(b, dir, "commit", "-qm", "two")
	var ratio []float64
	for b.Loop() {
		alone := milliseconds(func() { staticScan(b, dir, false) })
		both := milliseconds(func() { staticScan(b, dir, true) })
		ratio = append(ratio, both/alone)
	}
	b.ReportMetric(median(ratio), "anchored/alone")
	b.ReportMetric(0, "ns/op")
}

// staticScan opens the repository anew: nothing is in memory from the last one.
func staticScan(b *testing.B, dir string, anchored bool) {
	b.Helper()
	repo, err := tree.OpenRepository(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = repo.Close() }()
	head, err := repo.Tree("HEAD")
	if err != nil {
		b.Fatal(err)
	}
	o := scanner.Options{Head: head, Live: scanner.LiveNone, Date: "2026-01-01"}
	if anchored {
		if o.Anchor.FS, err = repo.Tree("HEAD~1"); err != nil {
			b.Fatal(err)
		}
		o.Anchor.Kind, o.Anchor.Change = "base", true
	}
	if _, err := scanner.Scan(b.Context(), o); err != nil {
		b.Fatal(err)
	}
}

func git(b *testing.B, dir string, args ...string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "git", append([]string{"-c", "user.name=b", "-c", "user.email=b@example.com", "-c", "gc.auto=0"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
