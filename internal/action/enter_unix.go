//go:build unix

package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// handover is what the entry tells the conductor. It goes through a pipe, whose
// room it must not exceed: nobody reads while it is written.
type handover struct {
	Runner
	Bearer   string // the token
	Warnings []string
	Sandbox  sandbox.Profile // unless an input names one
}

const pipeRoom = 60 << 10

// Enter becomes the conductor: this program again, in another role, with an
// environment built from empty. To unset variables would leave them where
// /proc/PID/environ shows them. It returns only where it fails.
func Enter(r Runner, warnings []string, profile sandbox.Profile) error {
	text, err := json.Marshal(handover{r, r.Token.Reveal(), warnings, profile})
	if err != nil || len(text) > pipeRoom {
		return errors.New("the runner's environment is larger than what is taken")
	}
	in, out, err := os.Pipe()
	if err != nil {
		return errors.New("no pipe can be made")
	}
	if _, err := out.Write(text); err != nil {
		return errors.New("the pipe cannot be written")
	}
	_ = out.Close()
	fd, err := syscall.Dup(int(in.Fd())) // this one lives through the execve
	if err != nil {
		return errors.New("the pipe cannot be handed over")
	}
	self, err := itself()
	if err != nil {
		return err
	}
	err = syscall.Exec(self, []string{os.Args[0], sandbox.Word, ConductRole, strconv.Itoa(fd)}, r.Environ)
	return fmt.Errorf("this program cannot start itself anew: %w", err)
}

// received reads what the entry left.
func received(args []string) (h handover, err error) {
	if len(args) != 1 {
		return h, errors.New("no pipe is named")
	}
	fd, err := strconv.Atoi(args[0])
	if err != nil {
		return h, errors.New("no pipe is named")
	}
	f := os.NewFile(uintptr(fd), "handover")
	defer func() { _ = f.Close() }()
	if json.NewDecoder(f).Decode(&h) != nil {
		return h, errors.New("the entry left nothing that is understood")
	}
	return h, nil
}
