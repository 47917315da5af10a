package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// block is a part of a filter program (classic BPF over struct seccomp_data).
// Every block that is jumped over ends with a verdict, so that what follows it
// finds the accumulator as it was.
type block []unix.SockFilter

// Offsets in struct seccomp_data. An argument is two words, the low one first on
// every architecture that is offered.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

func load(offset uint32) block {
	return block{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}}
}

func argument(n uint32) block { return load(atArgs + 8*n) }

func mask(bits uint32) block {
	return block{{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: bits}}
}

func verdict(action uint32) block {
	return block{{Code: unix.BPF_RET | unix.BPF_K, K: action}}
}

func refuse(errno unix.Errno) block {
	return verdict(unix.SECCOMP_RET_ERRNO | uint32(errno))
}

var (
	allow  = verdict(unix.SECCOMP_RET_ALLOW)
	kill   = verdict(unix.SECCOMP_RET_KILL_PROCESS)
	notify = verdict(unix.SECCOMP_RET_USER_NOTIF)
)

// when runs a block where the accumulator equals a value, unless where it does not.
func when(value uint32, then block) block { return jump(unix.BPF_JEQ, value, 0, then) }

func unless(value uint32, then block) block {
	return append(block{{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: uint8(len(then))}}, then...)
}

func atLeast(value uint32, then block) block { return jump(unix.BPF_JGE, value, 0, then) }
func anyBit(bits uint32, then block) block   { return jump(unix.BPF_JSET, bits, 0, then) }

func jump(op uint16, k uint32, jt uint8, then block) block {
	return append(block{{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: jt, Jf: uint8(len(then))}}, then...)
}

// call judges one system call, by its arguments.
func call(number int, judge ...block) block {
	return slices.Concat(load(atNumber), when(uint32(number), slices.Concat(judge...)))
}

// never are calls that a confined program does not get. io_uring does what it
// is asked without a filter seeing it; the rest reaches into other processes, the
// kernel, or makes what confines the program anew.
var never = []int{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG,
}

// absent are calls that programs try and then do without: an answer of "not
// permitted" would be an error to them. The flags of clone3 lie in memory, where
// a filter cannot see them.
var absent = []int{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

const (
	namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
	typeMask   = 0xf // of a socket's type; the rest are flags
	tiocLinux  = 0x541c
)

// filterFor is the filter of a profile. Its first instructions end every program
// that uses another table of calls than the native one: the numbers below mean
// something else there.
func filterFor(p Profile) []unix.SockFilter {
	f := slices.Concat(load(atArch), unless(nativeArch, kill), load(atNumber), atLeast(foreignCalls, kill))
	for _, n := range never {
		f = append(f, when(uint32(n), refuse(unix.EPERM))...)
	}
	for _, n := range absent {
		f = append(f, when(uint32(n), refuse(unix.ENOSYS))...)
	}
	f = append(f, call(unix.SYS_CLONE, argument(0), anyBit(namespaces, refuse(unix.EPERM)), allow)...)
	f = append(f, call(unix.SYS_IOCTL, argument(1), when(unix.TIOCSTI, refuse(unix.EPERM)), when(tiocLinux, refuse(unix.EPERM)), allow)...)
	f = append(f, call(unix.SYS_SOCKET, sockets(p))...)
	if p == Restricted {
		f = append(f, call(unix.SYS_SOCKETPAIR, argument(1), mask(typeMask), when(unix.SOCK_DGRAM, refuse(unix.EACCES)), allow)...)
		for _, n := range judged {
			f = append(f, call(n, notify)...)
		}
	}
	return append(f, allow...)
}

// judged are the calls of which the restricted profile's watcher hears.
var judged = []int{unix.SYS_CONNECT, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_LISTEN}

// sockets allows families. A UNIX socket that sends without connecting reaches
// other programs' sockets by a path in memory: only where none are in reach.
func sockets(p Profile) block {
	local, network := allow, allow
	if p == Restricted {
		local = slices.Concat(argument(1), mask(typeMask), when(unix.SOCK_DGRAM, refuse(unix.EACCES)), allow)
		network = notify
	}
	routes := slices.Concat(argument(2), when(unix.NETLINK_ROUTE, allow), refuse(unix.EAFNOSUPPORT))
	return slices.Concat(argument(0), when(unix.AF_UNIX, local), when(unix.AF_INET, network), when(unix.AF_INET6, network),
		when(unix.AF_NETLINK, routes), refuse(unix.EAFNOSUPPORT))
}
