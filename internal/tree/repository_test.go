package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingOfTheRepositoryDecides: replace references, grafts, and a configuration
// full of programs change no byte and start nothing.
func TestNothingOfTheRepositoryDecides(t *testing.T) {
	s := newScratch(t)
	first := s.commit(map[string]string{"a": "true"})
	second := s.commit(map[string]string{"a": "true", "b": "1"})
	s.git("checkout", "-q", "--orphan", "evil")
	evil := s.commit(map[string]string{"a": "false"})
	s.git("checkout", "-q", "main")
	s.git("replace", second, evil)
	s.git("replace", s.git("--no-replace-objects", "rev-parse", second+":a"), s.git("rev-parse", evil+":a"))
	s.write(map[string]string{".git/info/grafts": second + " " + evil + "\n"})
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.pager", "core.askPass", "core.editor", "credential.helper", "diff.external",
		"filter.x.smudge", "filter.x.clean", "filter.x.process", "diff.x.textconv", "core.alternateRefsCommand", "remote.origin.uploadpack", "gpg.program", "alias.cat-file",
	} {
		s.git("config", key, program)
	}
	s.git("config", "core.hooksPath", filepath.Dir(program))
	s.git("config", "url.ext::"+program+".insteadOf", "https://example.com/")
	s.git("config", "remote.origin.url", "https://example.com/x")
	s.git("config", "remote.origin.promisor", "true")
	s.git("config", "protocol.ext.allow", "always")
	s.write(map[string]string{".git/info/attributes": "* filter=x diff=x\n"})
	if got := s.git("show", second+":a"); got != "false" {
		t.Fatalf("the trap is not set: git itself reads %q", got)
	}
	both(t, func(t *testing.T, command bool) {
		r := s.open(command)
		if got := text(must(r.Tree(second))(t), "a"); got != "true" {
			t.Errorf("replaced: %q", got)
		}
		if got := must(r.Parents(second))(t); !slices.Equal(got, []string{first}) {
			t.Errorf("grafted: %v", got)
		}
		if _, err := r.Resolve(strings.Repeat("1", 40)); !isMissing(err) {
			t.Errorf("what no store has: %v", err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Error("a program of the configuration was started")
		}
	})
}

func isMissing(err error) bool {
	_, ok := errors.AsType[*MissingError](err)
	return ok
}

func TestPartialClone(t *testing.T) {
	origin := newScratch(t)
	old := origin.commit(map[string]string{"a": "1"})
	origin.commit(map[string]string{"a": "2"})
	origin.git("config", "uploadpack.allowFilter", "true")
	s := origin.clone("--filter=blob:none")
	both(t, func(t *testing.T, command bool) {
		f := must(s.open(command).Tree(old))(t)
		if _, err := f.ReadFile("a"); !isMissing(err) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a blob that was left out: %v", err)
		}
		if got := text(must(s.open(command).Tree("HEAD"))(t), "a"); got != "2" {
			t.Errorf("HEAD: %q", got)
		}
	})
	if got := s.git("show", old+":a"); got != "1" {
		t.Errorf("the trap is not set: git itself, which fetches it, reads %q", got)
	}
}

func TestSHA256(t *testing.T) {
	s := newScratch(t, "--object-format=sha256")
	first := s.commit(map[string]string{"a": "1", "d/x": "->../a"})
	second := s.commit(map[string]string{"a": "2"})
	s.git("gc", "-q")
	r := s.open(false)
	f := must(r.Tree("HEAD"))(t)
	if got := text(f, "d/x"); got != "2" {
		t.Errorf("%q", got)
	}
	if got := must(r.MergeBase(first, second))(t); got != first {
		t.Errorf("merge base %s", got)
	}
	if got := must(r.Resolve(second[:10]))(t); got != second {
		t.Errorf("abbreviated %s", got)
	}
	if _, err := r.Resolve(strings.Repeat("1", 64)); !isMissing(err) {
		t.Error(err)
	}
}

func TestShallow(t *testing.T) {
	origin := newScratch(t)
	root := origin.commit(nil)
	origin.git("checkout", "-q", "-b", "side")
	side := origin.commit(map[string]string{"s": "1"})
	origin.git("checkout", "-q", "main")
	base := origin.commit(map[string]string{"m": "1"})
	origin.git("merge", "-q", "--no-ff", "-m", "x", "side")
	merge := origin.git("rev-parse", "HEAD")
	one, two := origin.clone("--depth=1"), origin.clone("--depth=2")
	both(t, func(t *testing.T, command bool) {
		r := one.open(command)
		if !r.Shallow() || origin.open(command).Shallow() {
			t.Error("Shallow")
		}
		if got := must(r.Parents(merge))(t); !slices.Equal(got, []string{base, side}) {
			t.Errorf("the parents are known: %v", got)
		}
		if _, err := r.MergeBase(merge, base); !isMissing(err) {
			t.Errorf("a commit that is not here: %v", err)
		}
		if _, err := r.Resolve("HEAD^"); !isMissing(err) {
			t.Errorf("HEAD^: %v", err)
		}
		r = two.open(command)
		if got := must(r.MergeBase(base, merge))(t); got != base {
			t.Errorf("a parent: %s", got)
		}
		if _, err := r.MergeBase(base, side); !isMissing(err) {
			t.Errorf("behind the cut: %v", err)
		}
		if _, err := r.Contains(root, merge); !isMissing(err) {
			t.Errorf("a root behind the cut: %v", err)
		}
		if _, err := r.Contains(base, side); !isMissing(err) {
			t.Errorf("unknown whether: %v", err)
		}
	})
}

