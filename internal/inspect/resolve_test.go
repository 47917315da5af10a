package inspect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"server.js", "sub/main.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	tests := [][2][]string{
		{{"node", "server.js"}, {"node", at("server.js")}},
		{{"server.js"}, {"server.js"}}, // looked up in PATH
		{{"./server.js", "x"}, {at("server.js"), "x"}},
		{{"./absent"}, {at("absent")}},
		{{"python", "sub/main.py", "sub"}, {"python", at("sub/main.py"), "sub"}},
		{{"npx", "-y", "@scope/pkg@1.0.0", "memory"}, {"npx", "-y", "@scope/pkg@1.0.0", "memory"}},
		{{"fs", ".", "..", "./sub/"}, {"fs", dir, filepath.Dir(dir), at("sub")}},
		{{"node", "--env-file=sub/main.py", "--x=server.js", "--url=a/b", "--"}, {"node", "--env-file=" + at("sub/main.py"), "--x=server.js", "--url=a/b", "--"}},
		{{"/bin/sh", "/etc/passwd", "https://example.org/x", ""}, {"/bin/sh", "/etc/passwd", "https://example.org/x", ""}},
		{{}, {}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt[1], Resolve(tt[0], dir)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt[0], diff)
		}
	}
}
