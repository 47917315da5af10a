package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// realServer is one package of npm's registry and what it needs to list.
type realServer struct {
	spec string
	args []string
	env  []string // names; the values are of no use to anybody
	// machine: its words tell what it finds on the machine, which differs under a
	// profile without a root of its own.
	machine bool
}

// realServers are widely used. The first few are run by default, all of them with
// TOOLWARRANT_SERVERS=all; TOOLWARRANT_TREES names a folder that keeps what npm
// installed.
var realServers = []realServer{
	{spec: "@modelcontextprotocol/server-memory@2026.8.31"},
	{spec: "@modelcontextprotocol/server-everything@2026.8.31"},
	{spec: "@modelcontextprotocol/server-filesystem@2026.8.31", args: []string{"DIR"}},
	{spec: "@modelcontextprotocol/server-sequential-thinking@2026.8.31"},
	{spec: "@modelcontextprotocol/server-github@2025.4.8"},
	{spec: "@modelcontextprotocol/server-slack@2025.4.25", env: []string{"SLACK_BOT_TOKEN", "SLACK_TEAM_ID"}},
	{spec: "tavily-mcp@0.2.22"},
	{spec: "@modelcontextprotocol/server-gitlab@2025.4.25", env: []string{"GITLAB_PERSONAL_ACCESS_TOKEN"}},
	{spec: "@modelcontextprotocol/server-postgres@0.6.2", args: []string{"postgresql://127.0.0.1/test"}},
	{spec: "@modelcontextprotocol/server-puppeteer@2025.5.12"},
	{spec: "@modelcontextprotocol/server-brave-search@0.6.2", env: []string{"BRAVE_API_KEY"}},
	{spec: "@modelcontextprotocol/server-google-maps@0.6.2", env: []string{"GOOGLE_MAPS_API_KEY"}},
	{spec: "@modelcontextprotocol/server-redis@2025.4.25"},
	{spec: "@playwright/mcp@0.0.83"},
	{spec: "@upstash/context7-mcp@4.1.1"},
	{spec: "@notionhq/notion-mcp-server@2.5.2"},
	{spec: "mcp-remote@0.15.1", args: []string{"https://mcp.example.com/"}},
	{spec: "firecrawl-mcp@3.26.0", env: []string{"FIRECRAWL_API_KEY"}},
	{spec: "@supabase/mcp-server-supabase@0.13.0", env: []string{"SUPABASE_ACCESS_TOKEN"}},
	{spec: "@brave/brave-search-mcp-server@2.1.4", env: []string{"BRAVE_API_KEY"}},
	{spec: "chrome-devtools-mcp@1.11.0"},
	{spec: "@antv/mcp-server-chart@0.9.10"},
	{spec: "@circleci/mcp-server-circleci@0.20.0"},
	{spec: "@sentry/mcp-server@0.39.0", env: []string{"SENTRY_ACCESS_TOKEN"}},
	{spec: "figma-developer-mcp@0.13.2", args: []string{"--stdio"}, env: []string{"FIGMA_API_KEY"}},
	{spec: "@azure/mcp@2.0.5", args: []string{"server", "start"}},
	{spec: "exa-mcp-server@3.4.1"},
	{spec: "mongodb-mcp-server@3.0.4"},
	{spec: "@zereight/mcp-gitlab@2.1.64", env: []string{"GITLAB_PERSONAL_ACCESS_TOKEN"}},
	{spec: "@wonderwhy-er/desktop-commander@0.2.52", machine: true},
	{spec: "@stripe/mcp@0.3.3", env: []string{"STRIPE_SECRET_KEY"}},
	{spec: "@perplexity-ai/mcp-server@1.2.1", env: []string{"PERPLEXITY_API_KEY"}},
	{spec: "@eslint/mcp@0.3.13"},
	{spec: "@hubspot/mcp-server@0.4.0", env: []string{"PRIVATE_APP_ACCESS_TOKEN"}},
	{spec: "@azure-devops/mcp@2.10.0", args: []string{"example"}},
}

const fewServers = 6

// confinedReading is what one profile made of one server.
type confinedReading struct {
	Surface string
	Tools   []json.RawMessage
	Sandbox struct {
		Hosts, Decoys, Wrote []string
		Survivors            int
	}
	Failure *struct{ Reason, Detail, LastWords string }
}

// TestConfinedServers reads real servers under each profile that works here, and
// prints what each wanted. What a profile confines must not show in a surface.
func TestConfinedServers(t *testing.T) {
	if testing.Short() {
		t.Skip("npm packages are not fetched in a short run")
	}
	for _, p := range sandbox.Profiles() {
		if reason := sandbox.Try(p); reason != "" {
			t.Skipf("the profile %s does not work here: %s", p, reason)
		}
	}
	public := publicDir(t)
	s, elsewhere := newScratch(t, filepath.Join(public, "home")), newScratch(t, filepath.Join(public, "another", "home"))
	needsNPM(t, s)
	trees, list := filepath.Join(public, "trees"), realServers[:fewServers]
	if os.Getenv("TOOLWARRANT_SERVERS") == "all" {
		list = realServers
	}
	if dir := os.Getenv("TOOLWARRANT_TREES"); dir != "" {
		trees = dir
	}
	both, equal := 0, 0
	for _, r := range list {
		argv := r.install(t, trees)
		full, restricted := r.inspect(s, argv, "full"), r.inspect(s, argv, "restricted")
		if again := r.inspect(elsewhere, argv, "full"); again.Surface != full.Surface {
			t.Errorf("%s lists otherwise from another home and directory: %s, and %s", r.spec, full, again)
		}
		t.Logf("%s\n\tfull:       %s\n\trestricted: %s", r.spec, full, restricted)
		if full.Failure != nil || restricted.Failure != nil {
			if len(list) == fewServers {
				t.Errorf("%s is not read", r.spec)
			}
			continue
		}
		if both++; full.Surface == restricted.Surface {
			equal++
		} else if !r.machine {
			t.Errorf("%s lists otherwise under restricted", r.spec)
		}
	}
	t.Logf("%d of %d list under both profiles, %d of them with one digest", both, len(list), equal)
}

