package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// attacks are what a hostile program tries. Each tells "done", or why not.
var attacks = map[string]func(args []string) string{
	"read": func(args []string) string { return told(readOne(args[0])) },
	"decoy": func(args []string) string {
		return told(readOne(filepath.Join(os.Getenv("HOME"), strings.Join(args, ""))))
	},
	"parent":   func([]string) string { return told(readOne(fmt.Sprintf("/proc/%d/environ", os.Getppid()))) },
	"write":    func(args []string) string { return told(os.WriteFile(args[0], []byte("here"), 0o600)) },
	"connect":  func(args []string) string { return told(dial(args[0], args[1])) },
	"name":     lookUpAndConnect,
	"udp":      sendDatagram,
	"listen":   func([]string) string { l, err := net.Listen("tcp", "0.0.0.0:0"); return letGo(l, err) },
	"local":    localConversation,
	"family":   func([]string) string { return refusedAll(otherFamilies) },
	"environ":  environs,
	"ptrace":   func([]string) string { return told(traceParent()) },
	"kill":     killNumber,
	"files":    openFiles,
	"regicide": func([]string) string { return told(syscall.Kill(os.Getppid(), syscall.SIGKILL)) },
	"many":     manyHosts,
	"daemon":   func([]string) string { daemonize(); return "done" },
	"bomb":     bomb,
	"eat":      eat,
	"uring":    func([]string) string { return raw(unix.SYS_IO_URING_SETUP, 1, 0, 0) },
	"clone3":   func([]string) string { return raw(unix.SYS_CLONE3, 0, 0, 0) },
	"calls":    func([]string) string { return refusedAll(kernelCalls) },
	"tty":      func([]string) string { return raw(unix.SYS_IOCTL, 0, unix.TIOCSTI, 0) },
	"exec":     execBytes,
	"x32":      func([]string) string { return raw(foreignCalls|uintptr(unix.SYS_GETPID), 0, 0, 0) },
	"flood":    flood,
	"rights":   rights,
	"pair":     socketPair,
	"routes":   func([]string) string { _, err := net.Interfaces(); return told(err) },
	"probe":    func([]string) string { p, trials := Probe(); return fmt.Sprintf("%q %q", p, trials) },
	"talk":     talk,
	"identity": func([]string) string { return identity() },
}

func attack(name string, args []string) int {
	do, ok := attacks[name]
	if !ok {
		return 2
	}
	fmt.Println(do(args))
	return 0
}

func told(err error) string {
	var errno syscall.Errno
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &errno):
		return unix.ErrnoName(errno)
	}
	return err.Error()
}

func letGo(c io.Closer, err error) string {
	if err == nil {
		err = c.Close()
	}
	return told(err)
}

func raw(number, a, b, c uintptr) string {
	if _, _, errno := syscall.RawSyscall(number, a, b, c); errno != 0 {
		return unix.ErrnoName(errno)
	}
	return "done"
}

func readOne(name string) error {
	_, err := os.ReadFile(name)
	return err
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 5*time.Second)
	if err == nil {
		_ = c.Close()
	}
	return err
}

// lookUpAndConnect does as the C library does: both questions in one sendmmsg
// on a connected socket are out of reach from here, one by sendto is not.
func lookUpAndConnect(args []string) string {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return told(err)
	}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: 53, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return told(err)
	}
	query := append([]byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}, 0)[:12]
	for _, label := range strings.Split(args[0], ".") {
		query = append(append(query, byte(len(label))), label...)
	}
	query = append(query, 0, 0, typeA, 0, classIN)
	if err := unix.Send(fd, query, 0); err != nil {
		return told(err)
	}
	answer := make([]byte, 512)
	n, err := unix.Read(fd, answer)
	if err != nil || n < 4 {
		return told(err)
	}
	ip := net.IP(answer[n-4 : n]).String()
	return told(dial("tcp", net.JoinHostPort(ip, args[1])))
}

// manyHosts wants more than anybody keeps account of.
func manyHosts([]string) string {
	last := "done"
	for i := range 2 * mostHosts {
		last = sendDatagram([]string{fmt.Sprintf("203.0.113.%d:%d", i%250+1, 1000+i)})
	}
	return last
}

func sendDatagram(args []string) string {
	to, err := net.ResolveUDPAddr("udp", args[0])
	if err != nil {
		return told(err)
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		c, err = net.ListenUDP("udp4", nil)
	}
	if err != nil {
		return told(err)
	}
	_, err = c.WriteTo([]byte("hello"), to)
	return told(err)
}

// localConversation is what an honest program does with itself.
func localConversation([]string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return told(err)
	}
	go func() { _, _ = l.Accept() }()
	return told(dial("tcp", l.Addr().String()))
}

func socketPair([]string) string {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return told(err)
	}
	if err := unix.Sendto(pair[0], []byte("hello"), 0, nil); err != nil {
		return told(err)
	}
	return told(unix.Sendmsg(pair[0], []byte("hello"), unix.UnixRights(0), nil, 0))
}

// refusedAll tells the first that was not refused.
func refusedAll(list map[string]func() error) string {
	last := "EPERM"
	for name, try := range list {
		err := try()
		if !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.ENOSYS) && !errors.Is(err, syscall.EAFNOSUPPORT) {
			return fmt.Sprintf("done: %s %v", name, err)
		}
		last = told(err)
	}
	return last
}

var otherFamilies = map[string]func() error{
	"packet":    func() error { _, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); return err },
	"vsock":     func() error { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); return err },
	"bluetooth": func() error { _, err := unix.Socket(unix.AF_BLUETOOTH, unix.SOCK_RAW, 0); return err },
	"alg":       func() error { _, err := unix.Socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0); return err },
	"audit":     func() error { _, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT); return err },
}

