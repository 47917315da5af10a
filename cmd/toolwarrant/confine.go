package main

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// defaultSandbox is the profile where no flag names one.
var defaultSandbox = sandbox.Auto

// confinement answers which profile confines servers, when the first is about to
// be started: trying starts something too.
func confinement(wanted sandbox.Profile) func() (sandbox.Profile, string) {
	return func() (sandbox.Profile, string) {
		switch wanted {
		case sandbox.None:
			return sandbox.None, ""
		case sandbox.Auto:
			return strongest()
		}
		if reason := sandbox.Try(wanted); reason != "" {
			return "", "the sandbox profile " + string(wanted) + " does not work here: " + reason
		}
		return wanted, ""
	}
}

// strongest is the first profile that works here, or the reasons why none does.
func strongest() (sandbox.Profile, string) {
	p, trials := sandbox.Probe()
	if p != "" {
		return p, ""
	}
	if len(trials) == 0 {
		return "", "this system has no sandbox profile"
	}
	var reasons []string
	for _, t := range trials {
		reasons = append(reasons, string(t.Profile)+": "+t.Reason)
	}
	return "", "no sandbox profile works here (" + strings.Join(reasons, "; ") + ")"
}
