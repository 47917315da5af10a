package fetch

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestArchivesAreHashedAgain puts an archive into the cache and then other bytes,
// a link and a folder in its place.
func TestArchivesAreHashedAgain(t *testing.T) {
	data := []byte("an archive")
	for name, spoil := range map[string]func(file string) error{
		"":            func(string) error { return nil },
		"other bytes": func(file string) error { return os.WriteFile(file, []byte("another"), 0o600) },
		"cut":         func(file string) error { return os.Truncate(file, 3) },
		"a link": func(file string) error {
			elsewhere := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.Rename(file, elsewhere); err != nil {
				return err
			}
			return os.Symlink(elsewhere, file)
		},
		"a folder": func(file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "archives")
			a := OpenArchives(dir)
			if got := a.Get(hexOf(data), 100); got != nil {
				t.Fatalf("an empty cache gives %q", got)
			}
			if err := a.Put(data); err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(dir, hexOf(data))); err != nil {
				t.Fatal(err)
			}
			want := data
			if name != "" {
				want = nil
			}
			if got := a.Get(hexOf(data), 100); !bytes.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if got := a.Get(hexOf(data), 5); got != nil {
				t.Errorf("more than was allowed came: %q", got)
			}
		})
	}
}
