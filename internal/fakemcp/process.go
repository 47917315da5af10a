package fakemcp

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// aside is the first argument of a child of a fake; the second says what it does.
const aside = "-aside"

// besides is the work of a child: it stays, or it starts one that stays in a
// session of its own, prints its id and goes.
func besides(what string) int {
	if what == "leave" {
		cmd := again(os.Args[:len(os.Args)-2], "stay")
		cmd.SysProcAttr = ownSession()
		if cmd.Start() == nil {
			fmt.Println(cmd.Process.Pid)
		}
		return 0
	}
	time.Sleep(time.Hour)
	return 0
}

func again(prefix []string, what string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &exec.Cmd{Path: exe, Args: append(append([]string{}, prefix...), aside, what)}
}

// fork starts a child that stays.
func (s *server) fork() {
	cmd := again(s.prefix, "stay")
	if cmd.Start() == nil {
		s.note(fmt.Sprintf("pid %d", cmd.Process.Pid))
	}
}

// forkSession starts one in a session of its own, where a kill of our process
// group does not reach it.
func (s *server) forkSession() {
	cmd := again(s.prefix, "stay")
	cmd.SysProcAttr = ownSession()
	if cmd.Start() == nil {
		s.note(fmt.Sprintf("pid %d", cmd.Process.Pid))
	}
}

// daemonize starts one whose parent, in a session of its own, is gone.
func (s *server) daemonize() {
	cmd := again(s.prefix, "leave")
	cmd.SysProcAttr = ownSession()
	out, _ := cmd.Output()
	s.note("pid " + strings.TrimSpace(string(out)))
}

func (s *server) sleep() {
	_ = s.out.Flush()
	time.Sleep(time.Hour)
}
