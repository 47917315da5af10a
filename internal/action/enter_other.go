//go:build !unix

package action

import (
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

type handover struct {
	Runner
	Bearer   string
	Warnings []string
	Sandbox  sandbox.Profile
}

// Enter is refused on this system.
func Enter(Runner, []string, sandbox.Profile) error { return ErrSystem }

func received([]string) (handover, error) { return handover{}, ErrSystem }
