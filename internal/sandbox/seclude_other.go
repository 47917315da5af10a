//go:build !linux

package sandbox

// Seclude cannot close a process to others of its user on this system.
func Seclude() bool { return false }

// Verify has nothing to verify where no profile confines.
func Verify(Profile, []Guarded) string { return "this system has no sandbox profile" }
