package sandbox

import "golang.org/x/sys/unix"

const (
	nativeArch = unix.AUDIT_ARCH_X86_64
	// foreignCalls is where the numbers of x32 begin: the same architecture to the
	// filter, another table of calls.
	foreignCalls = 0x40000000
)
