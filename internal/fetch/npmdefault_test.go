package fetch

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// TestSettle: who configures no registry gets npm's own, by npm's word; without
// npm that is told, with the way on.
func TestSettle(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	r := NewResolver(Config{}, ResolverOptions{PATH: os.Getenv("PATH"), Temp: t.TempDir()})
	if err := r.settle(t.Context()); err != nil || r.config.registry.Scheme != "https" || r.config.registry.Host == "" {
		t.Fatalf("%v, %v", r.config.registry, err)
	}
	if !r.config.own()[withPort(r.config.registry)] {
		t.Error("npm's own registry may not be reached")
	}
	var missing *ResolveError
	if err := NewResolver(Config{}, ResolverOptions{PATH: t.TempDir()}).settle(t.Context()); !errors.As(err, &missing) || missing.Reason != MissingProgram {
		t.Errorf("without npm: %v", err)
	}
}
