package sandbox

import (
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// worlds are machines that lack something: filters over a process that tries the
// profiles.
var worlds = map[string]block{
	"whole": allow,
	"without namespaces": slices.Concat(
		call(unix.SYS_CLONE, argument(0), anyBit(namespaces, refuse(unix.EPERM)), allow),
		load(atNumber), when(unix.SYS_UNSHARE, refuse(unix.EPERM)), when(unix.SYS_CLONE3, refuse(unix.ENOSYS)), allow),
	"without Landlock":        slices.Concat(load(atNumber), when(unix.SYS_LANDLOCK_CREATE_RULESET, refuse(unix.ENOSYS)), allow),
	"without further filters": slices.Concat(load(atNumber), when(unix.SYS_SECCOMP, refuse(unix.EPERM)), allow),
}

// enterWorld makes this process one of such a machine, as a user, below a root of its
// own where one is named, and tries the profiles there.
func enterWorld(world string, user int, root string) error {
	runtime.LockOSThread()
	if root != "" {
		err := errors.Join(unix.Unshare(unix.CLONE_NEWNS|unix.CLONE_FS), unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
			unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""), unix.Chroot(root), unix.Chdir("/"))
		if err != nil {
			return err
		}
	}
	program := os.Args[0]
	if root != "" {
		program = "/hostile"
	}
	if !becomeUser(user) {
		return errors.New("the user cannot be changed")
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, err := installFilter(worlds[world], false); err != nil {
		return err
	}
	return syscall.Exec(program, []string{program, "attack", "probe"}, os.Environ())
}

// TestWorlds: on a machine that lacks something the strongest profile that works is
// chosen, and what stands against the others is told: as this user, and as root as
// another one and in a chroot too.
func TestWorlds(t *testing.T) {
	needs(t, Full)
	needs(t, Restricted)
	g := newGround(t)
	stepsDown := `^"restricted" \[\{"full" "[^"]+operation not permitted"\} \{"restricted" ""\}\]$`
	noFilter := "the filter of system calls cannot be used: operation not permitted"
	for _, tt := range []struct{ world, says string }{
		{"whole", `^"full" \[\{"full" ""\}\]$`},
		{"without namespaces", stepsDown},
		{"without Landlock", `^"" \[\{"full" "this kernel has no Landlock"\} \{"restricted" "this kernel has no Landlock"\}\]$`},
		{"without further filters", `^"" \[\{"full" "` + noFilter + `"\} \{"restricted" "` + noFilter + `"\}\]$`},
	} {
		t.Run(tt.world, func(t *testing.T) {
			g.tries(t, tt.says, 0, tt.world, "")
		})
		t.Run(tt.world+", as another user", func(t *testing.T) {
			if os.Geteuid() != 0 {
				t.Skip("only root becomes somebody else")
			}
			g.tries(t, tt.says, 54321, tt.world, "")
		})
	}
	t.Run("in a chroot", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root changes its root")
		}
		root := g.newRoot(t)
		for _, user := range []int{0, 54321} {
			g.tries(t, stepsDown, user, "whole", root)
		}
	})
}

// tries runs a program that tries the profiles in a world.
func (g *ground) tries(t *testing.T, says string, user int, world, root string) {
	t.Helper()
	temp := "/tmp"
	if root == "" {
		temp = filepath.Join(g.dir, "tmp")
		if err := openFolder(temp); err != nil {
			t.Fatal(err)
		}
	}
	cmd := &exec.Cmd{Path: g.program, Args: []string{g.program, "child", "world", world, strconv.Itoa(user), root}, Dir: "/", Env: []string{"TMPDIR=" + temp, "PATH=/usr/bin:/bin"}}
	out, err := cmd.CombinedOutput()
	if said := strings.TrimSpace(string(out)); err != nil || !regexp.MustCompile(says).MatchString(said) {
		t.Errorf("user %d: %v: it says %s, want %s", user, err, said, says)
	}
}

// openFolder makes a folder for temporary files of everybody.
func openFolder(name string) error {
	if err := os.Mkdir(name, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Chmod(name, os.ModeSticky|0o777)
}

// newRoot is a small root with what the test program needs.
func (g *ground) newRoot(t *testing.T) string {
	t.Helper()
	root := filepath.Join(g.dir, "root")
	for _, name := range []string{"proc", "dev", "etc", "usr", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(os.Chmod(filepath.Join(root, "tmp"), os.ModeSticky|0o777), copyTo(root, g.program, "/hostile"))
	for name, minor := range map[string]uint32{"null": 3, "zero": 5, "random": 8, "urandom": 9} {
		at := filepath.Join(root, "dev", name)
		err = errors.Join(err, unix.Mknod(at, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))), os.Chmod(at, 0o666))
	}
	for _, library := range librariesOf(g.program) {
		err = errors.Join(err, copyTo(root, library, library))
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func copyTo(root, from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	at := filepath.Join(root, to)
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, data, 0o755))
}

// librariesOf are the loader and the shared libraries of a program, none of one that
// is static.
func librariesOf(program string) (out []string) {
	f, err := elf.Open(program)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name, _ := io.ReadAll(p.Open())
			out = append(out, strings.TrimRight(string(name), "\x00"))
		}
	}
	names, _ := f.ImportedLibraries()
	for _, name := range names {
		found, _ := filepath.Glob("/lib/*-linux-gnu/" + name)
		more, _ := filepath.Glob("/lib64/" + name)
		if all := append(found, more...); len(all) > 0 {
			out = append(out, all[0])
		}
	}
	return out
}
