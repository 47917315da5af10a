package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakemcp"
	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// TestMain is also the programs that the tests start. They leave by
// syscall.Exit, because os.Exit waits a second under the race detector.
func TestMain(m *testing.M) {
	if code, ok := sandbox.Child(os.Args); ok {
		syscall.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == "fakemcp" {
		syscall.Exit(fakemcp.Main(os.Args[2:]))
	}
	if len(os.Args) > 2 && os.Args[1] == "sdk" {
		syscall.Exit(sdkServer(os.Args[2]))
	}
	os.Exit(m.Run())
}

// patient are limits that nothing reaches by being slow.
var patient = Limits{Probe: time.Minute, Initialize: time.Minute, Page: time.Minute, Server: 5 * time.Minute, Grace: time.Minute}

func self(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// fake is one behaviour with its files.
type fake struct{ behaviour, log, sentinel string }

func newFake(t *testing.T, behaviour string) fake {
	dir := t.TempDir()
	return fake{behaviour, filepath.Join(dir, "log"), filepath.Join(dir, "sentinel")}
}

func (f fake) order(t *testing.T, l Limits) Order {
	return Order{
		Argv:   []string{self(t), "fakemcp", "-behaviour", f.behaviour, "-log", f.log, "-sentinel", f.sentinel},
		Env:    []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8"},
		Limits: l, Target: f.behaviour,
	}
}

// logged returns what follows a word in the fake's log, line by line.
func (f fake) logged(word string) (out []string) {
	text, _ := os.ReadFile(f.log)
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}
