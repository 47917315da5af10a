package inspect

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestFindProgram finds what a start would execute, and hashes what a link leads to.
func TestFindProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("PATH of the environment is not searched there")
	}
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"a/tool": 0o644, "b/tool": 0o755} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("tool", filepath.Join(dir, "b", "link")); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=.:" + filepath.Join(dir, "a") + ":" + filepath.Join(dir, "b")}
	const sum = "sha256:73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac"
	for name, want := range map[string]Program{
		"tool": {filepath.Join(dir, "b", "tool"), sum}, "link": {filepath.Join(dir, "b", "link"), sum},
		filepath.Join(dir, "b", "tool"): {filepath.Join(dir, "b", "tool"), sum}, filepath.Join(dir, "a", "tool"): {}, "none": {}, filepath.Join(dir, "b"): {},
	} {
		if got, err := FindProgram(t.Context(), name, env); got != want || (err == nil) != (want.Sum != "") {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}
