package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Profiles are those that confine on this kind of system, strongest first.
func Profiles() []Profile { return []Profile{Full, Restricted} }

// nowhere is an address of the documentation (RFC 5737).
const nowhere = "192.0.2.1"

const probeTime = 20 * time.Second

// try starts this program under a profile, which looks around (role "probe").
func try(p Profile) string {
	if nativeArch == 0 {
		return "the filter of system calls was never tried on this kind of processor"
	}
	if landlockABI() == 0 {
		return "this kernel has no Landlock"
	}
	slot, err := Claim()
	if err != nil {
		return err.Error()
	}
	defer slot.Release()
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	process, err := startSelf(ctx, p, slot, "probe", string(p))
	if err != nil {
		return err.Error()
	}
	words, _ := bufio.NewReader(process.Stdout).ReadString('\n')
	exit := process.End(time.Second)
	switch {
	case len(words) > 0:
		return strings.TrimSpace(words)
	case exit.Code != 0 || exit.Lost:
		return "a program that looks around in it " + exit.String()
	case !slices.Contains(process.Observed().Hosts, nowhere+":9"):
		return "it is not seen where a program connects to"
	}
	return ""
}

// probe is the child role that looks around: it prints what is not as it should
// be, one line for the first.
func probe(args []string) int {
	if len(args) != 1 {
		return 2
	}
	for _, look := range []func(Profile) string{lookAtRights, lookAtFiles, lookAtNetwork} {
		if found := look(Profile(args[0])); found != "" {
			_, _ = fmt.Fprintln(os.Stdout, found)
			return 1
		}
	}
	return 0
}

func lookAtRights(Profile) string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "a program does not see itself in /proc"
	}
	for _, want := range []string{"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"} {
		if !strings.Contains(string(status), want+"\n") {
			name, _, _ := strings.Cut(want, ":")
			return "a program does not get the " + name + " that it should"
		}
	}
	if unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWUSER) != unix.EPERM {
		return "the filter of system calls does not hold"
	}
	return ""
}

func lookAtFiles(p Profile) string {
	if os.WriteFile("own", nil, 0o600) != nil {
		return "a program cannot write its own directory"
	}
	if p == Restricted {
		if os.WriteFile("/tmp/toolwarrant-probe", nil, 0o600) == nil {
			_ = os.Remove("/tmp/toolwarrant-probe")
			return "the path rules do not hold"
		}
	}
	if _, err := os.ReadDir("/sys/kernel"); err == nil {
		return "a program reads what it was not given"
	}
	return ""
}

func lookAtNetwork(Profile) string {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "a network socket cannot be made, so that nobody sees where it would go"
	}
	defer func() { _ = unix.Close(fd) }()
	if unix.Connect(fd, &unix.SockaddrInet4{Port: 9, Addr: netip.MustParseAddr(nowhere).As4()}) != unix.ECONNREFUSED {
		return "a connection is not refused as it should be"
	}
	return ""
}
