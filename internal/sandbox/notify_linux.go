package sandbox

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// watcher answers the calls that the filter of the restricted profile hands
// over: connect, sendto, sendmsg, sendmmsg, listen, and the making of network
// sockets.
//
// It never lets through what a program says in memory about an address: another
// thread could change it after our look. What it reads is for the record; a
// connection to anywhere is refused. Calls that can only be judged by what lies
// in memory, or by the kind of a socket, are let through only as long as no
// network socket exists among the program's processes. Network sockets are made
// by us, bound to the loopback interface, so that even one that slips through
// reaches nothing outside of the machine.
//
// Where one place is allowed, every TCP socket is connected to it before the program
// gets it: what the program says of where to go changes nothing any more.
type watcher struct {
	fd   int
	user int            // to become, so that we may read the program's memory; zero for none
	way  netip.AddrPort // the place that is allowed; the zero value is none
	seen *reach
	stop [2]int
	done sync.WaitGroup

	network   bool             // a network socket exists
	datagrams map[int]bool     // descriptors that were UDP sockets when they were made
	asking    map[int]contact  // descriptors that believe themselves connected to a name server
	asked     map[contact]bool // name servers; true where a name was read
}

func watchCalls(listener, user int, way netip.AddrPort) (*watcher, error) {
	w := &watcher{fd: listener, user: user, way: way, seen: newReach(), datagrams: map[int]bool{}, asking: map[int]contact{}, asked: map[contact]bool{}}
	if err := unix.Pipe2(w.stop[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	w.done.Go(w.serve)
	return w, nil
}

// serve runs on a thread of its own, which becomes the program's user: without
// CAP_SYS_PTRACE (a default container) root may not read another user's memory.
// Its end takes the thread along.
func (w *watcher) serve() {
	runtime.LockOSThread()
	if !becomeUser(w.user) {
		w.seen.lost()
	}
	until(w.fd, w.stop[0], func() bool {
		if !readable(w.fd) {
			return false
		}
		var n notice
		if err := receiveNotice(w.fd, &n); err != nil {
			return err == unix.ENOENT // the caller is gone
		}
		w.judge(&n)
		return true
	})
}

func becomeUser(user int) bool {
	if user == 0 {
		return true
	}
	id := uintptr(user)
	_, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id)
	if errno == 0 {
		_, _, errno = unix.RawSyscall(unix.SYS_SETRESUID, id, id, id)
	}
	return errno == 0
}

// readable keeps a receive from waiting: a notice may have gone again.
func readable(fd int) bool {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(p, 0)
	return err == nil && n == 1 && p[0].Revents&unix.POLLIN != 0
}

// end stops the watcher and tells what was seen.
func (w *watcher) end() (hosts []string, complete bool) {
	_ = unix.Close(w.stop[1])
	w.done.Wait()
	_ = unix.Close(w.stop[0])
	_ = unix.Close(w.fd)
	for server, named := range w.asked {
		if !named { // it wrote in a way that we do not see
			w.seen.add(server)
		}
	}
	return w.seen.hosts()
}

func (w *watcher) judge(n *notice) {
	switch int(n.Nr) {
	case unix.SYS_SOCKET:
		w.socket(n)
	case unix.SYS_CONNECT:
		w.connect(n)
	case unix.SYS_SENDTO:
		w.sendTo(n)
	case unix.SYS_SENDMSG, unix.SYS_SENDMMSG:
		w.sendMessage(n)
	default:
		w.unlessNetwork(n)
	}
}

// answer refuses a call; zero means that it did nothing and succeeded.
func (w *watcher) answer(n *notice, errno unix.Errno) {
	_ = sendReply(w.fd, &reply{ID: n.ID, Error: -int32(errno)})
}

func (w *watcher) letThrough(n *notice) {
	_ = sendReply(w.fd, &reply{ID: n.ID, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE})
}

func (w *watcher) unlessNetwork(n *notice) {
	if w.network {
		w.answer(n, unix.EACCES)
		return
	}
	w.letThrough(n)
}

// socket makes a network socket for the program.
func (w *watcher) socket(n *notice) {
	domain, kind, proto := int(int32(n.Args[0])), int(int32(n.Args[1])), int(int32(n.Args[2]))
	base := kind & typeMask
	known := base == unix.SOCK_STREAM && (proto == 0 || proto == unix.IPPROTO_TCP) || base == unix.SOCK_DGRAM && (proto == 0 || proto == unix.IPPROTO_UDP)
	if !known {
		w.answer(n, unix.EPERM)
		return
	}
	fd, err := unix.Socket(domain, base|unix.SOCK_CLOEXEC, proto)
	if err != nil {
		w.answer(n, unix.EAFNOSUPPORT)
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if err := unix.BindToDevice(fd, "lo"); err != nil {
		w.answer(n, unix.EACCES)
		return
	}
	if w.way.IsValid() && domain == unix.AF_INET && base == unix.SOCK_STREAM {
		_ = unix.Connect(fd, &unix.SockaddrInet4{Port: int(w.way.Port()), Addr: w.way.Addr().As4()}) // without it it is of no use
	}
	if err := unix.SetNonblock(fd, kind&unix.SOCK_NONBLOCK != 0); err != nil {
		w.answer(n, unix.EACCES)
		return
	}
	w.network = true
	g := gift{ID: n.ID, Flags: unix.SECCOMP_ADDFD_FLAG_SEND, From: uint32(fd), NewFlags: uint32(kind & unix.SOCK_CLOEXEC)}
	to, err := giveDescriptor(w.fd, &g)
	if err != nil {
		w.answer(n, unix.EACCES) // a kernel before 5.14; a caller that is gone does not mind
		return
	}
	w.datagrams[to] = base == unix.SOCK_DGRAM
	delete(w.asking, to)
}

// connect is never let through. The answer is that of a machine where nobody
// listens, as under the full profile: programs tell it in their own words. One to a name server is told that it succeeded:
// what is sent then says which name was wanted.
func (w *watcher) connect(n *notice) {
	fd := int(int32(n.Args[0]))
	to, family, ok := w.address(n, n.Args[1], n.Args[2])
	switch {
	case !ok:
		w.seen.lost()
		w.answer(n, unix.EACCES)
	case family == unix.AF_UNIX:
		w.answer(n, unix.ECONNREFUSED)
	case family != unix.AF_INET && family != unix.AF_INET6:
		w.answer(n, unix.EAFNOSUPPORT)
	case to.IsValid() && to == w.way && !w.datagrams[fd]: // it is already, if it can be
		w.answer(n, 0)
	case to.Port() == 53 && w.datagrams[fd]:
		server := contact{addr: to.Addr(), port: to.Port(), proto: "udp"}
		w.asking[fd] = server
		if _, known := w.asked[server]; !known {
			w.asked[server] = false
		}
		w.answer(n, 0)
	default:
		w.note(fd, to)
		w.answer(n, unix.ECONNREFUSED)
	}
}

func (w *watcher) note(fd int, to netip.AddrPort) {
	c := contact{addr: to.Addr(), port: to.Port()}
	if w.datagrams[fd] {
		c.proto = "udp"
	}
	w.seen.add(c)
}

// sendTo tells by registers alone whether an address is given.
func (w *watcher) sendTo(n *notice) {
	fd := int(int32(n.Args[0]))
	if n.Args[4] == 0 {
		if server, ok := w.asking[fd]; ok {
			w.asked[server] = w.query(n, n.Args[1], n.Args[2]) || w.asked[server]
			w.answer(n, unix.ECONNREFUSED)
			return
		}
		w.letThrough(n)
		return
	}
	to, family, ok := w.address(n, n.Args[4], n.Args[5])
	switch {
	case !ok:
		w.seen.lost()
		w.answer(n, unix.EACCES)
	case family == unix.AF_NETLINK:
		w.unlessNetwork(n)
	case family == unix.AF_INET || family == unix.AF_INET6:
		if to.Port() != 53 || !w.query(n, n.Args[1], n.Args[2]) {
			w.note(fd, to)
		}
		w.answer(n, unix.ECONNREFUSED)
	default:
		w.answer(n, unix.EACCES)
	}
}

// query notes the name in a datagram for a name server.
func (w *watcher) query(n *notice, at, size uint64) bool {
	b := make([]byte, min(size, 512))
	if !w.memory(n, at, b) {
		return false
	}
	name, _, _, ok := question(b)
	if ok {
		w.seen.lookUp(name)
	}
	return ok
}

// sendMessage reads struct msghdr: a pointer and length of an address, a pointer
// and number of pieces. struct mmsghdr begins with one.
func (w *watcher) sendMessage(n *notice) {
	const size, next = 56, 64
	fd := int(int32(n.Args[0]))
	count := uint64(1)
	if int(n.Nr) == unix.SYS_SENDMMSG {
		count = min(n.Args[2], 16)
	}
	for i := range count {
		header := make([]byte, size)
		if !w.memory(n, n.Args[1]+i*next, header) {
			w.seen.lost()
			break
		}
		w.message(n, fd, header)
	}
	if _, ok := w.asking[fd]; ok {
		w.answer(n, unix.ECONNREFUSED)
		return
	}
	w.unlessNetwork(n)
}

// message notes where one message was to go.
func (w *watcher) message(n *notice, fd int, header []byte) {
	word := func(at int) uint64 { return binary.NativeEndian.Uint64(header[at:]) }
	var to netip.AddrPort
	if word(0) != 0 {
		var family uint16
		var ok bool
		to, family, ok = w.address(n, word(0), uint64(binary.NativeEndian.Uint32(header[8:])))
		if !ok || family != unix.AF_INET && family != unix.AF_INET6 {
			return
		}
	}
	server, asks := w.asking[fd]
	if asks || to.Port() == 53 {
		piece := make([]byte, 16)
		if word(24) > 0 && w.memory(n, word(16), piece) && w.query(n, binary.NativeEndian.Uint64(piece), binary.NativeEndian.Uint64(piece[8:])) {
			if asks {
				w.asked[server] = true
			}
			return
		}
	}
	if to.IsValid() {
		w.note(fd, to)
	}
}

// address reads a socket address of the program.
func (w *watcher) address(n *notice, at, size uint64) (to netip.AddrPort, family uint16, ok bool) {
	b := make([]byte, min(size, 28))
	if len(b) < 2 || !w.memory(n, at, b) {
		return to, 0, false
	}
	family = binary.NativeEndian.Uint16(b)
	switch {
	case family == unix.AF_INET && len(b) >= 8:
		to = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:]))
	case family == unix.AF_INET6 && len(b) >= 24:
		to = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])), binary.BigEndian.Uint16(b[2:]))
	}
	return to, family, true
}

// memory reads the program's memory, and makes sure that it was its.
func (w *watcher) memory(n *notice, at uint64, into []byte) bool {
	if len(into) == 0 {
		return false
	}
	local := []unix.Iovec{{Base: &into[0]}}
	local[0].SetLen(len(into))
	got, err := unix.ProcessVMReadv(int(n.PID), local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(into)}}, 0)
	return err == nil && got == len(into) && stillWaiting(w.fd, n.ID)
}
