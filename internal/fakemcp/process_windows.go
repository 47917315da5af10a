package fakemcp

import "syscall"

func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func ignoreTerm() {}

func killParent() {}
