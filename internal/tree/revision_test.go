package tree

import (
	"errors"
	"testing"
)

func TestUnborn(t *testing.T) {
	s := newScratch(t)
	both(t, func(t *testing.T, command bool) {
		r := s.open(command)
		if _, err := r.Head(); !errors.Is(err, ErrUnborn) {
			t.Error(err)
		}
		if _, err := r.Resolve("HEAD"); !errors.Is(err, ErrUnborn) {
			t.Error(err)
		}
		if _, err := r.RemoteDefault(); !errors.Is(err, ErrNoRemote) {
			t.Error(err)
		}
	})
}

// TestResolve holds every revision against git's own answer.
func TestResolve(t *testing.T) {
	s := newScratch(t)
	s.commit(nil)
	s.commit(map[string]string{"f": "1"})
	s.git("tag", "light")
	s.git("tag", "-a", "-m", "x", "heavy")
	s.git("tag", "-a", "-m", "x", "heavier", "heavy")
	s.git("tag", "main", "HEAD^") // wins over the branch
	s.git("checkout", "-q", "-b", "topic/one")
	s.commit(nil)
	s.git("checkout", "-q", "main", "--")
	s.git("checkout", "-q", "refs/heads/main")
	s.git("merge", "-q", "--no-ff", "-m", "x", "topic/one")
	s.git("update-ref", "refs/remotes/origin/x", "HEAD^")
	s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/x")
	full := s.git("rev-parse", "HEAD")
	blob := s.git("rev-parse", "light:f")
	revisions := []string{"HEAD", "@", "main", "refs/heads/main", "heads/main", "light", "heavy", "heavier", "tags/heavy", "topic/one", "origin", "origin/x",
		full, full[:7], full[:8], "HEAD^", "HEAD^1", "HEAD^2", "HEAD~", "HEAD~2", "HEAD^2~1", "HEAD^^", "HEAD^0", "HEAD~0", "heavy^{}", "heavy^{commit}", "@~1^0"}
	for _, packed := range []string{"loose", "packed"} {
		t.Run(packed, func(t *testing.T) {
			both(t, func(t *testing.T, command bool) {
				r := s.open(command)
				for _, rev := range revisions {
					want := s.git("rev-parse", "-q", "--verify", rev+"^{commit}")
					if got, err := r.Resolve(rev); got != want {
						t.Errorf("%s: %s, %v", rev, got, err)
					}
				}
				for _, rev := range []string{"", "none", "config", "../config", "refs/../config", "refs/heads/../../config", "HEAD^3", "HEAD~99", "HEAD^{tree}", "HEAD^{/x}", ":/x", "HEAD:f", "HEAD@{1}", "@{u}",
					"heads", "-q", "--all", "main..HEAD", blob[:10], "abcd", "HEAD~x", "HEAD^-1", "packed-refs"} {
					var e *RevisionError
					if _, err := r.Resolve(rev); !errors.As(err, &e) {
						t.Errorf("%q: %v", rev, err)
					}
				}
				if _, err := r.Resolve(blob); !isMalformed(err) {
					t.Errorf("a file's id: %v", err)
				}
			})
		})
		s.git("gc", "-q")
		s.git("pack-refs", "--all")
	}
	if l, err := commandReferences(s.open(false).dirs); err != nil {
		t.Error(err)
	} else {
		for _, name := range []string{"HEAD", "refs/heads/main", "refs/tags/heavy", "refs/remotes/origin/HEAD", "refs/none"} {
			if got, want := follow(l, name), follow(s.open(false).refs, name); got != want {
				t.Errorf("%s: the command says %q, the files %q", name, got, want)
			}
		}
		if got := l.remotes(); len(got) != 1 || got[0] != "origin" {
			t.Errorf("%v", got)
		}
	}
}

