//go:build !linux

package sandbox

import (
	"os"
	"os/exec"
)

// start starts the program directly: this system offers no subreaper.
func start(o Order) (*Process, error) {
	program, failed := lookUp(o.Argv[0], o.Dir, o.Env)
	if failed != nil {
		return nil, failed
	}
	if o.UID != 0 && !changesUser {
		return nil, &StartError{Detail: "this system cannot start a program as another user"}
	}
	streams, err := openPipes()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: program, Args: o.Argv, Env: o.Env, Dir: o.Dir,
		Stdin: streams.theirs[0], Stdout: streams.theirs[1], Stderr: streams.theirs[2],
		SysProcAttr: attributes(o.UID),
	}
	err = cmd.Start()
	streams.closeTheirs()
	if err != nil {
		streams.close()
		return nil, explain(err)
	}
	p := &Process{Stdin: streams.ours[0], Stdout: streams.ours[1], Stderr: streams.ours[2],
		gone: make(chan struct{}), done: make(chan struct{}), seen: Observed{Profile: None}, exit: Exit{Code: -1}}
	p.order = func(w word) { signalGroup(cmd.Process, w) }
	go p.follow(cmd)
	return p, nil
}

func (p *Process) follow(cmd *exec.Cmd) {
	_ = cmd.Wait()
	p.change(func(e *Exit) {
		e.Code, e.Signal = statusOf(cmd.ProcessState)
		e.Early = !p.ending.Load()
	})
	close(p.gone)
	signalGroup(cmd.Process, sweep)
	close(p.done)
}

func statusOf(s *os.ProcessState) (code int, signal string) {
	if s.Exited() {
		return s.ExitCode(), ""
	}
	return -1, s.String()
}
