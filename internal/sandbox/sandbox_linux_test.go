package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patient is longer than any of these children takes to do what it does of its
// own accord; brief is for those that never do.
const (
	patient = 30 * time.Second
	brief   = 50 * time.Millisecond
)

func TestEnd(t *testing.T) {
	tests := []struct {
		behaviour string
		args      []string
		grace     time.Duration
		want      Exit
	}{
		{"exit", []string{"0"}, patient, Exit{Early: true}},
		{"exit", []string{"3"}, patient, Exit{Code: 3, Early: true}},
		{"polite", nil, patient, Exit{}},
		{"sleep", nil, brief, Exit{Code: -1, Signal: "SIGTERM"}},
		{"deaf", nil, brief, Exit{Code: -1, Signal: "SIGKILL"}},
		{"fork", nil, patient, Exit{Survivors: 1}},
		{"session", nil, patient, Exit{Survivors: 1}},
		{"daemon", nil, patient, Exit{Survivors: 1}},
		{"crowd", nil, brief, Exit{Code: -1, Signal: "SIGTERM"}},
	}
	for _, tt := range tests {
		t.Run(strings.Join(append(tt.args, tt.behaviour), " "), func(t *testing.T) {
			var p *Process
			var pids []int
			if tt.behaviour == "sleep" || tt.behaviour == "exit" {
				p = startOnly(t, tt.behaviour, tt.args...)
			} else {
				p, pids = begin(t, Order{}, tt.behaviour, tt.args...)
			}
			if tt.want.Early && !within(p.Gone(), patient) {
				t.Fatal("did not end by itself")
			}
			tt.want.Counted = true
			if got := p.End(tt.grace); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			allGone(t, pids)
		})
	}
}

func startOnly(t *testing.T, behaviour string, args ...string) *Process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), Order{Argv: append([]string{exe, "child", behaviour}, args...), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func allGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is still there (%v)", pid, err)
		}
	}
}

func TestLimits(t *testing.T) {
	for behaviour, l := range map[string]Limits{"crowd": {Processes: 4}, "hog": {Memory: 128 << 20}} {
		p, pids := begin(t, Order{Limits: l}, behaviour)
		if !within(p.Gone(), patient) {
			t.Fatalf("%s: still running", behaviour)
		}
		want := map[string]string{"crowd": "processes", "hog": "memory"}[behaviour]
		if got := p.End(patient); got.Limit != want {
			t.Errorf("%s: got %+v, want the limit %q", behaviour, got, want)
		}
		allGone(t, pids)
	}
}

