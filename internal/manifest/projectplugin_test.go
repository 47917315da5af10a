package manifest

import (
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
