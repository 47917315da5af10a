package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// judgeCall runs a filter over one call, as the kernel does.
func judgeCall(t *testing.T, f []unix.SockFilter, arch uint32, number int, args ...uint64) uint32 {
	t.Helper()
	var a uint32
	words := map[uint32]uint32{atNumber: uint32(number), atArch: arch}
	for i, v := range args {
		words[uint32(atArgs+8*i)], words[uint32(atArgs+8*i+4)] = uint32(v), uint32(v>>32)
	}
	for at := 0; at < len(f); at++ {
		i := f[at]
		jump := func(taken bool) {
			if taken {
				at += int(i.Jt)
			} else {
				at += int(i.Jf)
			}
		}
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = words[i.K]
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= i.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump(a == i.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump(a >= i.K)
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			jump(a&i.K != 0)
		case unix.BPF_RET | unix.BPF_K:
			return i.K
		default:
			t.Fatalf("instruction %d has the code %#x", at, i.Code)
		}
	}
	t.Fatal("no verdict")
	return 0
}

func TestFilter(t *testing.T) {
	const (
		ok    = unix.SECCOMP_RET_ALLOW
		dead  = unix.SECCOMP_RET_KILL_PROCESS
		heard = unix.SECCOMP_RET_USER_NOTIF
		no    = unix.SECCOMP_RET_ERRNO
	)
	tests := []struct {
		name          string
		arch          uint32
		number        int
		args          []uint64
		full, limited uint32
	}{
		{"another architecture", nativeArch ^ 1, unix.SYS_READ, nil, dead, dead},
		{"another table", nativeArch, unix.SYS_READ | foreignCalls, nil, dead, dead},
		{"a plain call", nativeArch, unix.SYS_READ, nil, ok, ok},
		{"a trace", nativeArch, unix.SYS_PTRACE, nil, no | uint32(unix.EPERM), no | uint32(unix.EPERM)},
		{"clone3", nativeArch, unix.SYS_CLONE3, nil, no | uint32(unix.ENOSYS), no | uint32(unix.ENOSYS)},
		{"a thread", nativeArch, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND}, ok, ok},
		{"a namespace", nativeArch, unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER | 17}, no | uint32(unix.EPERM), no | uint32(unix.EPERM)},
		{"typing", nativeArch, unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, no | uint32(unix.EPERM), no | uint32(unix.EPERM)},
		{"typing with high bits", nativeArch, unix.SYS_IOCTL, []uint64{0, 1<<32 | unix.TIOCSTI}, no | uint32(unix.EPERM), no | uint32(unix.EPERM)},
		{"another ioctl", nativeArch, unix.SYS_IOCTL, []uint64{0, unix.TIOCGWINSZ}, ok, ok},
		{"IPv4", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM, 0}, ok, heard},
		{"IPv6", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_INET6, unix.SOCK_DGRAM, 0}, ok, heard},
		{"local stream", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC, 0}, ok, ok},
		{"local datagrams", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC, 0}, ok, no | uint32(unix.EACCES)},
		{"a pair of them", nativeArch, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM, 0}, ok, no | uint32(unix.EACCES)},
		{"a pair", nativeArch, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_STREAM, 0}, ok, ok},
		{"routes", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE}, ok, ok},
		{"audit", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT}, no | uint32(unix.EAFNOSUPPORT), no | uint32(unix.EAFNOSUPPORT)},
		{"packets", nativeArch, unix.SYS_SOCKET, []uint64{unix.AF_PACKET, unix.SOCK_RAW, 0}, no | uint32(unix.EAFNOSUPPORT), no | uint32(unix.EAFNOSUPPORT)},
		{"connect", nativeArch, unix.SYS_CONNECT, nil, ok, heard},
		{"sendmmsg", nativeArch, unix.SYS_SENDMMSG, nil, ok, heard},
	}
	if nativeArch == 0 {
		t.Skip("no filter for this kind of processor")
	}
	full, limited := filterFor(Full), filterFor(Restricted)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judgeCall(t, full, tt.arch, tt.number, tt.args...); got != tt.full {
				t.Errorf("full: %#x, want %#x", got, tt.full)
			}
			if got := judgeCall(t, limited, tt.arch, tt.number, tt.args...); got != tt.limited {
				t.Errorf("restricted: %#x, want %#x", got, tt.limited)
			}
		})
	}
}
