//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func signalGroup(p *os.Process, w word) {
	sig := syscall.SIGKILL
	if w == term {
		sig = syscall.SIGTERM
	}
	_ = syscall.Kill(-p.Pid, sig)
}
