package sandbox

import (
	"encoding/json"
	"math"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	sweepTime  = 10 * time.Second       // how long killing is tried
	sweepPause = 2 * time.Millisecond   // between two looks
	linger     = 500 * time.Millisecond // for descendants that end by themselves once the server is gone
	sampleTime = 250 * time.Millisecond // between two looks at memory and processes
)

// supervise is the child role: it reads a task and then words from descriptor
// 3, starts the server on descriptors 0 to 2, and reports on descriptor 4.
// Under the full profile it is the first process of namespaces of its own.
func supervise([]string) int {
	// The server gets a parent-death signal from this thread, which is the main
	// goroutine's for as long as the process lives.
	runtime.LockOSThread()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil || keepStandardFiles() != nil {
		return 1
	}
	orders := json.NewDecoder(os.NewFile(3, "orders"))
	s := supervisor{reports: json.NewEncoder(os.NewFile(4, "reports")), gone: make(chan struct{}), none: make(chan struct{})}
	var t task
	if orders.Decode(&t) != nil {
		return 1
	}
	o, failed := openOutlook(t)
	if failed == nil {
		s.server, failed = startServer(t, &o)
	}
	if failed != nil {
		s.tell(report{Failed: failed})
		return 0
	}
	s.tell(report{Started: true})
	s.user = t.UID
	go s.reap()
	s.serve(listen(orders), stop, s.watch(t.Limits))
	s.lastSample(t.Limits)
	survivors, left := s.sweep()
	s.tell(report{Ended: &ended{survivors, left, o.close()}})
	return 0
}

// keepStandardFiles makes every descriptor but 0 to 2 close on exec, those that
// our parent inherited from its own parent too.
func keepStandardFiles() error {
	err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	limit := syscall.Rlimit{} // a kernel before 5.11
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	for fd := 3; fd < int(min(limit.Cur, 1<<16)); fd++ {
		syscall.CloseOnExec(fd)
	}
	return nil
}

// startServer starts the program on our standard streams, in a session of its
// own, and then lets go of the streams, so that their end is the server's end.
func startServer(t task, o *outlook) (pid int, failed *StartError) {
	program, failed := lookUp(t.Argv[0], t.Dir, t.Env)
	if failed != nil {
		return 0, failed
	}
	limit := uint64(t.Limits.Files)
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit})
	_ = syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{})
	if t.Profile == None {
		pid, failed = startPlain(t, program)
	} else {
		pid, failed = startConfined(t, program, o)
	}
	if failed != nil {
		return 0, failed
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	for fd := 0; fd <= 2 && err == nil; fd++ {
		err = unix.Dup3(int(null.Fd()), fd, 0)
	}
	if err != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return 0, &StartError{Detail: "the supervisor could not let go of the server's streams"}
	}
	return pid, nil
}

func startPlain(t task, program string) (int, *StartError) {
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL, Credential: credential(t.UID)}
	pid, err := syscall.ForkExec(program, t.Argv, &syscall.ProcAttr{Dir: t.Dir, Env: t.Env, Files: []uintptr{0, 1, 2}, Sys: attr})
	if err != nil {
		return 0, explain(err)
	}
	return pid, nil
}

// listen turns the words that follow the order into a channel, which is closed
// when our parent is gone.
func listen(orders *json.Decoder) <-chan word {
	words := make(chan word)
	go func() {
		defer close(words)
		for {
			var w word
			if orders.Decode(&w) != nil {
				return
			}
			words <- w
		}
	}()
	return words
}

// supervisor watches one server and all its descendants.
type supervisor struct {
	server  int
	user    int // of the server, where it has one of its own
	mu      sync.Mutex
	reports *json.Encoder
	gone    chan struct{} // closed when the server was reaped
	none    chan struct{} // closed when nobody is left
}

// tell writes a report; a parent that is gone does not read it.
func (s *supervisor) tell(r report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.reports.Encode(r)
}

