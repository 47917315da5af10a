package sandbox

import (
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// confinement is what the stage before a program does to itself.
type confinement struct {
	Profile Profile
	Program string
	Argv    []string
	Env     []string
	Dir     string
	UID     int // to become; zero for none
	Paths   paths
	Tasks   uint64 // RLIMIT_NPROC; zero for none
}

// confine is the child role between the supervisor and a program: it takes its
// rights away on one thread and becomes the program on that thread. The order
// arrives on descriptor 3, on which goes back what went wrong, or, with one
// byte, the descriptor of the filter's notices.
func confine([]string) int {
	runtime.LockOSThread()
	if keepStandardFiles() != nil {
		return 1
	}
	link := os.NewFile(3, "link")
	var c confinement
	if json.NewDecoder(link).Decode(&c) != nil {
		return 1
	}
	failed := c.become(3)
	_ = json.NewEncoder(link).Encode(failed)
	return 1
}

// become returns only where it fails.
func (c confinement) become(link int) *StartError {
	rules := -1
	steps := []struct {
		what string
		do   func() error
	}{
		{"the working directory cannot be entered", func() error { return unix.Chdir(c.Dir) }},
		{"Landlock cannot be used", func() (err error) { rules, err = rulesFor(c.Paths, c.Profile == Full); return err }},
		{"limits cannot be set", c.limit},
		{"rights cannot be given up", c.dropRights},
		{"the user cannot be changed", c.changeUser},
		{"capabilities cannot be given up", noCapabilities},
		{"privileges of programs cannot be refused", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{"Landlock cannot be used", func() error { return landlockRestrict(rules) }},
		{"the filter of system calls cannot be used", func() error { return c.filter(link) }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return failure(s.what, err)
		}
	}
	err := syscall.Exec(c.Program, c.Argv, c.Env)
	if errors.Is(err, unix.EACCES) && c.UID != 0 {
		return &StartError{Detail: "the program may not be executed by the user that it would run as, or lies in a folder that is closed to others"}
	}
	return explain(err)
}

// failure adds the errno in its own words: it is a constant of the system.
func failure(what string, err error) *StartError {
	var errno unix.Errno
	if errors.As(err, &errno) {
		what += ": " + errno.Error()
	}
	return &StartError{Detail: what}
}

func (c confinement) limit() error {
	if c.Tasks == 0 {
		return nil
	}
	var now unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &now); err != nil {
		return err
	}
	tasks := min(c.Tasks, now.Max) // what we may not raise holds for it too
	return unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: tasks, Max: tasks})
}

const lastCapability = 63

// dropRights empties the ambient and the bounding set of this thread. Without
// the right to it the bounding set stays, and no_new_privs makes it worthless.
func (c confinement) dropRights() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil && err != unix.EINVAL {
		return err
	}
	for n := uintptr(0); n <= lastCapability; n++ {
		switch err := unix.Prctl(unix.PR_CAPBSET_DROP, n, 0, 0, 0); err {
		case nil:
		case unix.EINVAL: // beyond the last one
			return nil
		case unix.EPERM:
			if os.Geteuid() == 0 {
				return err
			}
			return nil
		default:
			return err
		}
	}
	return nil
}

// changeUser changes this thread alone, which is about to be all there is. The
// signal at our parent's end is lost with the old user.
func (c confinement) changeUser() error {
	if c.UID == 0 {
		return nil
	}
	id := uintptr(c.UID)
	for _, do := range []func() (uintptr, uintptr, syscall.Errno){
		func() (uintptr, uintptr, syscall.Errno) { return unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0) },
		func() (uintptr, uintptr, syscall.Errno) { return unix.RawSyscall(unix.SYS_SETRESGID, id, id, id) },
		func() (uintptr, uintptr, syscall.Errno) { return unix.RawSyscall(unix.SYS_SETRESUID, id, id, id) },
	} {
		if _, _, errno := do(); errno != 0 {
			return errno
		}
	}
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

func noCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}

// filter puts the filter on this thread, and hands the descriptor of its notices
// over from another one: this one would wait for an answer to its own call.
func (c confinement) filter(link int) error {
	program := filterFor(c.Profile)
	if c.Profile != Restricted {
		_, err := installFilter(program, false)
		return err
	}
	listener, handed := make(chan int), make(chan error)
	go func() { handed <- handOver(link, <-listener) }()
	fd, err := installFilter(program, true)
	listener <- fd
	return errors.Join(err, <-handed)
}

// handOver sends the descriptor and waits for a word that it has arrived.
func handOver(link, fd int) error {
	if fd < 0 {
		return nil
	}
	if err := unix.Sendmsg(link, []byte{'n'}, unix.UnixRights(fd), nil, 0); err != nil {
		return err
	}
	for word := make([]byte, 1); word[0] != arrived; { // the order may have ended with a line's end
		if n, err := unix.Read(link, word); err != nil || n != 1 {
			return unix.EPIPE
		}
	}
	return nil
}

// arrived is the word for a descriptor that has arrived.
const arrived = 'k'
