//go:build unix

package fakemcp

import (
	"os"
	"os/signal"
	"syscall"
)

func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func ignoreTerm() { signal.Ignore(syscall.SIGTERM) }

func killParent() { _ = syscall.Kill(os.Getppid(), syscall.SIGKILL) }
