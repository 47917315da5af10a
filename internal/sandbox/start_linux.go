package sandbox

import (
	"encoding/json"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// report is what a supervisor tells, one JSON value each, on descriptor 4.
type report struct {
	Started bool        `json:",omitempty"`
	Failed  *StartError `json:",omitempty"`
	Limit   string      `json:",omitempty"`
	Exited  *status     `json:",omitempty"`
	Ended   *ended      `json:",omitempty"`
}

type status struct {
	Code   int
	Signal string
}

type ended struct {
	Survivors, Left int
	Seen            Observed
}

// patience is how long a supervisor may take to end what it watches before it
// is killed itself and we do its work.
const patience = 2 * sweepTime

func start(o Order) (*Process, error) {
	t, failed := newTask(o)
	if failed != nil {
		return nil, failed
	}
	if err := becomeReaper(); err != nil {
		return nil, err
	}
	streams, err := openPipes()
	if err != nil {
		return nil, err
	}
	s, err := startSupervisor(streams, t)
	streams.closeTheirs()
	if err != nil {
		streams.close()
		return nil, err
	}
	p := &Process{Stdin: streams.ours[0], Stdout: streams.ours[1], Stderr: streams.ours[2],
		gone: make(chan struct{}), done: make(chan struct{}), order: s.tell, seen: Observed{Profile: t.Profile}, exit: Exit{Code: -1, Counted: true}}
	s.send(t)
	if err := s.started(); err != nil {
		streams.close()
		s.wait()
		return nil, err
	}
	go s.follow(p)
	return p, nil
}

// supervisor is our side of one.
type supervisorLink struct {
	cmd     *exec.Cmd
	orders  *os.File
	reports *os.File
	decoder *json.Decoder
	mu      sync.Mutex // one order at a time
	kill    *time.Timer
}

func startSupervisor(streams pipes, t task) (*supervisorLink, error) {
	orderR, orderW, err1 := os.Pipe()
	reportR, reportW, err2 := os.Pipe()
	if err1 != nil || err2 != nil {
		return nil, &StartError{Detail: "no pipe could be made"}
	}
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{os.Args[0], Word, "supervise"},
		Env: []string{}, Dir: "/",
		Stdin: streams.theirs[0], Stdout: streams.theirs[1], Stderr: streams.theirs[2],
		ExtraFiles: []*os.File{orderR, reportW},
		// A session of its own tells what it starts from all other children of
		// ours (see adopt), and keeps a terminal's ^C for us.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM},
	}
	if t.Profile == Full {
		t.inNamespaces(cmd.SysProcAttr)
	}
	err := household.enter(cmd)
	_ = orderR.Close()
	_ = reportW.Close()
	if err != nil {
		_ = orderW.Close()
		_ = reportR.Close()
		return nil, failure("the supervisor could not be started", err)
	}
	return &supervisorLink{cmd: cmd, orders: orderW, reports: reportR, decoder: json.NewDecoder(reportR)}, nil
}

// send writes one JSON value. A supervisor that is gone is noticed elsewhere.
func (s *supervisorLink) send(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = json.NewEncoder(s.orders).Encode(v)
}

func (s *supervisorLink) tell(w word) {
	s.send(w)
	if w != sweep {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kill == nil {
		s.kill = time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	}
}

// started waits for the first report.
func (s *supervisorLink) started() error {
	var r report
	if err := s.decoder.Decode(&r); err != nil {
		return &StartError{Detail: "the supervisor ended before it started anything; does main dispatch child roles?"}
	}
	if r.Failed != nil {
		return r.Failed
	}
	return nil
}

// follow reads the reports to the last, then makes sure that nothing is left.
func (s *supervisorLink) follow(p *Process) {
	finished := false
	for !finished {
		var r report
		if s.decoder.Decode(&r) != nil {
			break
		}
		p.change(func(e *Exit) { r.note(e, !p.ending.Load()) })
		if r.Ended != nil {
			p.seen = r.Ended.Seen
		}
		if r.Exited != nil {
			close(p.gone)
		}
		finished = r.Ended != nil
	}
	if !finished {
		s.wait()
		killed := household.adopt()
		p.change(func(e *Exit) { e.Lost, e.Survivors = true, killed })
		p.seen.Partly = unwatched(p.seen.Profile)
	}
	select {
	case <-p.gone:
	default:
		close(p.gone)
	}
	close(p.done)
	if finished {
		s.wait() // it has nothing to tell any more, and closes what it watched with
	}
}

func (r report) note(e *Exit, early bool) {
	switch {
	case r.Limit != "":
		e.Limit = r.Limit
	case r.Exited != nil:
		e.Code, e.Signal, e.Early = r.Exited.Code, r.Exited.Signal, early
	case r.Ended != nil:
		e.Survivors, e.Left = r.Ended.Survivors, r.Ended.Left
	}
}

// wait reaps the supervisor and closes the pipes to it.
func (s *supervisorLink) wait() {
	s.mu.Lock()
	if s.kill != nil {
		s.kill.Stop()
	}
	_ = s.orders.Close()
	s.mu.Unlock()
	household.leave(s.cmd)
	_ = s.reports.Close()
}
