package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
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
	t.Run("an older SDK below an exact version", func(t *testing.T) { olderSDK(newScratch(t, t.TempDir())) })
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

// sdkName is the package below context7 that makes its surface what it is.
const sdkName = "@modelcontextprotocol/sdk"

// olderSDK: context7 1.0.17 asks for the SDK as ^1.13.2. Sealed when 1.13.2 was
// the newest, it shows the same while the registry has newer ones; what would come
// today is told.
func olderSDK(s scratch) {
	s.t.Helper()
	past := &pastRegistry{t: s.t, upstream: upstream(s), newest: "1.13.2"}
	server := httptest.NewServer(past)
	s.t.Cleanup(func() { server.CloseClientConnections(); server.Close(); fetch.Discard(s.home) })
	if err := os.WriteFile(filepath.Join(s.home, ".npmrc"), []byte("registry="+server.URL+"/\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.write(".mcp.json", `{"mcpServers": {"context7": {"command": "npx", "args": ["-y", "@upstash/context7-mcp@1.0.17"]}}}`)
	s.run(0, "seal", "context7", "--yes")
	past.now()
	wants(s.t, s.run(0, "verify"), "1 verified exit 0")
	code, out, errs := s.try("toolwarrant", "verify", "--today")
	if code != 0 && code != 3 {
		s.t.Fatalf("verify --today exits %d\n%s%s", code, out, errs)
	}
	wants(s.t, out, "same version, other tree", sdkName+" 1.13.2 → ", "[package/tree-changed]")
	wants(s.t, s.run(0, "verify"), "1 verified exit 0")
}

// upstream is the registry that this machine's npm asks.
func upstream(s scratch) *url.URL {
	s.t.Helper()
	_, out, _ := s.try("npm", "config", "get", "registry")
	u, err := url.Parse(strings.TrimSpace(out))
	if err != nil || u.Host == "" {
		s.t.Skipf("npm names no registry: %q", out)
	}
	return u
}

// pastRegistry is the registry as it was when a version of the SDK was its newest.
type pastRegistry struct {
	t        *testing.T
	upstream *url.URL
	mu       sync.Mutex
	newest   string
}

// now ends the past.
func (p *pastRegistry) now() { p.mu.Lock(); p.newest = ""; p.mu.Unlock() }

func (p *pastRegistry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, err := http.NewRequestWithContext(r.Context(), http.MethodGet, p.upstream.Scheme+"://"+p.upstream.Host+r.URL.EscapedPath(), nil)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	q.Header.Set("Accept", r.Header.Get("Accept"))
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if name, _ := url.PathUnescape(r.URL.EscapedPath()); name == "/"+sdkName {
		body = p.cut(body)
	}
	w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(body)
}

// cut takes the versions after the newest one out of a package's document.
func (p *pastRegistry) cut(body []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	var doc map[string]any
	if p.newest == "" || json.Unmarshal(body, &doc) != nil {
		return body
	}
	last := semver.MustParse(p.newest)
	versions, _ := doc["versions"].(map[string]any)
	maps.DeleteFunc(versions, func(text string, _ any) bool {
		v, err := semver.NewVersion(text)
		return err != nil || v.GreaterThan(last)
	})
	doc["dist-tags"] = map[string]string{"latest": p.newest}
	out, err := json.Marshal(doc)
	if err != nil {
		return body
	}
	return out
}
