package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

func claim(t *testing.T) *Slot {
	t.Helper()
	s, err := Claim()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSlots(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	one, two := claim(t), claim(t)
	if one.name != "toolwarrant-0001" || two.name != "toolwarrant-0002" {
		t.Fatalf("got %s and %s", one.name, two.name)
	}
	for _, dir := range []string{one.path, one.Home(), one.Work(), one.Temp()} {
		if info, err := os.Lstat(dir); err != nil || info.Mode() != os.ModeDir|0o700 {
			t.Errorf("%s: %v %v", dir, info, err)
		}
	}
	a, b := one.Neutral([]byte("in "+one.Work())), two.Neutral([]byte("in "+two.Work()))
	if string(a) != string(b) || string(a) != "in /tmp/toolwarrant-0000/work" {
		t.Errorf("%s differs from %s", a, b)
	}
	one.Release()
	two.Release()
	if left, _ := os.ReadDir(base); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStaleSlot(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	outside := filepath.Join(t.TempDir(), "keep")
	locked := filepath.Join(base, "toolwarrant-0001", "home", "locked")
	if err := os.MkdirAll(filepath.Join(locked, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(base, "toolwarrant-0001", "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	s := claim(t)
	defer s.Release()
	if s.name != "toolwarrant-0001" {
		t.Errorf("got %s", s.name)
	}
	if left, _ := os.ReadDir(s.path); len(left) != 3 {
		t.Errorf("not emptied: %v", left)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a link was followed")
	}
}

func TestLinkedSlotIsSkipped(t *testing.T) {
	base, target := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", base)
	if err := os.Symlink(target, filepath.Join(base, "toolwarrant-0001")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "toolwarrant-0002"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := claim(t)
	defer s.Release()
	if s.name != "toolwarrant-0003" {
		t.Errorf("got %s", s.name)
	}
	if got, _ := os.ReadDir(target); len(got) != 0 {
		t.Errorf("written through the link: %v", got)
	}
}
