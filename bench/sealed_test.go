package bench

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// sealedServers are three servers as people declare them, by exact version.
var sealedServers = []struct{ name, version, arg string }{
	{"@modelcontextprotocol/server-filesystem", "2026.8.31", "."},
	{"@modelcontextprotocol/server-memory", "2026.8.31", ""},
	{"@modelcontextprotocol/server-everything", "2026.8.31", ""},
}

// BenchmarkSealedScan scans a repository of three sealed servers as a process of
// its own, and sets it against two clients that do the least: one that starts
// node on installed files, all at once, and one that goes through npx with a warm
// cache, one after the other. All three take their turns in each round.
func BenchmarkSealedScan(b *testing.B) {
	for _, program := range []string{"npm", "node", "npx", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skipf("%s is not installed", program)
		}
	}
	s := newSealed(b)
	var scan, direct, npx, overDirect, overNPX []float64
	for b.Loop() {
		ours := milliseconds(func() { s.toolwarrant("scan") })
		bare := milliseconds(s.direct)
		through := milliseconds(s.throughNPX)
		scan, direct, npx = append(scan, ours), append(direct, bare), append(npx, through)
		overDirect, overNPX = append(overDirect, ours/bare), append(overNPX, ours/through)
	}
	b.ReportMetric(median(scan), "scan-ms")
	b.ReportMetric(median(direct), "node-ms")
	b.ReportMetric(median(npx), "npx-ms")
	b.ReportMetric(median(overDirect), "scan/node")
	b.ReportMetric(median(overNPX), "scan/npx")
	b.ReportMetric(0, "ns/op") // of all three together: of no use
}

// sealed is a repository of the servers, sealed, and the same packages installed
// beside it.
type sealed struct {
	b                   *testing.B
	program, repo, home string
	installAt           string
	env                 []string
}

func newSealed(b *testing.B) *sealed {
	b.Helper()
	dir := b.TempDir()
	s := &sealed{b: b, program: filepath.Join(dir, "toolwarrant"), repo: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"), installAt: filepath.Join(dir, "installed")}
	for _, d := range []string{s.repo, s.home, s.installAt} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "XDG_CACHE_HOME=" + filepath.Join(s.home, ".cache"), "TMPDIR=" + b.TempDir(), "LANG=C.UTF-8", "NO_COLOR=1"}
	s.command(dir, nil, "go", "build", "-o", s.program, "github.com/toolwarrant/toolwarrant/cmd/toolwarrant")
	s.declare()
	if err := os.WriteFile(filepath.Join(s.installAt, "package.json"), []byte("{}"), 0o644); err != nil {
		b.Fatal(err)
	}
	install := []string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"}
	for _, p := range sealedServers {
		install = append(install, p.name+"@"+p.version)
	}
	if out, err := s.try(s.installAt, s.env, "npm", install...); err != nil {
		b.Skipf("npm does not install the servers: %v\n%s", err, out)
	}
	s.toolwarrant("seal", "--all", "--yes")
	s.toolwarrant("scan")
	s.throughNPX() // which fills its cache
	return s
}

func (s *sealed) declare() {
	servers := map[string]any{}
	for _, p := range sealedServers {
		args := []string{"-y", p.name + "@" + p.version}
		if p.arg != "" {
			args = append(args, p.arg)
		}
		servers[filepath.Base(p.name)] = map[string]any{"command": "npx", "args": args}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		s.b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.repo, ".mcp.json"), text, 0o644); err != nil {
		s.b.Fatal(err)
	}
}

func (s *sealed) try(dir string, env []string, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(s.b.Context(), program, args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd.CombinedOutput()
}

// command runs a program that must succeed; without an environment in ours, and
// where this package lies.
func (s *sealed) command(dir string, env []string, program string, args ...string) {
	s.b.Helper()
	if env == nil {
		dir = ""
	}
	if out, err := s.try(dir, env, program, args...); err != nil {
		s.b.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}

func (s *sealed) toolwarrant(args ...string) {
	s.b.Helper()
	s.command(s.repo, s.env, s.program, args...)
}

// direct starts node on the installed files of all servers at once.
func (s *sealed) direct() {
	node, err := exec.LookPath("node")
	if err != nil {
		s.b.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, p := range sealedServers {
		argv := []string{node, filepath.Join(s.installAt, "node_modules", filepath.FromSlash(p.name), "dist", "index.js")}
		if p.arg != "" {
			argv = append(argv, s.repo)
		}
		wg.Go(func() { bare(s.b, argv, s.env) })
	}
	wg.Wait()
}

// throughNPX starts each server as its declaration says, one after the other.
func (s *sealed) throughNPX() {
	for _, p := range sealedServers {
		argv := []string{"npx", "-y", p.name + "@" + p.version}
		if p.arg != "" {
			argv = append(argv, s.repo)
		}
		bare(s.b, argv, s.env)
	}
}
