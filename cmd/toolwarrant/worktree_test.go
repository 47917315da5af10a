package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLocator: a link inside the tree keeps its own name, so that leading it
// elsewhere is a change; a link of the machine that leads into the tree is
// followed.
func TestLocator(t *testing.T) {
	outer, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(outer, "tree")
	if err := os.MkdirAll(filepath.Join(root, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a", "srv.js"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{filepath.Join(root, "x"): "a", filepath.Join(outer, "other"): "tree"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skipf("no link can be made here: %v", err)
		}
	}
	for _, at := range []string{root, filepath.Join(outer, "other")} {
		locate := locator(at)
		for path, want := range map[string]string{
			"tree/a/srv.js": "a/srv.js", "other/a/srv.js": "a/srv.js", "tree/x/srv.js": "x/srv.js",
			"tree/none.js": "none.js", "tree/../tree/a": "a", "tree": ".", "treetop": "", "tree/../b": "",
		} {
			if got, ok := locate(filepath.Join(outer, path)); got != want || ok != (want != "") {
				t.Errorf("%s below %s is %q, %v; want %q", path, at, got, ok, want)
			}
		}
	}
}
