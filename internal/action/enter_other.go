//go:build !unix

package action

import (
	"errors"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

type handover struct {
	Runner
	Bearer   string
	Warnings []string
	Sandbox  sandbox.Profile
}

var errSystem = errors.New("on this system a process cannot leave its environment behind, so nothing is judged here; run the action on Linux")

// Enter is refused on this system.
func Enter(Runner, []string, sandbox.Profile) error { return errSystem }

func received([]string) (handover, error) { return handover{}, errSystem }
