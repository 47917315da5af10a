//go:build linux || darwin || freebsd || netbsd || openbsd

package store

import (
	"os"
	"syscall"
)

// hold takes a folder for this process until it is closed, or the process ends
// however it does, and reports whether nobody else has it.
func hold(folder *os.File) bool {
	return syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
