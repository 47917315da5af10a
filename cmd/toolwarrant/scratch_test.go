package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// scratch is an empty folder with a home of its own, in which the program runs
// as a process.
type scratch struct {
	t          *testing.T
	home, repo string
	limit      time.Duration // for one command
}

// newScratch makes one. Repositories of one home share its caches.
func newScratch(t *testing.T, home string) scratch {
	t.Helper()
	s := scratch{t: t, home: home, repo: t.TempDir(), limit: 2 * time.Minute}
	if err := os.MkdirAll(filepath.Join(home, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// environ is what the program gets: nothing of the machine but its programs.
func (s scratch) environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "XDG_CACHE_HOME=" + filepath.Join(s.home, ".cache"), "TMPDIR=" + filepath.Join(s.home, "tmp"), "LANG=C.UTF-8",
		"NO_COLOR=1", "COLUMNS=80",
	}
}

func (s scratch) file(name string) string { return filepath.Join(s.repo, filepath.FromSlash(name)) }

func (s scratch) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.file(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.file(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s scratch) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.file(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// locks reads the folder of locks: text by file name.
func (s scratch) locks() map[string]string {
	s.t.Helper()
	names, err := os.ReadDir(s.file(".toolwarrant/servers"))
	if err != nil {
		s.t.Fatal(err)
	}
	out := map[string]string{}
	for _, n := range names {
		out[n.Name()] = s.read(".toolwarrant/servers/" + n.Name())
	}
	return out
}

// run runs the program and wants an exit code; it returns standard output.
func (s scratch) run(want int, args ...string) string {
	s.t.Helper()
	code, out, errs := s.try("toolwarrant", args...)
	if code != want {
		s.t.Fatalf("toolwarrant %s exits %d, want %d\n%s%s", strings.Join(args, " "), code, want, out, errs)
	}
	return out
}

// try runs a program in the repository; one that had to be stopped has exit
// code -1.
func (s scratch) try(program string, args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.repo, s.environ(), time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	timer := time.AfterFunc(s.limit, func() { _ = cmd.Process.Signal(os.Interrupt) })
	defer timer.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// wants checks that a text says every one of some phrases, however it is laid
// out.
func wants(t *testing.T, text string, phrases ...string) {
	t.Helper()
	plain := strings.Join(strings.Fields(text), " ")
	for _, p := range phrases {
		if !strings.Contains(plain, p) {
			t.Errorf("nothing says %q in\n%s", p, text)
		}
	}
}

// needs skips a test whose program is not there.
func needs(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed", program)
	}
	return path
}

// needsLinux skips what counts on the supervisor of servers, or on its lists
// being the same on every machine.
func needsLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("servers are supervised on linux")
	}
}
