package main

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
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
	if len(before) != 3 {
		s.t.Fatalf("%d locks, want 3", len(before))
	}
	wants(s.t, s.run(0, "verify"), "3 verified exit 0")
	wants(s.t, s.run(0, "seal", "--all", "--yes"), "3 unchanged exit 0")
	if after := s.locks(); !maps.Equal(before, after) {
		s.t.Errorf("sealing again changed bytes\nbefore: %v\nafter: %v", before, after)
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
	digest := regexp.MustCompile(`--accept\s+([0-9a-f]{12})\b`).FindStringSubmatch(shown)
	if digest == nil {
		s.t.Fatalf("no digest is offered\n%s", shown)
	}
	s.run(0, "seal", "playwright", "--yes", "--accept", digest[1])
	wants(s.t, s.run(4, "diff", "old.lock.json", playwrightLock), `tool "browser_run_code" is new and can do control, exec`, "1 escalation exit 4")
	wants(s.t, s.run(0, "verify"), "1 verified exit 0")
}
