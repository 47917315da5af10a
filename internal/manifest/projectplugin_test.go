package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestPluginInventory(t *testing.T) {
	const manifest = `{"name": "p", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./a.sh"}]}]},
"mcpServers": {"s": {"command": "node", "args": ["s.js"]}},
"lspServers": {"l": {"command": "gopls"}},
"experimental": {"monitors": "./m.json"}}`
	want := []string{
		`helper 2:33 node s.js | when the plugin is on, as a server`,
		`helper 3:33 gopls | when the plugin is on, as a language server`,
		`hook 1:76 ./a.sh | at Stop`,
		`not-analysed 4:30 what runs stands in files that the manifest names, or in a list | `,
	}
	for _, folder := range []string{".claude-plugin", ".codex-plugin", ".cursor-plugin"} {
		path := "p/" + folder + "/plugin.json"
		got := inventoryOf(t, fstest.MapFS{path: {Data: []byte(manifest)}}, path)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestPluginHooksByPath(t *testing.T) {
	const path = ".claude-plugin/plugin.json"
	for text, want := range map[string]int{
		`{"name": "p", "hooks": "./hooks/hooks.json"}`: 0,
		`{"name": "p", "hooks": "./other.json"}`:       1,
		`{"name": "p", "hooks": ["./other.json"]}`:     1,
	} {
		if got := inventoryOf(t, fstest.MapFS{path: {Data: []byte(text)}}, path); len(got) != want {
			t.Errorf("%s: %q, want %d items", text, got, want)
		}
	}
}

func TestOtherPluginFilesAreLeftAlone(t *testing.T) {
	for _, path := range []string{"plugin.json", "wp/plugin.json", "locales/de/marketplace.json", "src/hooks.json"} {
		if kind, _ := steers(path); kind != "" {
			t.Errorf("%s is taken for %s", path, kind)
		}
	}
}

func TestGeminiExtensionInventory(t *testing.T) {
	const path = "gemini-extension.json"
	got := inventoryOf(t, fstest.MapFS{path: {Data: []byte(`{"name": "e", "mcpServers": {"s": {"command": "node", "args": ["s.js"]}}, "excludeTools": ["run"]}`)}}, path)
	want := []string{`denial 1:92 run | is refused`, `helper 1:47 node s.js | when the extension is on, as a server`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPluginHooksFile(t *testing.T) {
	const path = "p/hooks/hooks.json"
	got := inventoryOf(t, fstest.MapFS{path: {Data: []byte(`{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "./a.sh"}]}]}}`)}}, path)
	if diff := cmp.Diff([]string{`hook 1:71 ./a.sh | at SessionStart`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPluginCorpus reads the real manifests of the formats above: nothing is refused,
// and a false friend has no inventory.
func TestPluginCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/corpus/plugins/*.json")
	if len(files) == 0 {
		t.Skip("the corpus of plugins is not here")
	}
	read := 0
	for _, file := range files {
		_, name, _ := strings.Cut(filepath.Base(file), "__")
		name = strings.ReplaceAll(name, "~", "/")
		if kind, _ := steers(name); kind != Project {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read++
		if inv := ReadInventory(fstest.MapFS{name: {Data: data}}, Found{Path: name, Steers: Project}, everyFile); inv.Unread {
			t.Errorf("%s: %+v", filepath.Base(file), inv.Items)
		}
	}
	if read < 10 {
		t.Errorf("only %d files were read", read)
	}
}

func FuzzPluginInventory(f *testing.F) {
	f.Add(`{"hooks": {"Stop": [{"command": "a"}]}, "mcpServers": {"s": {"command": "b"}}, "experimental": {"monitors": []}}`)
	f.Add(`{"hooks": ["./a.json"], "lspServers": 1, "excludeTools": ["x", 2]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{".claude-plugin/plugin.json", "gemini-extension.json", "hooks/hooks.json"} {
			found := Found{Path: path, Steers: Project}
			tree := fstest.MapFS{path: {Data: []byte(text)}}
			first, again := ReadInventory(tree, found, everyFile), ReadInventory(tree, found, everyFile)
			for n, i := range first.Items {
				if !i.Same(again.Items[n]) || i.Digest == "" {
					t.Fatalf("%s: %+v is another item when it is read again", path, i)
				}
			}
		}
	})
}
