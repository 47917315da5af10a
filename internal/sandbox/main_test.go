//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is four programs: a supervisor, a badly behaved child, a hostile one,
// and the tests. All but the last leave by syscall.Exit, because os.Exit waits a second
// under the race detector.
func TestMain(m *testing.M) {
	if code, ok := Child(os.Args); ok {
		syscall.Exit(code)
	}
	if len(os.Args) > 2 && os.Args[1] == "attack" {
		syscall.Exit(attack(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) > 2 && os.Args[1] == "child" {
		syscall.Exit(child(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// child behaves as its name says. It prints the id of every process that it
// starts, then "ready".
func child(behaviour string, args []string) int {
	switch behaviour {
	case "exit":
		var code int
		_, _ = fmt.Sscan(args[0], &code)
		return code
	case "sleep":
		time.Sleep(time.Hour)
	case "polite":
		return ready()
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		_ = ready()
		time.Sleep(time.Hour)
	case "fork":
		fork(nil)
		return ready()
	case "session":
		fork(&syscall.SysProcAttr{Setsid: true})
		return ready()
	case "daemon": // forks twice, so that the grandchild's parent is gone
		daemonize()
		return ready()
	case "grandparent":
		fork(&syscall.SysProcAttr{Setsid: true})
	case "crowd":
		for range 8 {
			fork(nil)
		}
		_ = ready()
		time.Sleep(time.Hour)
	case "hog":
		hog := make([]byte, 256<<20)
		for i := range hog {
			hog[i] = byte(i)
		}
		_ = ready()
		time.Sleep(time.Hour)
		runtime.KeepAlive(hog)
	case "regicide": // kills its supervisor, having left a daemon behind
		daemonize()
		fmt.Println("ready")
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "owner": // starts a daemon through this package and passes its words on
		exe, _ := os.Executable()
		p, err := Start(context.Background(), Order{Argv: []string{exe, "child", "daemon"}, Dir: os.TempDir()})
		if err == nil {
			_, _ = io.Copy(os.Stdout, p.Stdout)
		}
	case "confined owner": // starts a daemon under a profile, says so, and waits
		slot, err := Claim()
		if err != nil {
			return 1
		}
		p, err := Start(context.Background(), Order{Argv: []string{os.Args[0], "child", "daemon"}, Dir: slot.Work(), Profile: Profile(args[0]), Slot: slot, Read: []string{os.Args[0]}})
		if err != nil {
			return 1
		}
		_ = numbers(p.Stdout)
		return ready()
	case "world": // which profiles work where something is lacking?
		user, err := strconv.Atoi(args[1])
		if err == nil {
			err = enterWorld(args[0], user, args[2])
		}
		fmt.Println(err)
		return 1
	case "open": // which descriptors did it get? The Go runtime opens some of its own.
		names, _ := filepath.Glob("/proc/self/fd/*")
		for _, n := range names {
			to, err := os.Readlink(n)
			if err == nil && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/sys/fs/cgroup/") {
				fmt.Println(filepath.Base(n))
			}
		}
	}
	return 0
}

func ready() int {
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func daemonize() {
	cmd := self("grandparent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, _ := cmd.Output()
	fmt.Print(string(out))
}

func self(behaviour string) *exec.Cmd {
	exe, _ := os.Executable()
	return &exec.Cmd{Path: exe, Args: []string{os.Args[0], "child", behaviour}}
}

func fork(attr *syscall.SysProcAttr) {
	cmd := self("sleep")
	cmd.SysProcAttr = attr
	if cmd.Start() == nil {
		fmt.Println(cmd.Process.Pid)
	}
}

// begin starts a child and reads the process ids that it prints up to "ready".
func begin(t *testing.T, o Order, behaviour string, args ...string) (*Process, []int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Argv = append([]string{exe, "child", behaviour}, args...)
	o.Dir = t.TempDir()
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p, numbers(p.Stdout)
}

// numbers reads one a line, up to "ready".
func numbers(r io.Reader) (out []int) {
	lines := bufio.NewScanner(r)
	for lines.Scan() && lines.Text() != "ready" {
		var n int
		if _, err := fmt.Sscan(lines.Text(), &n); err == nil {
			out = append(out, n)
		}
	}
	return out
}
