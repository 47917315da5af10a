package sandbox

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// inNamespaces makes a supervisor the first process of namespaces of its own.
// As root it keeps its user there and has the program's beside it; otherwise
// both are one user, and the supervisor has what it needs as ambient
// capabilities, which the program does not get.
func (t task) inNamespaces(attr *syscall.SysProcAttr) {
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if os.Geteuid() == 0 {
		ids := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}, {ContainerID: insideUID, HostID: t.UID, Size: 1}}
		attr.UidMappings, attr.GidMappings, attr.GidMappingsEnableSetgroups = ids, ids, true
		attr.Credential = &syscall.Credential{}
		return
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: os.Getegid(), Size: 1}}
	attr.Credential = &syscall.Credential{Uid: insideUID, Gid: insideUID, NoSetGroups: true}
	attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_RAW, unix.CAP_NET_BIND_SERVICE, unix.CAP_SETPCAP}
}

// outlook is everything that watches one program.
type outlook struct {
	profile Profile
	route   netip.AddrPort
	sentry  *sentry
	trap    *trap
	room    *room
	watcher *watcher
}

// openOutlook makes the place for a program, and opens the eyes on it.
func openOutlook(t task) (o outlook, failed *StartError) {
	o.profile, o.route = t.Profile, t.Route
	if t.Profile == None {
		return o, nil
	}
	// Our memory, environment and descriptors are nobody's business.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	unix.Umask(0o022)
	var err error
	if err = t.settle(); err != nil {
		return o, failure("home and temp cannot be made", err)
	}
	if o.sentry, err = watchDecoys(filepath.Join(t.Outside, "home")); err != nil {
		return o, failure("decoys cannot be watched", err)
	}
	if t.Profile != Full {
		return o, nil
	}
	if err := unix.Sethostname([]byte(hostName)); err != nil {
		return o, failure("the host name cannot be set", err)
	}
	if o.room, err = enterRoom(t); err != nil {
		return o, &StartError{Detail: err.Error()}
	}
	if o.trap, err = openTrap(); err != nil {
		return o, failure("the network cannot be set up", err)
	}
	return o, nil
}

// settle lays the decoys and gives the slot's folders to the program's user.
func (t task) settle() error {
	home := filepath.Join(t.Outside, "home")
	made, err := layDecoys(home)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	owner := t.UID
	if t.Profile == Full {
		owner = insideUID
	}
	if err := os.Chmod(t.Outside, 0o711); err != nil {
		return err
	}
	for _, sub := range slotFolders {
		if err := os.Lchown(filepath.Join(t.Outside, sub), owner, owner); err != nil {
			return err
		}
	}
	for _, name := range made {
		if err := os.Lchown(filepath.Join(home, name), owner, owner); err != nil {
			return err
		}
	}
	return nil
}

// close closes the eyes when nobody is left, and tells what they saw.
func (o *outlook) close() Observed {
	seen := Observed{Profile: o.profile}
	partly := func(list string, complete bool) {
		if !complete {
			seen.Partly = append(seen.Partly, list)
		}
	}
	var whole bool
	if o.sentry != nil {
		seen.Decoys, whole = o.sentry.end()
		partly("decoys", whole)
	}
	switch {
	case o.trap != nil:
		seen.Hosts, whole = o.trap.end()
		partly("hosts", whole)
	case o.watcher != nil:
		seen.Hosts, whole = o.watcher.end()
		partly("hosts", whole)
	}
	if o.room != nil {
		seen.Wrote, whole = o.room.written()
		partly("wrote", whole)
	}
	return seen
}

// unwatched names everything that a profile watches.
func unwatched(p Profile) []string {
	switch p {
	case Full:
		return []string{"decoys", "hosts", "wrote"}
	case Restricted:
		return []string{"decoys", "hosts"}
	}
	return nil
}

// tasksPerProcess is how many threads a process may have on the average: the
// limit of the kernel counts threads, ours counts processes.
const tasksPerProcess = 16

// tasksOf counts the threads of a user.
func tasksOf(user int) (n int) {
	for _, p := range processes() {
		var s unix.Stat_t
		if unix.Stat(fmt.Sprintf("/proc/%d", p.pid), &s) == nil && int(s.Uid) == user {
			n += p.threads
		}
	}
	return n
}

// startConfined starts the stage that confines itself and becomes the program.
func startConfined(t task, program string, o *outlook) (pid int, failed *StartError) {
	c := confinement{Profile: t.Profile, Program: program, Argv: t.Argv, Env: t.Env, Dir: t.Dir, Paths: t.reachable()}
	c.Tasks = uint64(t.Limits.Processes * tasksPerProcess)
	switch {
	case os.Geteuid() == 0:
		c.UID = t.UID
	case t.Profile == Restricted: // the user is ours, with all that it runs already
		c.Tasks += uint64(tasksOf(os.Getuid()))
	}
	if t.Profile == Full && c.UID != 0 {
		c.UID = insideUID
	}
	link, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, failure("no socket could be made", err)
	}
	defer func() { _ = unix.Close(link[0]) }()
	pid, err = syscall.ForkExec("/proc/self/exe", []string{os.Args[0], Word, "confine"}, &syscall.ProcAttr{
		Dir: "/", Env: []string{}, Files: []uintptr{0, 1, 2, uintptr(link[1])},
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	_ = unix.Close(link[1])
	if err != nil {
		return 0, failure("this program cannot be started again", err)
	}
	if failed := c.follow(link[0], o); failed != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return 0, failed
	}
	return pid, nil
}

// follow sends the order and listens until the stage has become the program.
func (c confinement) follow(link int, o *outlook) *StartError {
	order, err := json.Marshal(c)
	if err != nil {
		return &StartError{Detail: "the order cannot be written"}
	}
	for len(order) > 0 {
		n, err := unix.Write(link, order)
		if err != nil {
			return failure("the order cannot be given", err)
		}
		order = order[n:]
	}
	var words []byte
	for {
		b, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4))
		n, size, _, _, err := unix.Recvmsg(link, b, rights, unix.MSG_CMSG_CLOEXEC)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return failure("the stage is not heard", err)
		case size > 0:
			if failed := o.take(link, rights[:size], c.UID); failed != nil {
				return failed
			}
		case n == 0:
			return c.outcome(words)
		default:
			words = append(words, b[:n]...)
		}
	}
}

// take starts the watcher on the descriptor that has arrived.
func (o *outlook) take(link int, rights []byte, user int) *StartError {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return &StartError{Detail: "the filter's descriptor did not arrive"}
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return &StartError{Detail: "the filter's descriptor did not arrive"}
	}
	if o.watcher, err = watchCalls(fds[0], user, o.route); err != nil {
		return failure("system calls cannot be watched", err)
	}
	if _, err := unix.Write(link, []byte{arrived}); err != nil {
		return failure("the stage cannot be told", err)
	}
	return nil
}

// outcome reads the last words of a stage: none where it became the program.
func (c confinement) outcome(words []byte) *StartError {
	if len(words) == 0 {
		return nil
	}
	failed := &StartError{}
	if json.Unmarshal(words, failed) != nil {
		return &StartError{Detail: "the stage ended without a reason"}
	}
	return failed
}
