package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes a shell script that everybody can execute.
func program(t *testing.T, name string, lines ...string) {
	t.Helper()
	write(t, name, "#!/bin/sh\n"+strings.Join(lines, "\n")+"\n")
	if err := os.Chmod(name, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestFindNode(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"good", "repo", "repo/tools", "x/node_modules/.bin", "x/node_modules/y/bin"} {
		program(t, filepath.Join(base, dir, "node"))
	}
	write(t, filepath.Join(base, "plain", "node"), "")
	for link, to := range map[string]string{"entry": "repo/tools", "linked/node": "repo/tools/node", "bins": "x/node_modules/.bin", "alias": "repo"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(base, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(base, to), filepath.Join(base, link)); err != nil {
			t.Skip("no links here")
		}
	}
	t.Chdir(filepath.Join(base, "good"))
	tests := []struct {
		name, want string
		path       []string
	}{
		{"an entry", "good", []string{"good"}},
		{"the first entry", "x/node_modules/y/bin", []string{"x/node_modules/y/bin", "good"}},
		{"relative entries", "good", []string{"", ".", "./", "good"}},
		{"not executable", "good", []string{"plain", "good"}},
		{"not there", "good", []string{"absent", "good"}},
		{"in the repository", "good", []string{"repo", "repo/tools", "good"}},
		{"led into the repository", "good", []string{"entry", "linked", "alias/tools", "good"}},
		{"commands of packages", "good", []string{"x/node_modules/.bin", "bins", "good"}},
		{"none", "", []string{"repo", "plain", "."}},
	}
	for _, tt := range tests {
		for _, root := range []string{"repo", "alias"} {
			var path []string
			for _, p := range tt.path {
				if p != "" && p[0] != '.' {
					p = filepath.Join(base, p)
				}
				path = append(path, p)
			}
			got, err := FindNode(strings.Join(path, string(filepath.ListSeparator)), []string{filepath.Join(base, root)})
			var failed *ResolveError
			switch {
			case tt.want == "" && (!errors.As(err, &failed) || failed.Reason != MissingProgram):
				t.Errorf("%s: got %s %v", tt.name, got, err)
			case tt.want != "" && got != filepath.Join(base, tt.want, "node"):
				t.Errorf("%s: got %s %v, want it in %s", tt.name, got, err, tt.want)
			}
		}
	}
}

func TestOpen(t *testing.T) {
	dir := openDir(t)
	for name, mode := range map[string]os.FileMode{"yes": 0o755, "no": 0o750, "closed/yes": 0o755} {
		program(t, filepath.Join(dir, name))
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "closed"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "closed", "yes"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here")
	}
	for name, want := range map[string]bool{"yes": true, "no": false, "closed/yes": false, "link": false, "absent": false} {
		if got := open(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// Where npm cannot be reached by another user, it runs as we do, and that is told.
func TestNote(t *testing.T) {
	dir := openDir(t)
	program(t, filepath.Join(dir, "node"))
	program(t, filepath.Join(dir, "npm"))
	for mode, want := range map[os.FileMode]bool{0o755: false, 0o700: os.Geteuid() == 0} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		r := NewResolver(Config{}, ResolverOptions{PATH: dir})
		if got := r.Note() != ""; got != want {
			t.Errorf("%o: got %q", mode, r.Note())
		}
	}
}