func TestWorktree(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"a": "1"})
	side := &scratch{t: t, dir: filepath.Join(t.TempDir(), "side")}
	s.git("worktree", "add", "-q", "-b", "side", side.dir)
	side.clock = 100
	second := side.commit(map[string]string{"a": "2"})
	s.git("config", "extensions.worktreeConfig", "true")
	s.git("pack-refs", "--all")
	both(t, func(t *testing.T, command bool) {
		r := side.open(command)
		if got := must(r.Head())(t); got != second || r.Root() != side.dir {
			t.Errorf("%s in %s", got, r.Root())
		}
		if got := text(must(s.open(command).Tree("side"))(t), "a"); got != "2" {
			t.Errorf("the branch from the other one: %q", got)
		}
	})
}

// TestDiscover: what is a repository and what is none.
func TestDiscover(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"d/e/x": "1"})
	bare := filepath.Join(s.dir, "d", "bare")
	s.git("clone", "-q", "--bare", ".", bare)
	s.write(map[string]string{"empty/.git/keep": "", "file/.git": "gitdir: nowhere\n", "text/.git": "hello\n"})
	for _, dir := range []string{"", "d", "d/e", "empty", "file", "text", "d/bare", "d/bare/refs", "none/at/all"} {
		r, err := OpenRepository(filepath.Join(s.dir, dir))
		if err != nil || r.Root() != s.dir {
			t.Errorf("%q: %v", dir, err)
		}
	}
	if _, err := OpenRepository(t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	s.git("config", "core.bare", "true")
	if got := text(s.tree("HEAD"), "d/e/x"); got != "1" {
		t.Errorf("said to be bare: %q", got)
	}
}

func TestSettings(t *testing.T) {
	s := newScratch(t)
	s.commit(nil)
	config := filepath.Join(s.dir, ".git", "config")
	for text, want := range map[string]error{
		"": nil,
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n\tworktreeConfig\n\tnoop\n": nil,
		"[core]\n\trepositoryformatversion = 2\n":                                   ErrUnsupported,
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tsomethingNew = 1\n": ErrUnsupported,
		"[extensions]\n\tobjectFormat = sha3\n":                                     ErrUnsupported,
		"not a configuration":                                                       ErrNoGit,
	} {
		if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenRepository(s.dir); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// TestCommandConfig: git reads the same settings as go-git's parser.
func TestCommandConfig(t *testing.T) {
	s := newScratch(t)
	name := filepath.Join(s.dir, ".git", "config")
	text := "[Core]\n\tBare = false\n[remote \"a.B\"]\n\turl = \"x y\" ; comment\n\tfetch = +refs/*:refs/*\n[extensions]\n\tnoop = 1\n"
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ours := must(parseConfig([]byte(text)))(t)
	ours = slices.DeleteFunc(ours, func(v setting) bool { return v.key == "" })
	theirs := must(commandConfig(name))(t)
	for _, list := range [][]setting{ours, theirs} {
		slices.SortFunc(list, func(a, b setting) int { return strings.Compare(a.section+a.sub+a.key, b.section+b.sub+b.key) })
	}
	if !slices.Equal(ours, theirs) {
		t.Errorf("%v\n%v", ours, theirs)
	}
}

// TestAlternates: objects that are borrowed, also through a second store.
func TestAlternates(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"a": "1"})
	near := filepath.Join(t.TempDir(), "near")
	s.git("clone", "-q", "--shared", s.dir, near)
	far := &scratch{t: t, dir: filepath.Join(t.TempDir(), "far")}
	s.git("clone", "-q", "--shared", near, far.dir)
	both(t, func(t *testing.T, command bool) {
		if got := text(must(far.open(command).Tree("HEAD"))(t), "a"); got != "1" {
			t.Errorf("%q", got)
		}
	})
	far.write(map[string]string{".git/objects/info/alternates": filepath.ToSlash(filepath.Join(far.dir, ".git", "objects")) + "\n"})
	both(t, func(t *testing.T, command bool) {
		if _, err := far.open(command).Tree("HEAD"); !isMissing(err) {
			t.Errorf("a store that borrows from itself: %v", err)
		}
	})
}

// TestFolderLeftBehind: nothing stays in the temporary folder, Close or not.
func TestFolderLeftBehind(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"a": "1"})
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	f := must(s.open(true).Tree("HEAD"))(t)
	if got := text(f, "a"); got != "1" {
		t.Errorf("%q", got)
	}
	if left := must(os.ReadDir(temp))(t); len(left) != 0 {
		t.Errorf("%v", left)
	}
}

func TestTooLarge(t *testing.T) {
	s := newScratch(t)
	s.commit(map[string]string{"big": strings.Repeat("x", 1000), "fits": strings.Repeat("x", 999)})
	both(t, func(t *testing.T, command bool) {
		r := s.open(command)
		switch o := r.objects.(type) {
		case *goGit:
			o.limit = 999
		case *commandObjects:
			o.limit = 999
		}
		f := must(r.Tree("HEAD"))(t)
		if _, err := f.ReadFile("big"); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
		if info := must(f.Stat("big"))(t); info.Size() != 1000 {
			t.Errorf("%d bytes", info.Size())
		}
		if got := text(f, "fits"); len(got) != 999 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
