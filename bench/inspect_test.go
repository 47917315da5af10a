package bench

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMain is also the supervisor of the servers.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const (
	serverPackage = "@modelcontextprotocol/server-memory"
	serverVersion = "2026.8.31"
)

// BenchmarkInspect reads one real server, in turns through inspect and through
// a client that does the least: one handshake, one listing, no limits, nobody
// to see that no process is left. Both end the server by closing its input and
// wait until it is gone. The ratio is the median over turns, so that a machine
// that slows down meanwhile slows down both sides of it; beside it stands the
// ratio of the two fastest readings, which a busy machine disturbs least.
func BenchmarkInspect(b *testing.B) {
	argv := installed(b)
	env := []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + b.TempDir(), "TMPDIR=" + b.TempDir()}
	var full, least, ratio []float64
	for n := 0; b.Loop(); n++ {
		var ours, theirs float64
		turns := []func(){
			func() { ours = milliseconds(func() { inspected(b, argv, env) }) },
			func() { theirs = milliseconds(func() { bare(b, argv, env) }) },
		}
		if n%2 == 1 {
			slices.Reverse(turns) // whoever comes second finds warmer caches
		}
		for _, turn := range turns {
			turn()
		}
		full, least, ratio = append(full, ours), append(least, theirs), append(ratio, ours/theirs)
	}
	b.ReportMetric(median(full), "inspect-ms")
	b.ReportMetric(median(least), "bare-ms")
	b.ReportMetric(median(ratio), "inspect/bare")
	b.ReportMetric(slices.Min(full)/slices.Min(least), "fastest/fastest")
	b.ReportMetric(0, "ns/op") // of both together: of no use
}

// installed fetches the server, without running scripts of packages, and
// returns the command that starts it.
func installed(b *testing.B) []string {
	b.Helper()
	return installedAt(b, b.TempDir())
}

func installedAt(b *testing.B, dir string) []string {
	b.Helper()
	for _, program := range []string{"npm", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skipf("%s is not installed", program)
		}
	}
	ctx, cancel := context.WithTimeout(b.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock",
		"--prefix", dir, "--cache", filepath.Join(dir, ".cache"), serverPackage+"@"+serverVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("npm does not install %s: %v\n%s", serverPackage, err, out)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		b.Fatal(err)
	}
	return []string{node, filepath.Join(dir, "node_modules", filepath.FromSlash(serverPackage), "dist", "index.js")}
}

func inspected(b *testing.B, argv, env []string) {
	b.Helper()
	r := inspect.Read(b.Context(), inspect.Order{Argv: argv, Env: env})
	if !r.Complete() {
		b.Fatalf("not read: %s at %s: %s\n%s", r.Reason, r.Stage, r.Detail, r.LastWords)
	}
}

func milliseconds(do func()) float64 {
	began := time.Now()
	do()
	return time.Since(began).Seconds() * 1000
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
