package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestTreesShareFiles has two trees with one package in common: its files are one
// file with two names, and who changes it is found under both.
func TestTreesShareFiles(t *testing.T) {
	s := newSource(server, sdk)
	d := depot(t, s)
	alone, err := readTree(lockText(t, map[string]string{"sdk": sdk.version}, map[string]map[string]any{"node_modules/sdk": s.entry(sdk)}))
	if err != nil {
		t.Fatal(err)
	}
	one, two := install(t, d, smallTree(t, s)), install(t, d, alone)
	const shared = "node_modules/sdk/index.js"
	first, err1 := os.Stat(filepath.Join(one.Dir(), shared))
	second, err2 := os.Stat(filepath.Join(two.Dir(), shared))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(first, second) {
		t.Error("equal files of two trees are two files")
	}
	if err := errors.Join(os.Chmod(filepath.Join(one.Dir(), shared), 0o644), os.WriteFile(filepath.Join(one.Dir(), shared), []byte("evil"), 0o644), os.Chmod(filepath.Join(one.Dir(), shared), 0o444)); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Artifact{one, two} {
		if bad := (*BytesError)(nil); !errors.As(d.verify(listOf(t, d, a), a.Dir()), &bad) {
			t.Errorf("a changed file is not found in %s", a.Dir())
		}
	}
}

func listOf(t *testing.T, d *Depot, a Artifact) listing {
	t.Helper()
	l, ok := d.listed(a.Dir())
	if !ok {
		t.Fatal("a tree has no list")
	}
	return l
}
