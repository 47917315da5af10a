//go:build unix

package sandbox

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// take locks the directory and makes sure that it is still the one at the path:
// between our look and our lock another run may have removed it.
func (s *Slot) take(bool) bool {
	fd, err := syscall.Open(s.path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	s.lock = os.NewFile(uintptr(fd), s.path)
	if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) == nil && s.mine(fd) {
		return true
	}
	_ = s.lock.Close()
	s.lock = nil
	return false
}

func (s *Slot) mine(fd int) bool {
	var held, there unix.Stat_t
	if unix.Fstat(fd, &held) != nil || unix.Lstat(s.path, &there) != nil {
		return false
	}
	same := held.Dev == there.Dev && held.Ino == there.Ino
	return same && int(held.Uid) == os.Geteuid() && unix.Fchmod(fd, 0o700) == nil
}
