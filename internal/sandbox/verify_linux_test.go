package sandbox

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestVerify: under the profiles a program reaches neither files nor sockets nor
// other processes, and one without a profile is caught reaching them.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	file, socket := filepath.Join(dir, "token"), filepath.Join(dir, "socket")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	guarded := []Guarded{{"a token", file}, {"a socket", socket}, {"a folder", dir}}
	for _, p := range Profiles() {
		if reason := Try(p); reason != "" {
			t.Logf("%s: %s", p, reason)
			continue
		}
		if p == Restricted && os.Geteuid() != 0 {
			continue // of the same user it reads the environment of others, which is what Verify is for
		}
		if why := Verify(p, guarded); why != "" {
			t.Errorf("%s: %s", p, why)
		}
	}
	for _, g := range append(guarded, Guarded{"nothing", "/proc/self/nothing"}) {
		if why := Verify(None, []Guarded{g}); why == "" {
			t.Errorf("without a profile %s is not reached", g.What)
		}
	}
}