func TestContextEnds(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, Order{Argv: []string{exe, "child", "deaf"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if !within(p.Gone(), patient) {
		t.Fatal("still running")
	}
	p.End(patient)
}

func TestSupervisorKilled(t *testing.T) {
	p, pids := begin(t, Order{}, "regicide")
	if !within(p.done, patient) {
		t.Fatal("not noticed")
	}
	got := p.End(brief)
	if !got.Lost || len(pids) != 1 {
		t.Errorf("got %+v with descendants %v", got, pids)
	}
	allGone(t, pids)
}

// Two at once: the orphans of a dead supervisor are told from another's children.
func TestSupervisorKilledBesideAnother(t *testing.T) {
	other, _ := begin(t, Order{}, "polite")
	p, pids := begin(t, Order{}, "regicide")
	within(p.done, patient)
	allGone(t, pids)
	p.End(brief)
	if got := other.End(patient); got != (Exit{Counted: true}) {
		t.Errorf("the other one got %+v", got)
	}
}

// We cannot clean up after a SIGKILL, but the supervisor sees its pipe close.
func TestOwnerKilled(t *testing.T) {
	owner := self("owner")
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	pids := numbers(out)
	if err := owner.Process.Kill(); err != nil || len(pids) != 1 {
		t.Fatal(err, pids)
	}
	_ = owner.Wait()
	for until := time.Now().Add(patient); time.Now().Before(until); time.Sleep(sweepPause) {
		if syscall.Kill(pids[0], 0) != nil {
			return
		}
	}
	t.Error("the daemon is still there")
}

func TestOnlyStandardDescriptors(t *testing.T) {
	leak, err := syscall.Open(os.DevNull, syscall.O_RDONLY, 0) // without CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(leak) }()
	p, fds := begin(t, Order{}, "open")
	p.End(patient)
	if slices.ContainsFunc(fds, func(fd int) bool { return fd > 2 }) {
		t.Errorf("the child got descriptors %v", fds)
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name    string
		order   Order
		missing bool
	}{
		{"nothing", Order{Dir: dir}, true},
		{"not in PATH", Order{Argv: []string{"toolwarrant-no-such-program"}, Env: []string{"PATH=/bin:/usr/bin"}, Dir: dir}, true},
		{"relative PATH entry", Order{Argv: []string{"script"}, Env: []string{"PATH=."}, Dir: dir}, true},
		{"no PATH", Order{Argv: []string{"sh"}, Dir: dir}, true},
		{"no such file", Order{Argv: []string{filepath.Join(dir, "absent")}, Dir: dir}, true},
		{"not executable", Order{Argv: []string{file("plain", "x", 0o600)}, Dir: dir}, false},
		{"directory", Order{Argv: []string{dir}, Dir: dir}, false},
		{"no interpreter", Order{Argv: []string{file("script", "#!/no/such/interpreter\n", 0o700)}, Dir: dir}, true},
		{"no format", Order{Argv: []string{file("bytes", "\x00\x01\x02", 0o700)}, Dir: dir}, false},
		{"no directory", Order{Argv: []string{"/bin/sh"}, Dir: filepath.Join(dir, "absent")}, false},
		{"profile", Order{Argv: []string{"/bin/sh"}, Dir: dir, Profile: "full"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Start(t.Context(), tt.order)
			if p != nil {
				p.End(brief)
			}
			var failed *StartError
			if !errors.As(err, &failed) || failed.Missing != tt.missing || failed.Detail == "" {
				t.Errorf("got %#v, want missing %v", err, tt.missing)
			}
		})
	}
}

func TestParseStat(t *testing.T) {
	line := "42 (a) b (c)) S 7 8 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 100 1000 3 18446744073709551615 1"
	want := process{pid: 42, parent: 7, group: 8, session: 9, state: 'S', threads: 1, resident: int64(3 * os.Getpagesize())}
	if got, ok := parseStat([]byte(line)); !ok || got != want {
		t.Errorf("got %+v %v, want %+v", got, ok, want)
	}
	for _, bad := range []string{"", "42", "42 (x", "42 (x) S 1", ") ("} {
		if _, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestUnknownRole(t *testing.T) {
	if code, ok := Child([]string{"toolwarrant", Word, "absent"}); !ok || code != 2 {
		t.Errorf("got %d %v", code, ok)
	}
	if _, ok := Child([]string{"toolwarrant", "scan"}); ok {
		t.Error("a command was taken for a role")
	}
	role := Role{"greet", func(args []string) int { return len(args) }}
	if code, ok := Child([]string{"toolwarrant", Word, "greet", "a", "b"}, role); !ok || code != 2 {
		t.Errorf("got %d %v", code, ok)
	}
}

// A child of another user has that user's group alone, and is ended like others.
func TestOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start a program as another user")
	}
	const user = 65301
	sh := "id -u; id -g; id -G; grep -c . /proc/1/environ; sleep 1000 & echo ready; wait"
	p, err := Start(t.Context(), Order{Argv: []string{"/bin/sh", "-c", sh}, Env: []string{"PATH=/bin:/usr/bin"}, Dir: "/", UID: user})
	if err != nil {
		t.Fatal(err)
	}
	got := numbers(p.Stdout)
	if !slices.Equal(got, []int{user, user, user}) {
		t.Errorf("user, group and groups are %v", got)
	}
	if exit := p.End(brief); exit.Left != 0 || exit.Lost {
		t.Errorf("got %+v", exit)
	}
}