// reap collects the server and every orphan that falls to us.
func (s *supervisor) reap() {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD: nobody is left, and nobody can come
			close(s.none)
			return
		case pid == s.server:
			s.tell(report{Exited: statusOf(ws)})
			close(s.gone)
		}
	}
}

func statusOf(ws syscall.WaitStatus) *status {
	if ws.Signaled() {
		return &status{-1, unix.SignalName(ws.Signal())}
	}
	return &status{Code: ws.ExitStatus()}
}

// serve returns when everything is to be ended.
func (s *supervisor) serve(words <-chan word, stop <-chan os.Signal, over <-chan string) {
	for {
		select {
		case w, ok := <-words:
			if !ok || w != term {
				return
			}
			s.signal(syscall.SIGTERM)
		case limit := <-over:
			s.tell(report{Limit: limit})
			return
		case <-stop:
			return
		}
	}
}

// signal reaches the server's group while the server holds its process id.
func (s *supervisor) signal(sig syscall.Signal) {
	select {
	case <-s.gone:
	default:
		_ = syscall.Kill(-s.server, sig)
	}
}

// sweep kills the server's group, then every descendant, until nobody is left.
// Who was in the group when the server was killed ended with it; all others
// that are alive after a moment are survivors.
func (s *supervisor) sweep() (survivors, left int) {
	with := s.killGroup()
	within(s.none, linger)
	seen := map[int]bool{}
	for until := time.Now().Add(sweepTime); time.Now().Before(until); {
		if within(s.none, sweepPause) {
			return len(seen), 0
		}
		for _, p := range descendants(os.Getpid(), nil) {
			if p.state == 'Z' {
				continue
			}
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
			if !with[p.pid] {
				seen[p.pid] = true
			}
		}
		s.killUser()
	}
	return len(seen), len(descendants(os.Getpid(), nil))
}

// killUser kills at one blow whatever runs as the server's user, or in our
// namespace: who forks faster than we read the process table does not get away.
func (s *supervisor) killUser() {
	switch {
	case os.Getpid() == 1:
		_ = syscall.Kill(-1, syscall.SIGKILL)
	case s.user != 0 && os.Geteuid() == 0:
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			runtime.LockOSThread() // and never unlocked: the thread ends with its user
			if becomeUser(s.user) {
				_, _, _ = unix.RawSyscall(unix.SYS_KILL, ^uintptr(0), uintptr(syscall.SIGKILL), 0)
			}
		}()
		<-killed
	}
}

// killGroup kills a server that still runs, and returns who goes with it.
func (s *supervisor) killGroup() map[int]bool {
	with := map[int]bool{s.server: true}
	select {
	case <-s.gone:
		return with
	default:
	}
	for _, p := range descendants(os.Getpid(), nil) {
		if p.group == s.server {
			with[p.pid] = true
		}
	}
	s.signal(syscall.SIGKILL)
	within(s.gone, linger)
	return with
}

// lastSample looks once more at what did not live to the next sample. Where
// everybody is gone by themselves there is nothing to look at, and walking the
// process table is the dearest part of an honest server's end.
func (s *supervisor) lastSample(l Limits) {
	select {
	case <-s.none:
		return
	default:
	}
	if limit := exceeded(l, descendants(os.Getpid(), nil)); limit != "" {
		s.tell(report{Limit: limit})
	}
}

// watch samples memory and processes of the tree and names the limit that was
// exceeded. RLIMIT_AS cannot do this: node does not start under it.
func (s *supervisor) watch(l Limits) <-chan string {
	over := make(chan string, 1)
	go func() {
		for !within(s.none, sampleTime) {
			if name := exceeded(l, descendants(os.Getpid(), nil)); name != "" {
				over <- name
				return
			}
		}
	}()
	return over
}

func exceeded(l Limits, tree []process) string {
	var resident int64
	for _, p := range tree {
		resident += p.resident
	}
	switch {
	case resident > l.Memory:
		return "memory"
	case len(tree) > l.Processes:
		return "processes"
	}
	return ""
}