func number(n int, args ...uintptr) func() error {
	return func() error {
		a := append(args, 0, 0, 0, 0, 0, 0)
		_, _, errno := syscall.RawSyscall6(uintptr(n), a[0], a[1], a[2], a[3], a[4], a[5])
		if errno == 0 {
			return nil
		}
		return errno
	}
}

var kernelCalls = map[string]func() error{
	"unshare":           number(unix.SYS_UNSHARE, unix.CLONE_NEWUSER),
	"setns":             number(unix.SYS_SETNS, 0, unix.CLONE_NEWNET),
	"clone":             number(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(syscall.SIGCHLD)),
	"mount":             number(unix.SYS_MOUNT),
	"umount2":           number(unix.SYS_UMOUNT2),
	"open_tree":         number(unix.SYS_OPEN_TREE),
	"bpf":               number(unix.SYS_BPF, 5),
	"perf_event_open":   number(unix.SYS_PERF_EVENT_OPEN),
	"userfaultfd":       number(unix.SYS_USERFAULTFD, 1),
	"keyctl":            number(unix.SYS_KEYCTL),
	"add_key":           number(unix.SYS_ADD_KEY),
	"request_key":       number(unix.SYS_REQUEST_KEY),
	"open_by_handle_at": number(unix.SYS_OPEN_BY_HANDLE_AT, 0),
	"process_vm_readv":  number(unix.SYS_PROCESS_VM_READV, uintptr(1)),
	"pidfd_getfd":       number(unix.SYS_PIDFD_GETFD, 0),
	"io_uring_enter":    number(unix.SYS_IO_URING_ENTER),
}

// environs looks for a word in the environment of every process but its own.
func environs(args []string) string {
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	own := fmt.Sprintf("/proc/%d/environ", os.Getpid())
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil && name != own && bytes.Contains(text, []byte(args[0])) {
			return "done"
		}
	}
	return "not found"
}

func traceParent() error {
	if err := unix.PtraceAttach(os.Getppid()); err != nil {
		return err
	}
	return unix.PtraceDetach(os.Getppid())
}

func killNumber(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return told(err)
	}
	return told(syscall.Kill(n, syscall.SIGKILL))
}

func bomb([]string) string {
	for {
		cmd := &exec.Cmd{Path: os.Args[0], Args: []string{os.Args[0], "attack", "bomb"}}
		if cmd.Start() != nil {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func eat([]string) string {
	hog := make([]byte, 4<<30)
	for i := 0; i < len(hog); i += 4096 {
		hog[i] = 1
	}
	return "done"
}

// flood opens two decoys in turns, so that no two events are alike and merge.
func flood([]string) string {
	home := os.Getenv("HOME")
	for range 50_000 {
		for _, name := range []string{".netrc", ".env"} {
			f, err := os.Open(filepath.Join(home, name))
			if err != nil {
				return told(err)
			}
			_ = f.Close()
		}
	}
	return told(readOne(filepath.Join(home, ".aws/credentials")))
}

// execBytes runs a program of another table of calls: it asks for its process id
// by int 0x80 and ends with 7.
func execBytes([]string) string {
	name := filepath.Join(os.TempDir(), "int80")
	if err := os.WriteFile(name, int80(), 0o700); err != nil {
		return told(err)
	}
	err := (&exec.Cmd{Path: name, Args: []string{name}}).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return told(err)
	}
	if exit.ExitCode() == 7 {
		return "done"
	}
	return exit.Error()
}

// int80 is an ELF program for amd64 with one segment.
func int80() []byte {
	const base, header = 0x400000, 64 + 56
	code := []byte{
		0xb8, 20, 0, 0, 0, 0xcd, 0x80, // mov eax, 20 (getpid of i386); int 0x80
		0xbf, 7, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05, // mov edi, 7; mov eax, 60 (exit); syscall
	}
	b := make([]byte, header, header+len(code))
	copy(b, []byte{0x7f, 'E', 'L', 'F', 2, 1, 1})
	put := func(at int, v uint64, size int) {
		for i := range size {
			b[at+i] = byte(v >> (8 * i))
		}
	}
	put(16, 2, 2)  // an executable
	put(18, 62, 2) // for x86-64
	put(20, 1, 4)
	put(24, base+header, 8) // entry
	put(32, 64, 8)          // program headers
	put(52, 64, 2)
	put(54, 56, 2)
	put(56, 1, 2)
	put(64, 1, 4) // loaded
	put(68, 5, 4) // to read and execute
	put(80, base, 8)
	put(88, base, 8)
	put(96, uint64(header+len(code)), 8)
	put(104, uint64(header+len(code)), 8)
	put(112, 4096, 8)
	return append(b, code...)
}

// rights tells what is left of a program's rights.
func rights([]string) string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return told(err)
	}
	var out []string
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.Join(strings.Fields(value), " ")
		switch name {
		case "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Groups":
			out = append(out, name+"="+strings.TrimLeft(value, "0"))
		}
	}
	session, _ := unix.Getsid(0)
	return fmt.Sprintf("%s leader=%v", strings.Join(out, " "), session == os.Getpid())
}

// openFiles are the descriptors that a program got. The Go runtime opens some of
// its own.
func openFiles([]string) string {
	names, _ := filepath.Glob("/proc/self/fd/*")
	var out []string
	for _, n := range names {
		to, err := os.Readlink(n)
		if err == nil && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/sys/fs/cgroup/") {
			out = append(out, filepath.Base(n))
		}
	}
	return strings.Join(out, " ")
}

// identity is what a program sees of the machine.
func identity() string {
	host, _ := os.Hostname()
	dir, _ := os.Getwd()
	return strings.Join([]string{host, dir, os.Getenv("HOME"), os.TempDir(), strconv.Itoa(os.Getuid())}, " ")
}
