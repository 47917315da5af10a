package fetch

import (
	"os"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMain is also the supervisor that the tests start programs under.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
