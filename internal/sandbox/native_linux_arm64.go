package sandbox

import "golang.org/x/sys/unix"

const (
	nativeArch   = unix.AUDIT_ARCH_AARCH64
	foreignCalls = 0x40000000 // no call of this architecture has such a number
)
