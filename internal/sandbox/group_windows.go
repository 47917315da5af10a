package sandbox

import (
	"os"
	"syscall"
)

const changesUser = false

func attributes(int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// signalGroup kills the process: Windows has no signal that asks it to end.
func signalGroup(p *os.Process, _ word) { _ = p.Kill() }
