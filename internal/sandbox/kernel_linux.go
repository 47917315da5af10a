package sandbox

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// What golang.org/x/sys does not wrap. Each function is one system call on the
// thread of the caller, which must be locked where the call changes the thread.

// notice is struct seccomp_notif (seccomp_unotify(2)).
type notice struct {
	ID    uint64
	PID   uint32
	Flags uint32
	Nr    int32
	Arch  uint32
	IP    uint64
	Args  [6]uint64
}

// reply is struct seccomp_notif_resp.
type reply struct {
	ID    uint64
	Val   int64
	Error int32
	Flags uint32
}

// gift is struct seccomp_notif_addfd: a descriptor of ours for the caller.
type gift struct {
	ID       uint64
	Flags    uint32
	From     uint32
	To       uint32
	NewFlags uint32
}

const (
	ioctlNoticeValid = 0x40082102
	ioctlGift        = 0x40182103
)

// installFilter puts a filter on the calling thread. With listen it returns the
// descriptor on which notices arrive.
func installFilter(program []unix.SockFilter, listen bool) (listener int, err error) {
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	flags := uintptr(0)
	if listen {
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	}
	fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// receiveNotice waits for the next call that is to be judged.
func receiveNotice(listener int, n *notice) error {
	*n = notice{} // the kernel wants zeros
	return ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(n))
}

func sendReply(listener int, r *reply) error {
	return ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(r))
}

// stillWaiting reports whether the caller of a notice is there, so that what was
// read under its process id was its own.
func stillWaiting(listener int, id uint64) bool {
	return ioctl(listener, ioctlNoticeValid, unsafe.Pointer(&id)) == nil
}

// giveDescriptor answers a notice with a descriptor of ours, and returns the
// caller's number of it.
func giveDescriptor(listener int, g *gift) (int, error) {
	number, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), ioctlGift, uintptr(unsafe.Pointer(g)))
	if errno != 0 {
		return -1, errno
	}
	return int(number), nil
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

// landlockABI is the version of Landlock in this kernel, zero for none.
func landlockABI() int {
	const version = 1
	abi, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// landlockRuleset makes an empty ruleset. A kernel takes a longer structure
// than it knows where the rest is zero.
func landlockRuleset(a *unix.LandlockRulesetAttr) (fd int, err error) {
	r, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(a)), unsafe.Sizeof(*a), 0)
	if errno != 0 {
		return -1, errno
	}
	return int(r), nil
}

// landlockAllow allows access at and below what the descriptor leads to.
func landlockAllow(ruleset, fd int, access uint64) error {
	a := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&a)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// landlockRestrict puts the calling thread under a ruleset.
func landlockRestrict(ruleset int) error {
	_, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
