//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

const changesUser = true

func attributes(uid int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential(uid)}
}

func signalGroup(p *os.Process, w word) {
	sig := syscall.SIGKILL
	if w == term {
		sig = syscall.SIGTERM
	}
	_ = syscall.Kill(-p.Pid, sig)
}
