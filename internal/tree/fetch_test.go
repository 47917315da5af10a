package tree

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// TestFetch: the base of a change, which a shallow clone lacks, becomes readable
// beside what is there, and nothing is written into the repository.
func TestFetch(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			origin := newScratch(t, "--object-format="+format)
			base := origin.commit(map[string]string{"a": "1"})
			head := origin.commit(map[string]string{"a": "2"})
			s := origin.clone("--depth=1")
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			r := s.open(false)
			if _, err := r.Tree(base); !isMissing(err) {
				t.Fatalf("the clone is not shallow: %v", err)
			}
			before := listing(t, s.dir)
			view := must(r.Fetch(context.Background(), base))(t)
			if got := text(must(view.Tree(base))(t), "a") + text(must(view.Tree(head))(t), "a"); got != "12" {
				t.Errorf("%q", got)
			}
			if after := listing(t, s.dir); after != before {
				t.Errorf("the repository changed: %s\n%s", before, after)
			}
			if err := view.Close(); err != nil {
				t.Error(err)
			}
			if left := must(os.ReadDir(temp))(t); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestBorrow: what one view fetched, from an address that was named, another one
// reads from the same store.
func TestBorrow(t *testing.T) {
	origin := newScratch(t)
	base := origin.commit(map[string]string{"a": "1"})
	origin.commit(map[string]string{"a": "2"})
	r := origin.clone("--depth=1").open(false)
	view := must(r.FetchAs(context.Background(), "file://"+filepath.ToSlash(origin.dir), secret.New("of no use here"), base))(t)
	defer func() { _ = view.Close() }()
	again := r.Borrow(view.Store())
	if got := text(must(again.Tree(base))(t), "a"); got != "1" {
		t.Errorf("%q", got)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(view.Store()); err != nil {
		t.Error("the store is gone with a view that only borrowed it")
	}
}

// TestToken: a token stands in the environment of git alone, for one address, and
// for https alone.
func TestToken(t *testing.T) {
	from := place{"https://host.example/o/r.git", "https", secret.New("token-value")}
	env := strings.Join(from.environment(), "\n")
	if want := base64.StdEncoding.EncodeToString([]byte("x-access-token:token-value")); !strings.Contains(env, want) || !strings.Contains(env, "http.https://host.example/o/r.git.extraHeader") {
		t.Errorf("%q", env)
	}
	for _, none := range []place{{"file:///o/r.git", "file", secret.New("token-value")}, {"https://host.example/o/r.git", "https", secret.Value{}}} {
		if env := none.environment(); len(env) > 0 {
			t.Errorf("%v", env)
		}
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

func TestFetchRefuses(t *testing.T) {
	origin := newScratch(t)
	base := origin.commit(map[string]string{"a": "1"})
	origin.commit(map[string]string{"a": "2"})
	ran := filepath.Join(t.TempDir(), "ran")
	for name, address := range map[string]string{
		"a helper": "ext::touch " + ran, "ssh": "ssh://example.com/x", "short ssh": "git@example.com:x", "plain http": "http://127.0.0.1:1/x",
		"a name in it": "https://user:word@127.0.0.1:1/x", "an option": "--upload-pack=touch " + ran, "nothing there": filepath.Join(t.TempDir(), "none"), "nothing listens": "https://127.0.0.1:1/x", "empty": "",
	} {
		s := origin.clone("--depth=1")
		s.git("config", "remote.origin.url", address)
		var e *FetchError
		if _, err := s.open(false).Fetch(context.Background(), base); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a command of an address was run")
	}
	s := origin.clone("--depth=1")
	s.git("config", "core.hooksPath", filepath.Dir(ran))
	for _, id := range []string{strings.Repeat("1", 40), strings.Repeat("1", 64), "main", "--all", base[:10]} {
		var e *FetchError
		if _, err := s.open(false).Fetch(context.Background(), id); !errors.As(err, &e) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := origin.open(false).Fetch(context.Background(), base); !errors.Is(err, ErrNoRemote) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.open(false).Fetch(ctx, base); err == nil {
		t.Error("a context that is over")
	}
}
