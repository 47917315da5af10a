package fetch

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMain is also the supervisor that the tests start programs under, and under the
// name of a resolver a hostile one.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		syscall.Exit(code) // os.Exit waits a second under the race detector
	}
	if slices.Contains(hostileNames, filepath.Base(os.Args[0])) {
		syscall.Exit(hostile())
	}
	os.Exit(m.Run())
}
