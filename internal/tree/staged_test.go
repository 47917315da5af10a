package tree

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStaged: the index of every version that git writes, of a linked work tree,
// and none.
func TestStaged(t *testing.T) {
	s := newScratch(t)
	check := func(dir string, want ...string) {
		t.Helper()
		r := must(OpenRepository(dir))(t)
		defer func() { _ = r.Close() }()
		if diff := cmp.Diff(want, must(r.Staged())(t)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", dir, diff)
		}
	}
	check(s.dir)
	s.write(map[string]string{"b/one.js": "1", "a.js": "2", "loose.js": "3"})
	s.git("add", "b", "a.js")
	check(s.dir, "a.js", "b/one.js")
	for _, version := range []string{"2", "3", "4"} {
		s.git("update-index", "--index-version", version)
		s.git("add", "-N", "loose.js")
		check(s.dir, "a.js", "b/one.js", "loose.js")
	}
	s.git("commit", "-q", "-m", "x")
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", linked)
	check(linked, "a.js", "b/one.js")
}

// TestStagedRefuses: an index that nobody can read is an error, not an empty one.
func TestStagedRefuses(t *testing.T) {
	s := newScratch(t)
	s.write(map[string]string{"a.js": "1"})
	s.git("add", "a.js")
	name := filepath.Join(s.dir, ".git", "index")
	whole := must(os.ReadFile(name))(t)
	for _, n := range []int{0, 3, 11, 12, 40, len(whole) - 1} {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		r := must(OpenRepository(s.dir))(t)
		if names, err := r.Staged(); err == nil {
			t.Errorf("%d bytes: %q", n, names)
		}
		_ = r.Close()
	}
	sha256 := newScratch(t, "--object-format=sha256")
	sha256.write(map[string]string{"a.js": "1"})
	sha256.git("add", "a.js")
	r := must(OpenRepository(sha256.dir))(t)
	defer func() { _ = r.Close() }()
	if names, err := r.Staged(); err == nil {
		t.Errorf("SHA-256: %q", names)
	}
}
