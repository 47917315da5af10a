package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/store"
)

func TestStateDir(t *testing.T) {
	abs := func(elements ...string) string {
		root := string(filepath.Separator)
		if runtime.GOOS == "windows" {
			root = `C:\`
		}
		return filepath.Join(append([]string{root}, elements...)...)
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		want string // empty for an error
	}{
		{"XDG first", map[string]string{"XDG_STATE_HOME": abs("x"), "HOME": abs("h"), "LOCALAPPDATA": abs("l")}, abs("x", "toolwarrant")},
		{"home next", map[string]string{"HOME": abs("h"), "LOCALAPPDATA": abs("l")}, abs("h", ".local", "state", "toolwarrant")},
		{"windows last", map[string]string{"LOCALAPPDATA": abs("l")}, abs("l", "toolwarrant", "state")},
		{"a relative XDG folder is to be ignored", map[string]string{"XDG_STATE_HOME": "x", "HOME": abs("h")}, abs("h", ".local", "state", "toolwarrant")},
		{"a relative home is none", map[string]string{"HOME": "h"}, ""},
		{"nothing", nil, ""},
	} {
		got, err := store.StateDir(func(name string) string { return c.env[name] })
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q (%v), want %q", c.name, got, err, c.want)
		}
	}
}

// TestApprovals: an approval holds for one launch with one code in one
// repository.
func TestApprovals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "state")
	open := func(repo string) *store.Approvals {
		t.Helper()
		a, err := store.OpenApprovals(dir, repo)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		return a
	}
	if open("/repo").Has("launch", "code") {
		t.Error("an approval that nobody gave")
	}
	for range 2 {
		if err := open("/repo").Add("launch", "code"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		repo, launch, code string
		want               bool
	}{
		{"/repo", "launch", "code", true},
		{"/repo2", "launch", "code", false},
		{"/repo", "launch2", "code", false},
		{"/repo", "launch", "code2", false},
		{"/repo", "", "", false},
		{"/repo\x00launch", "", "code", false},
		{"/repo", "launch\x00code", "", false},
	} {
		if got := open(c.repo).Has(c.launch, c.code); got != c.want {
			t.Errorf("%q %q %q: %v, want %v", c.repo, c.launch, c.code, got, c.want)
		}
	}
}

// TestApprovalsKeepSecrets: the record names neither repository nor launch, and
// is for this user alone.
func TestApprovalsKeepSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	a, err := store.OpenApprovals(dir, "/repo")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	if err := a.Add("launch", "code"); err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, dir) {
		if text := read(t, filepath.Join(dir, name)); text != "" || len(filepath.Base(name)) != 64 {
			t.Errorf("%s holds %q", name, text)
		}
	}
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v (%v)", info.Mode(), err)
	}
}

// TestApprovalsThroughLink: a link in the state folder approves nothing.
func TestApprovalsThroughLink(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "other")
	for _, d := range []string{dir, other} {
		a, err := store.OpenApprovals(d, "/repo")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.Close() }()
		if d == other {
			if err := a.Add("launch", "code"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(filepath.Join(other, "approved"), filepath.Join(dir, "approved")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	a, err := store.OpenApprovals(dir, "/repo")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	if a.Has("launch", "code") {
		t.Error("approved through a link that leads out")
	}
	if err := a.Add("launch", "code"); err == nil {
		t.Error("written through a link that leads out")
	}
}

// TestLastRead: what was read is kept for one launch in one repository.
func TestLastRead(t *testing.T) {
	dir := t.TempDir()
	for _, repo := range []string{"/one", "/two"} {
		a, err := store.OpenApprovals(dir, repo)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.Close() }()
		if _, _, err := a.LastRead("launch"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: before anything was read: %v", repo, err)
		}
		for _, text := range []string{"first of " + repo, "second of " + repo} {
			if err := a.SaveRead("launch", []byte(text), []byte("tree of "+text)); err != nil {
				t.Fatal(err)
			}
			if got, tree, err := a.LastRead("launch"); err != nil || string(got) != text || string(tree) != "tree of "+text {
				t.Errorf("%q is read back as %q (%v)", text, got, err)
			}
		}
		if a.Has("launch", "") {
			t.Error("what was read is taken for an approval")
		}
	}
}
