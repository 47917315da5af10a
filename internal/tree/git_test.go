package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// repo makes a repository with one commit.
func repo(t *testing.T, files map[string]string, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
	}
	return dir
}

func TestFS(t *testing.T) {
	dir := repo(t, map[string]string{"a.txt": "one", "d/b.txt": "two", "d/e/c.txt": "three"}, map[string]string{"d/in": "../a.txt", "out": "../../etc/passwd", "loop": "loop", "dd": "d/e"})
	f, err := Open(dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("edited"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.txt": "one", "d/in": "one", "dd/c.txt": "three"} {
		if got, err := readFile(f, name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"out", "loop", "none", "../a.txt", "/a.txt", "d/"} {
		if got, err := readFile(f, name); err == nil {
			t.Errorf("%s was read: %q", name, got)
		}
	}
	if _, err := Open(dir, "nonsense"); err == nil {
		t.Error("a revision that is not there was opened")
	}
	plain, err := Open(repo(t, map[string]string{"a": "1", "d/b": "2"}, nil), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(plain, "a", "d/b"); err != nil {
		t.Error(err)
	}
}

func readFile(f *FS, name string) (string, error) {
	file, err := f.Open(name)
	if err != nil {
		return "", err
	}
	b := make([]byte, 100)
	n, err := file.Read(b)
	return string(b[:n]), err
}
