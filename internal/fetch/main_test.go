package fetch

import (
	"os"
	"syscall"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMain is also the supervisor that the tests start programs under.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		syscall.Exit(code) // os.Exit waits a second under the race detector
	}
	os.Exit(m.Run())
}
