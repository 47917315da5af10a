package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Verify starts this program under a profile, where it tries to reach each of the
// guarded places, and the environment of every other process that it sees. It
// returns what was reached, or why that could not be tried; empty where a program
// under this profile reaches none of it.
func Verify(p Profile, guarded []Guarded) string {
	slot, err := Claim()
	if err != nil {
		return err.Error()
	}
	defer slot.Release()
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	process, err := startSelf(ctx, p, slot, "reach")
	if err != nil {
		return err.Error()
	}
	if err := json.NewEncoder(process.Stdin).Encode(guarded); err != nil {
		process.End(time.Second)
		return "a program that looks around in it does not listen"
	}
	words, _ := bufio.NewReader(process.Stdout).ReadString('\n')
	exit := process.End(time.Second)
	switch words = strings.TrimSpace(words); {
	case words == nothingReached && exit.Code == 0:
		return ""
	case words == "" || words == nothingReached:
		return "a program that looks around in it " + exit.String()
	}
	return words
}

// startSelf starts this program in a role under a profile.
func startSelf(ctx context.Context, p Profile, slot *Slot, role ...string) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, &StartError{Detail: "this program is not found"}
	}
	program, read := self, []string{self}
	if p == Restricted { // another user may not get to where this program lies
		program, read = "/proc/self/exe", nil
	}
	return Start(ctx, Order{Argv: append([]string{program, Word}, role...), Dir: slot.Work(), Profile: p, Read: read, Slot: slot})
}

// nothingReached is the answer of a program that came to the end of its list.
const nothingReached = "nothing was reached"

// reachOut is the child role that tries: it prints the first thing that it
// reached, or that there was none.
func reachOut([]string) int {
	var guarded []Guarded
	if json.NewDecoder(os.Stdin).Decode(&guarded) != nil {
		return 2
	}
	for _, g := range guarded {
		if reached(g.Path) {
			_, _ = fmt.Fprintln(os.Stdout, "a program under this profile reaches "+g.What)
			return 1
		}
	}
	if pid := otherEnvironment(); pid != "" {
		_, _ = fmt.Fprintln(os.Stdout, "a program under this profile reads the environment of another process")
		return 1
	}
	_, _ = fmt.Fprintln(os.Stdout, nothingReached)
	return 0
}

// reached reports whether a place can be read, written, or connected to.
func reached(name string) bool {
	for _, how := range []int{unix.O_RDONLY, unix.O_WRONLY | unix.O_APPEND} {
		if fd, err := unix.Open(name, how|unix.O_CLOEXEC|unix.O_NONBLOCK, 0); err == nil {
			_ = unix.Close(fd)
			return true
		}
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Connect(fd, &unix.SockaddrUnix{Name: name}) == nil
}

// otherEnvironment is the number of a process, not our own, whose environment or
// root can be read.
func otherEnvironment() string {
	dirs, _ := filepath.Glob("/proc/[1-9]*")
	for _, dir := range dirs {
		pid := filepath.Base(dir)
		if pid == strconv.Itoa(os.Getpid()) {
			continue
		}
		if _, err := os.ReadFile(dir + "/environ"); err == nil {
			return pid
		}
		if _, err := os.ReadDir(dir + "/root"); err == nil {
			return pid
		}
	}
	return ""
}
