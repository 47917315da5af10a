package manifest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
)

const oneServer = `{"mcpServers":{"a":{"command":"x"}}}`

func TestFind(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{
		".mcp.json", "a/b/.mcp.json", "node_modules/p/.mcp.json", ".MCP.json", ".vscode/mcp.json", ".VSCode/MCP.json", "sub/.cursor/mcp.json",
		".gemini/settings.json", "x/claude_desktop_config.json", ".\u200cmcp.json", ".mcp.j\u017fon",
		".git/.mcp.json", "mcp.json", "x.mcp.json", "vscode/mcp.json", ".vscode/sub/mcp.json", "settings.json", ".mcp.json/readme",
	} {
		if name != ".mcp.json/readme" {
			tree[name] = &fstest.MapFile{Data: []byte(oneServer)}
		}
	}
	tree["dir/.mcp.json/readme"] = &fstest.MapFile{}
	files, problems := Find(tree)
	got := map[string]string{}
	for _, f := range files {
		if f.Steers == "" {
			got[f.Path] = f.Dialect
		}
	}
	want := map[string]string{
		".mcp.json": "mcp-json", "a/b/.mcp.json": "mcp-json", "node_modules/p/.mcp.json": "mcp-json", ".MCP.json": "mcp-json",
		".vscode/mcp.json": "vscode-mcp", ".VSCode/MCP.json": "vscode-mcp", "sub/.cursor/mcp.json": "cursor", ".gemini/settings.json": "gemini",
		"x/claude_desktop_config.json": "claude-desktop", ".\u200cmcp.json": "mcp-json", ".mcp.j\u017fon": "mcp-json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	variants := map[string]finding.Level{}
	for _, p := range problems {
		if p.Rule == "launch/variant-spelling" {
			variants[p.Location.File] = p.Level
		}
	}
	wantVariants := map[string]finding.Level{
		".MCP.json": finding.Error, ".VSCode/MCP.json": finding.Error, ".\u200cmcp.json": finding.Error, ".mcp.j\u017fon": finding.Error,
	}
	if diff := cmp.Diff(wantVariants, variants); diff != "" || len(problems) != len(variants) {
		t.Errorf("(-want +got)\n%s%v", diff, problems)
	}
	if f := Read(tree, ".VSCode/MCP.json"); f.Dialect != "vscode-mcp" {
		t.Errorf("a variant is read as %q", f.Dialect)
	}
}

// TestLinks walks a real folder through os.Root, as the program does.
func TestLinks(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "tree")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(outer, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Skipf("links cannot be made here: %v", err)
		}
	}
	write("tree/shared/config.json", oneServer)
	write("tree/shared/mcp.json", `{"servers":{"v":{"command":"x"}}}`)
	write("outside/mcp.json", oneServer)
	link("shared/config.json", ".mcp.json")
	link("shared", ".vscode")
	link("shared", "plain")
	link(".", "loop")
	link("../../outside/mcp.json", "out/.mcp.json")
	link(filepath.Join(outer, "outside"), "abs/.cursor")
	link("nowhere", "gone/.mcp.json")
	link("../shared", "dir/.mcp.json")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()

	files, problems := Find(root.FS())
	if diff := cmp.Diff([]Found{{Path: ".mcp.json", Dialect: "mcp-json", linked: true}, {Path: ".vscode/mcp.json", Dialect: "vscode-mcp", linked: true}}, files, cmp.AllowUnexported(Found{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var refused []string
	for _, p := range problems {
		if p.Rule != "check/undetermined" || p.Outcome != finding.Undetermined {
			t.Errorf("%+v", p)
		}
		refused = append(refused, p.Location.File)
	}
	if diff := cmp.Diff([]string{"abs/.cursor", "gone/.mcp.json", "out/.mcp.json"}, refused); diff != "" {
		t.Errorf("refused (-want +got)\n%s", diff)
	}
	if f := Read(root.FS(), ".mcp.json"); len(f.Entries) != 1 || len(f.Problems) != 0 {
		t.Errorf("a link inside of the tree: %+v", f)
	}
	if f := Read(root.FS(), "out/.mcp.json"); len(f.Entries) != 0 || len(f.Problems) != 1 {
		t.Errorf("a link out of the tree: %+v", f)
	}
}

func TestReadRefuses(t *testing.T) {
	tree := fstest.MapFS{
		"big/.mcp.json":   {Data: make([]byte, MaxSize+1)},
		"pipe/.mcp.json":  {Mode: fs.ModeNamedPipe},
		"dir/.mcp.json/x": {},
		"fits/.mcp.json":  {Data: []byte(oneServer + strings.Repeat(" ", MaxSize-len(oneServer)))},
	}
	for _, name := range []string{"big/.mcp.json", "pipe/.mcp.json", "dir/.mcp.json", "none/.mcp.json", "../x", ""} {
		f := Read(tree, name)
		if len(f.Problems) != 1 || f.Problems[0].Rule != "check/undetermined" || len(f.Entries) != 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := Read(tree, "fits/.mcp.json"); len(f.Problems) != 0 || len(f.Entries) != 1 {
		t.Errorf("%+v", f)
	}
}

// TestNamesThatAreNoText makes names of bytes that are no UTF-8, where the file
// system allows it.
func TestNamesThatAreNoText(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "d\xff"), 0o755); err != nil {
		t.Skipf("this file system refuses names that are not UTF-8: %v", err)
	}
	for _, name := range []string{"d\xff/.mcp.json", "f\xfe.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(oneServer), 0o644); err != nil {
			t.Skipf("this file system refuses names that are not UTF-8: %v", err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	files, problems := Find(root.FS())
	if len(files) != 0 || len(problems) != 2 {
		t.Fatalf("%v %v", files, problems)
	}
	if p := problems[0]; p.Rule != "check/undetermined" || p.Location.File != `d\xff` {
		t.Errorf("%+v", p)
	}
	if p := problems[1]; p.Rule != "check/unread-name" || p.Location.File != `f\xfe.txt` {
		t.Errorf("%+v", p)
	}
}
