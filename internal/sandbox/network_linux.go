package sandbox

import (
	"encoding/binary"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"
)

// trap is a network that leads nowhere: a loopback interface to which every
// address belongs (AnyIP routes), so that each connection is refused at once
// and nothing leaves. A name server of ours answers each name with an address
// of its own, and a packet socket sees where everything was to go.
type trap struct {
	seen    *reach
	names   int // sockets
	packets int
	stop    [2]int
	done    sync.WaitGroup
}

const nameServer = "127.0.0.1"

// openTrap sets the network of our own network namespace up.
func openTrap() (*trap, error) {
	t := &trap{seen: newReach()}
	for _, step := range []func() error{loopbackUp, anyIP(unix.AF_INET), anyIP(unix.AF_INET6), t.listen} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	t.done.Go(t.answer)
	t.done.Go(t.watch)
	return t, nil
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

const loopbackIndex = 1 // the first interface of every network namespace

// anyIP makes every address of a family one of ours (rtnetlink(7)). A kernel
// without IPv6 needs no route for it.
func anyIP(family byte) func() error {
	return func() error {
		fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
		if err != nil {
			return err
		}
		defer func() { _ = unix.Close(fd) }()
		if err := unix.Sendto(fd, routeMessage(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
			return err
		}
		answer := make([]byte, 4096)
		n, _, err := unix.Recvfrom(fd, answer, 0)
		if err != nil || n < unix.NLMSG_HDRLEN+4 {
			return unix.EIO
		}
		errno := unix.Errno(-int32(binary.NativeEndian.Uint32(answer[unix.NLMSG_HDRLEN:])))
		noIPv6 := family == unix.AF_INET6 && (errno == unix.EAFNOSUPPORT || errno == unix.EOPNOTSUPP)
		if errno != 0 && !noIPv6 {
			return errno
		}
		return nil
	}
}

// routeMessage is "ip route add local default dev lo": a header, struct rtmsg,
// and the interface as one attribute.
func routeMessage(family byte) []byte {
	const size = unix.NLMSG_HDRLEN + unix.SizeofRtMsg + unix.SizeofRtAttr + 4
	m := make([]byte, size)
	binary.NativeEndian.PutUint32(m, size)
	binary.NativeEndian.PutUint16(m[4:], unix.RTM_NEWROUTE)
	binary.NativeEndian.PutUint16(m[6:], unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE)
	r := m[unix.NLMSG_HDRLEN:]
	r[0], r[4], r[5], r[6], r[7] = family, unix.RT_TABLE_LOCAL, unix.RTPROT_BOOT, unix.RT_SCOPE_HOST, unix.RTN_LOCAL
	a := r[unix.SizeofRtMsg:]
	binary.NativeEndian.PutUint16(a, unix.SizeofRtAttr+4)
	binary.NativeEndian.PutUint16(a[2:], unix.RTA_OIF)
	binary.NativeEndian.PutUint32(a[4:], loopbackIndex)
	return m
}

// listen opens the name server's socket and the one that sees packets.
func (t *trap) listen() (err error) {
	if t.names, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0); err != nil {
		return err
	}
	if err := unix.Bind(t.names, &unix.SockaddrInet4{Port: 53, Addr: netip.MustParseAddr(nameServer).As4()}); err != nil {
		return err
	}
	all := uint16(unix.ETH_P_ALL)
	all = all<<8 | all>>8 // in network order
	if t.packets, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, int(all)); err != nil {
		return err
	}
	_ = unix.SetsockoptInt(t.packets, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 8<<20) // without the right to it an overflow comes sooner
	return unix.Pipe2(t.stop[:], unix.O_CLOEXEC)
}

// answer serves names.
func (t *trap) answer() {
	buffer := make([]byte, 4096)
	until(t.names, t.stop[0], func() bool {
		n, from, err := unix.Recvfrom(t.names, buffer, 0)
		if err != nil {
			return false
		}
		if name, kind, end, ok := question(buffer[:n]); ok {
			_ = unix.Sendto(t.names, answer(buffer, end, kind, t.seen.lookUp(name)), 0, from)
		}
		return true
	})
}

// watch sees every packet once, when it is sent.
func (t *trap) watch() {
	buffer := make([]byte, 128)
	server := netip.AddrPortFrom(netip.MustParseAddr(nameServer), 53)
	until(t.packets, t.stop[0], func() bool {
		n, from, err := unix.Recvfrom(t.packets, buffer, 0)
		if err != nil {
			return false
		}
		if l, ok := from.(*unix.SockaddrLinklayer); !ok || l.Pkttype != unix.PACKET_OUTGOING {
			return true
		}
		c, sender, ok := packet(buffer[:n])
		ours := sender == server || c.proto == "udp" && c.addr == server.Addr() && c.port == server.Port()
		if ok && !ours {
			t.seen.add(c)
		}
		return true
	})
}

// end stops looking and tells what was seen. The sockets go with this process:
// closing one that sees packets waits in the kernel, some 15 ms as measured.
func (t *trap) end() (hosts []string, complete bool) {
	_ = unix.Close(t.stop[1])
	t.done.Wait()
	if s, err := unix.GetsockoptTpacketStats(t.packets, unix.SOL_PACKET, unix.PACKET_STATISTICS); err != nil || s.Drops > 0 {
		t.seen.lost()
	}
	return t.seen.hosts()
}
