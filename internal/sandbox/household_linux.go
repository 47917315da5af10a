package sandbox

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// household knows the supervisors that run, so that the orphans of a dead one
// can be told from the others' children.
var household = family{live: map[int]bool{}}

type family struct {
	mu   sync.RWMutex // read: a supervisor is being started; write: orphans are being killed
	list sync.Mutex
	live map[int]bool
}

// becomeReaper makes orphans fall to us where their supervisor is gone too.
var becomeReaper = sync.OnceValue(func() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return &StartError{Detail: "this process cannot become a child subreaper"}
	}
	return nil
})

// starter runs functions on one thread that lives as long as the process: the
// parent-death signal fires when the thread that forked ends, not the process
// (prctl(2), PR_SET_PDEATHSIG).
var starter = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// enter starts a supervisor.
func (f *family) enter(cmd *exec.Cmd) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	failed := make(chan error)
	starter() <- func() { failed <- cmd.Start() }
	if err := <-failed; err != nil {
		return err
	}
	f.list.Lock()
	defer f.list.Unlock()
	f.live[cmd.Process.Pid] = true
	return nil
}

// leave reaps a supervisor that has ended or is about to.
func (f *family) leave(cmd *exec.Cmd) {
	_ = cmd.Wait()
	f.list.Lock()
	defer f.list.Unlock()
	delete(f.live, cmd.Process.Pid)
}

// adopt kills and reaps the orphans of a dead supervisor: descendants of ours
// in another session than ours that no live supervisor watches. A process can
// leave its session but never join one, so none of them hides in ours.
func (f *family) adopt() (killed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := map[int]bool{}
	for until := time.Now().Add(sweepTime); time.Now().Before(until); time.Sleep(sweepPause) {
		orphans := f.orphans()
		if len(orphans) == 0 {
			break
		}
		for _, p := range orphans {
			if p.state != 'Z' {
				seen[p.pid] = true
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
			if p.parent == os.Getpid() {
				_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
			}
		}
	}
	return len(seen)
}

func (f *family) orphans() []process {
	session, _ := unix.Getsid(0)
	f.list.Lock()
	defer f.list.Unlock()
	var out []process
	for _, p := range descendants(os.Getpid(), f.live) {
		if p.session != session {
			out = append(out, p)
		}
	}
	return out
}
