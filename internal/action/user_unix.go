//go:build unix

package action

import (
	"os"
	"os/exec"
	"syscall"
)

// plainFile opens no link, and waits for nobody.
const plainFile = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// closeOnStart keeps descriptors that this process was given from those that it
// starts.
func closeOnStart(from, to int) {
	for fd := from; fd <= to; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// posterUID is the user and group of the poster where we are root: of no account,
// beside the resolver's, and low enough for a container that has 65,536 of them.
const posterUID = 65302

// apart makes a process another user's where we are root, and reports whether it
// is one.
func apart(cmd *exec.Cmd) bool {
	if os.Geteuid() != 0 {
		return false
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: posterUID, Gid: posterUID}}
	return true
}

// ownerOf is the user that a folder belongs to.
func ownerOf(dir string) (uid, gid int, ok bool) {
	info, err := os.Stat(dir)
	if err != nil {
		return 0, 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}
