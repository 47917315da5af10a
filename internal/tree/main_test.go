package tree

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scratch is a repository made with the git command, as a person would.
type scratch struct {
	t     *testing.T
	dir   string
	clock int // each commit is a second later than the one before
}

// newScratch makes an empty one; options are for git init.
func newScratch(t *testing.T, options ...string) *scratch {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and it makes the repositories of these tests")
	}
	s := &scratch{t: t, dir: t.TempDir()}
	s.git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	return s
}

// git runs a command with no configuration but the repository's.
func (s *scratch) git(args ...string) string {
	s.t.Helper()
	return s.input("", args...)
}

func (s *scratch) input(stdin string, args ...string) string {
	s.t.Helper()
	s.clock++
	date := fmt.Sprintf("%d +0000", 1_700_000_000+s.clock)
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = s.dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+s.t.TempDir(),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE="+date)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// write makes files and, where a text starts with "->", links.
func (s *scratch) write(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		at := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			s.t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(to, at)
		} else {
			err = os.WriteFile(at, []byte(text), 0o644)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// commit writes files and commits everything.
func (s *scratch) commit(files map[string]string) string {
	s.t.Helper()
	s.write(files)
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "x")
	return s.git("rev-parse", "HEAD")
}

// clone makes another repository from this one, through its protocol.
func (s *scratch) clone(options ...string) *scratch {
	s.t.Helper()
	to := &scratch{t: s.t, dir: filepath.Join(s.t.TempDir(), "clone"), clock: s.clock}
	s.git(append(append([]string{"clone", "-q"}, options...), "file://"+filepath.ToSlash(s.dir), to.dir)...)
	return to
}

// open opens the repository with one of the backends.
func (s *scratch) open(command bool) *Repository {
	s.t.Helper()
	r, err := open(s.dir, command)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := r.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return r
}

// tree is the tree of a revision.
func (s *scratch) tree(rev string) *FS {
	s.t.Helper()
	f, err := s.open(false).Tree(rev)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// both runs a test over both backends.
func both(t *testing.T, test func(t *testing.T, command bool)) {
	t.Helper()
	t.Run("go-git", func(t *testing.T) { test(t, false) })
	t.Run("git", func(t *testing.T) { test(t, true) })
}

// must is a value without an error.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// text is a file of a tree, or its error.
func text(f fs.FS, name string) string {
	data, err := fs.ReadFile(f, name)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(data)
}