func TestRemoteDefault(t *testing.T) {
	origin := newScratch(t)
	first := origin.commit(nil)
	known := origin.clone()
	known.commit(nil)
	known.git("remote", "add", "fork", "https://example.com/x")
	unknown := origin.clone()
	unknown.git("remote", "set-head", "origin", "--delete")
	dangling := origin.clone()
	dangling.git("update-ref", "--no-deref", "-d", "refs/remotes/origin/main")
	other := origin.clone("-o", "upstream")
	several := origin.clone("-o", "upstream")
	several.git("remote", "add", "fork", "https://example.com/x")
	only := newScratch(t)
	only.commit(nil)
	only.git("config", "include.path", "more")
	for _, c := range []struct {
		name string
		s    *scratch
		id   string
		err  error
		hint string
	}{
		{"known", known, first, nil, ""},
		{"unknown", unknown, "", ErrRemoteUnknown, "git remote set-head origin --auto"},
		{"its branch is gone", dangling, "", ErrRemoteUnknown, "git remote set-head origin --auto"},
		{"under another name", other, first, nil, ""},
		{"several and no origin", several, "", ErrRemoteUnknown, "git remote set-head NAME --auto"},
		{"none", origin, "", ErrNoRemote, ""},
		{"maybe in a file that is included", only, "", ErrRemoteUnknown, "git remote set-head NAME --auto"},
	} {
		both(t, func(t *testing.T, command bool) {
			id, err := c.s.open(command).RemoteDefault()
			if id != c.id || !errors.Is(err, c.err) {
				t.Errorf("%s: %s, %v", c.name, id, err)
			}
			if h, ok := err.(interface{ Hint() string }); ok != (c.hint != "") || ok && h.Hint() != c.hint {
				t.Errorf("%s: hint", c.name)
			}
		})
	}
}

func TestDefaultBranch(t *testing.T) {
	origin := newScratch(t)
	origin.commit(nil)
	clone := origin.clone()
	clone.git("checkout", "-q", "-b", "work")
	other := origin.clone("-o", "upstream")
	unknown := origin.clone()
	unknown.git("remote", "set-head", "origin", "--delete")
	detached := newScratch(t)
	detached.commit(nil)
	detached.git("checkout", "-q", "--detach")
	unborn := newScratch(t)
	added := newScratch(t)
	added.commit(nil)
	added.git("remote", "add", "origin", "https://example.com/x")
	for name, c := range map[string]struct {
		s    *scratch
		want string
	}{
		"alone": {origin, "main"}, "a clone on another branch": {clone, "main"}, "another remote": {other, "main"}, "unknown": {unknown, ""},
		"detached": {detached, ""}, "unborn": {unborn, "main"}, "a remote that was never fetched": {added, ""},
	} {
		for _, command := range []bool{false, true} {
			if got := c.s.open(command).DefaultBranch(); got != c.want {
				t.Errorf("%s: %q, want %q (by the git command: %v)", name, got, c.want, command)
			}
		}
	}

}

// TestRemoteBranch: a branch of origin counts where origin is the one that is meant,
// and nothing else that has its name.
func TestRemoteBranch(t *testing.T) {
	const ours = "https://example.com/o/n"
	s := newScratch(t)
	first := s.commit(nil)
	second := s.commit(map[string]string{"f": "1"})
	for _, ref := range []string{"refs/tags/refs/remotes/origin/main", "refs/heads/refs/remotes/origin/main", "refs/remotes/other/main", "refs/tags/origin/main"} {
		s.git("update-ref", ref, second)
	}
	s.git("remote", "add", "origin", ours)
	s.git("remote", "add", "other", ours)
	both(t, func(t *testing.T, command bool) {
		if id, err := s.open(command).RemoteBranch("main", ours); err == nil {
			t.Errorf("another name is taken for the branch: %s", id)
		}
	})
	s.git("update-ref", "refs/remotes/origin/main", first)
	both(t, func(t *testing.T, command bool) {
		r := s.open(command)
		if id, err := r.RemoteBranch("main", ours+".git", ours); err != nil || id != first {
			t.Errorf("%s, %v", id, err)
		}
		for _, address := range []string{"", ours + "/", ours + ".git", "https://example.com/fork/n"} {
			if _, err := r.RemoteBranch("main", address); err == nil {
				t.Errorf("origin is taken for %q", address)
			}
		}
		for _, branch := range []string{"", "none", "../origin/main", "main^", "../../../config"} {
			if id, err := r.RemoteBranch(branch, ours); err == nil {
				t.Errorf("%q is %s", branch, id)
			}
		}
	})
}
