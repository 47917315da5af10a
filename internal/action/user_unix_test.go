//go:build unix

package action

import (
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCloseOnStart: a descriptor that a role was given is not one of a program that
// it starts.
func TestCloseOnStart(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	given, err := unix.FcntlInt(w.Fd(), unix.F_DUPFD, 8) // stays open through an execve
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(given) }()
	look := func() error { return exec.Command("test", "-e", "/dev/fd/"+itoa(given)).Run() }
	if err := look(); err != nil {
		t.Fatalf("it is not handed on at all: %v", err)
	}
	closeOnStart(given, given)
	if look() == nil {
		t.Error("a program that was started has it")
	}
}
