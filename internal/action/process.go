package action

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// The roles of this program: see the package.
const (
	ConductRole = "action"
	ScanRole    = "action-scan"
	PostRole    = "action-post"
)

// ErrSystem is why nothing is judged on a system without execve.
var ErrSystem = errors.New("on this system a process cannot leave its environment behind, so nothing is judged here; run the action on Linux")

// itself is this program, by a name that also works for a user who may not get to
// where it lies.
func itself() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", errors.New("this program is not found")
	}
	return self, nil
}

// role prepares a process in a role. Its order comes on descriptor 3 and files,
// which may be nil, from descriptor 4 on.
func role(name string, environ []string, order any, files ...*os.File) (*exec.Cmd, func() error, error) {
	self, err := itself()
	if err != nil {
		return nil, nil, err
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.New("no pipe can be made")
	}
	cmd := &exec.Cmd{Path: self, Args: []string{os.Args[0], sandbox.Word, name}, Env: environ, Dir: "/", ExtraFiles: append([]*os.File{in}, files...)}
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	start := func() error {
		err := cmd.Start()
		_ = in.Close()
		if err == nil {
			err = json.NewEncoder(out).Encode(order)
		}
		_ = out.Close()
		if err != nil {
			return errors.New("a process of the action could not be started")
		}
		return nil
	}
	return cmd, start, nil
}

// lastGiven is the highest descriptor that a role is given: see [role].
const lastGiven = 7

// Ordered reads the order of this process. What this process was given stays with
// it: a program that it starts could else write a report in its place.
func Ordered(order any) error {
	closeOnStart(3, lastGiven)
	f := os.NewFile(3, "order")
	defer func() { _ = f.Close() }()
	if json.NewDecoder(f).Decode(order) != nil {
		return errors.New("the order is not understood")
	}
	return nil
}
