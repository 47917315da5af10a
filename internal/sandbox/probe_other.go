//go:build !linux

package sandbox

// Profiles are those that confine on this kind of system, strongest first.
func Profiles() []Profile { return nil }

func try(Profile) string { return "this system has no profile" }