// TestSameEverywhere: a server that tells where it runs tells the same from two homes,
// two working directories and two temporary folders, in whichever slot it runs.
func TestSameEverywhere(t *testing.T) {
	public := publicDir(t)
	server := filepath.Join(public, "fakemcp")
	found, err := exec.LookPath("fakemcp")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(found)
	if err == nil {
		err = os.WriteFile(server, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	one, two := newScratch(t, filepath.Join(public, "one")), newScratch(t, filepath.Join(public, "two", "deeper"))
	t.Setenv("TMPDIR", filepath.Join(two.home, "tmp"))
	taken, err := sandbox.Claim() // so that the second one gets another slot
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Release()
	for _, p := range append(sandbox.Profiles(), sandbox.None) {
		t.Run(string(p), func(t *testing.T) {
			if reason := sandbox.Try(p); p != sandbox.None && reason != "" {
				t.Skipf("the profile %s does not work here: %s", p, reason)
			}
			r := realServer{spec: "fakemcp"}
			first, second := r.inspect(one, []string{server, "-behaviour", "own-machine"}, string(p)), r.inspect(two, []string{server, "-behaviour", "own-machine"}, string(p))
			if first.Failure != nil || first.Surface == "" || first.Surface != second.Surface {
				t.Errorf("%s\nand\n%s", first, second)
			}
			told := string(bytes.Join([][]byte{first.Tools[0], first.Tools[len(first.Tools)-1]}, nil))
			if !strings.Contains(told, "/tmp/toolwarrant-0000/work, /tmp/toolwarrant-0000/home and /tmp/toolwarrant-0000/tmp on ") {
				t.Errorf("it tells %s", told)
			}
			if p == sandbox.Full && !strings.Contains(told, "on toolwarrant.") {
				t.Errorf("it tells the machine's name: %s", told)
			}
		})
	}
}

// publicDir is a folder that other users can enter: as root a confined server is one.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "toolwarrant-servers-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (c confinedReading) String() string {
	if c.Failure != nil {
		return "not read: " + c.Failure.Reason + ": " + c.Failure.Detail + c.seen()
	}
	return fmt.Sprintf("%d tools, %s%s", len(c.Tools), c.Surface[:19], c.seen())
}

func (c confinedReading) seen() string {
	return fmt.Sprintf("; wanted %q, opened %q, left %q and %d processes", c.Sandbox.Hosts, c.Sandbox.Decoys, c.Sandbox.Wrote, c.Sandbox.Survivors)
}

func (r realServer) inspect(s scratch, argv []string, profile string) (c confinedReading) {
	args := []string{"inspect", "--sandbox", profile, "-o", "json", "-q"}
	for _, name := range r.env {
		args = append(args, "--env", name+"=toolwarrant-dummy-value-of-no-use")
	}
	_, out, errs := s.try("toolwarrant", append(append(args, "--"), argv...)...)
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		s.t.Fatalf("%s: %v\n%s%s", r.spec, err, out, errs)
	}
	return c
}

// install fetches a package without running its scripts, and returns the command
// that npx would run.
func (r realServer) install(t *testing.T, trees string) []string {
	t.Helper()
	at := strings.LastIndexByte(r.spec, '@')
	name := r.spec[:at]
	dir := filepath.Join(trees, strings.NewReplacer("/", "_", "@", "_").Replace(r.spec))
	pkg := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(pkg); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", dir, "--cache", filepath.Join(trees, ".cache"), r.spec)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("npm does not install %s: %v\n%s", r.spec, err, out)
		}
	}
	var m struct{ Bin any }
	text, err := os.ReadFile(filepath.Join(pkg, "package.json"))
	if err != nil || json.Unmarshal(text, &m) != nil {
		t.Fatalf("%s: its package.json is not read: %v", r.spec, err)
	}
	argv := []string{"node", filepath.Join(pkg, binOf(m.Bin, path.Base(name)))}
	for _, arg := range r.args {
		if arg == "DIR" {
			arg = dir
		}
		argv = append(argv, arg)
	}
	return argv
}

// binOf picks as npx does: the only one, or the one of the package's name.
func binOf(bin any, name string) string {
	entries, ok := bin.(map[string]any)
	if !ok {
		text, _ := bin.(string)
		return text
	}
	var files []string
	for _, f := range entries {
		if text, ok := f.(string); ok {
			files = append(files, text)
		}
	}
	slices.Sort(files)
	if files = slices.Compact(files); len(files) == 1 {
		return files[0]
	}
	text, _ := entries[name].(string)
	return text
}
