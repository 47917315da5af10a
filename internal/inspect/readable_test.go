package inspect

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestReadable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no profile confines there")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, name) }
	for _, name := range []string{"pkg/package.json", "pkg/dist/index.js", "tree/node_modules/a/node_modules/b/x.js", "loose/server.py", "data/x"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("pkg/dist/index.js"), at("link.js")); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ argv, want []string }{
		{[]string{"node", at("pkg/dist/index.js"), "stdio"}, []string{at("pkg"), at("pkg/dist/index.js")}},
		{[]string{"node", at("tree/node_modules/a/node_modules/b/x.js")}, []string{at("tree"), at("tree/node_modules/a/node_modules/b/x.js")}},
		{[]string{"python", at("loose/server.py")}, []string{at("loose"), at("loose/server.py")}},
		{[]string{"server", "--root=" + at("data"), at("absent")}, []string{at("data")}},
		{[]string{at("pkg/dist/index.js"), "relative.js"}, nil},
		{nil, nil},
	}
	for _, tt := range tests {
		if got := readable(tt.argv); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.argv, got, tt.want)
		}
	}
	if got := readable([]string{"node", at("link.js")}); !slices.Contains(got, at("pkg")) {
		t.Errorf("the package behind a link is not there: %q", got)
	}
}
