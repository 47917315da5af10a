package main

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// needsNPM skips where the packages cannot be had. It asks the registry once.
func needsNPM(t *testing.T, s scratch) {
	t.Helper()
	for _, program := range []string{"npm", "npx", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("npm servers cannot be run: %s is not installed", program)
		}
	}
	s.limit = time.Minute
	if code, out, errs := s.try("npm", "view", "@modelcontextprotocol/server-memory@2026.8.31", "version"); code != 0 {
		t.Skipf("the npm registry does not answer: exit %d\n%s%s", code, out, errs)
	}
}

// TestNPM runs servers as people do, through npx from the registry.
func TestNPM(t *testing.T) {
	if testing.Short() {
		t.Skip("npm packages are not fetched in a short run")
	}
	home := t.TempDir() // holds npm's caches
	needsNPM(t, newScratch(t, home))
	t.Run("official servers", func(t *testing.T) { officialServers(newScratch(t, home)) })
	t.Run("a repository of them", func(t *testing.T) { scannedServers(newScratch(t, home)) })
	t.Run("playwright", func(t *testing.T) { playwright(newScratch(t, home)) })
}

const officialConfig = `{
  "mcpServers": {
    "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "."] },
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory@2026.8.31"] },
    "everything": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything@2026.8.31"] }
  }
}
`

// officialServers: sealed, unchanged, and sealed again without another byte.
func officialServers(s scratch) {
	s.t.Helper()
	s.write(".mcp.json", officialConfig)
	wants(s.t, s.run(0, "seal", "--all", "--yes"), "3 sealed exit 0")
	before := s.locks()
	if len(before) != 6 {
		s.t.Fatalf("%d files, want 3 locks and 3 trees", len(before))
	}
	wants(s.t, s.run(0, "verify"), "3 verified exit 0")
	wants(s.t, s.run(0, "seal", "--all", "--yes"), "3 unchanged exit 0")
	if after := s.locks(); !maps.Equal(before, after) {
		s.t.Errorf("sealing again changed bytes\nbefore: %v\nafter: %v", before, after)
	}
}

// scannedServers: scan before and after sealing, before and after the first
// commit, and over a version that moves.
func scannedServers(s scratch) {
	s.t.Helper()
	needs(s.t, "git")
	s.git("init", "-q", "-b", "main")
	s.write(".mcp.json", strings.Replace(officialConfig, "server-filesystem@2026.8.31", "server-filesystem@2026.7.10", 1))
	wants(s.t, s.run(6, "scan"), "3 refused exit 6", "not sealed")
	s.run(0, "seal", "--all", "--yes")
	wants(s.t, s.run(0, "scan"), "3 verified exit 0")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "approve")
	wants(s.t, s.run(0, "scan"), "3 verified exit 0")

	s.write(".mcp.json", officialConfig)
	wants(s.t, s.run(4, "scan"), "[launch/changed]", "server-filesystem@2026.7.10", "server-filesystem@2026.8.31", "1 escalation, 2 verified exit 4")
	s.accept("filesystem", s.run(6, "seal", "filesystem", "--yes"))
	wants(s.t, s.run(0, "scan"), "3 verified exit 0")
	wants(s.t, s.run(3, "scan", "--base", "HEAD"), "[launch/changed-minor]", "exit 3")
}

// accept seals what a sealing showed and did not write.
func (s scratch) accept(name, shown string) {
	s.t.Helper()
	digest := regexp.MustCompile(`--accept\s+([0-9a-f]{12})\b`).FindStringSubmatch(shown)
	if digest == nil {
		s.t.Fatalf("no digest is offered\n%s", shown)
	}
	s.run(0, "seal", name, "--yes", "--accept", digest[1])
}

// git runs git as somebody.
func (s scratch) git(args ...string) {
	s.t.Helper()
	if code, out, errs := s.try("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...); code != 0 {
		s.t.Fatalf("git %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
}

const (
	playwrightConfig = `{"mcpServers": {"playwright": {"command": "npx", "args": ["-y", "@playwright/mcp@%s"]}}}`
	playwrightLock   = ".toolwarrant/servers/playwright.lock.json"
)

// playwright: release 0.0.56 can run code that the model writes; nothing of it
// is recorded before somebody accepts it.
func playwright(s scratch) {
	s.t.Helper()
	s.write(".mcp.json", fmt.Sprintf(playwrightConfig, "0.0.41"))
	s.run(0, "seal", "playwright", "--yes")
	old := s.read(playwrightLock)
	s.write("old.lock.json", old)

	s.write(".mcp.json", fmt.Sprintf(playwrightConfig, "0.0.56"))
	shown := s.run(6, "seal", "playwright", "--yes")
	wants(s.t, shown, `tool "browser_run_code" is new and can do control, exec`, "[launch/changed]", "1 differs exit 6")
	if s.read(playwrightLock) != old {
		s.t.Fatal("the lock was written without being accepted")
	}
	s.accept("playwright", shown)
	wants(s.t, s.run(4, "diff", "old.lock.json", playwrightLock), `tool "browser_run_code" is new and can do control, exec`, "1 escalation exit 4")
	wants(s.t, s.run(0, "verify"), "1 verified exit 0")
}
