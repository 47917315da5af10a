package main

import (
	"strings"
	"sync"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// defaultSandbox is the profile where no flag names one.
var defaultSandbox = sandbox.Auto

// confinement answers which profile confines servers, when the first is about to
// be started: trying starts something too. Under auto a step down is told once.
func (a *app) confinement(wanted sandbox.Profile) func() (sandbox.Profile, string) {
	var once sync.Once
	return func() (sandbox.Profile, string) {
		switch wanted {
		case sandbox.None:
			return sandbox.None, ""
		case sandbox.Auto:
			probe := a.probe
			if probe == nil {
				probe = sandbox.Probe
			}
			p, trials := probe()
			why, told := strongest(p, trials)
			if told != "" {
				once.Do(func() { a.note(told) })
			}
			return p, why
		}
		if reason := sandbox.Try(wanted); reason != "" {
			return "", "the sandbox profile " + string(wanted) + " does not work here: " + reason
		}
		return wanted, ""
	}
}

// strongest says why no profile works here, or what is to be told of one that is
// not the strongest there is.
func strongest(p sandbox.Profile, trials []sandbox.Trial) (why, told string) {
	var reasons []string
	for _, t := range trials {
		if t.Reason != "" {
			reasons = append(reasons, string(t.Profile)+": "+t.Reason)
		}
	}
	steps := strings.Join(reasons, "; ")
	switch {
	case p == "" && steps == "":
		return "this system has no sandbox profile", ""
	case p == "":
		return "no sandbox profile works here (" + steps + ")", ""
	case steps != "":
		return "", "servers are confined by the profile " + string(p) + "; a stronger one does not work here (" + steps + ")"
	}
	return "", ""
}
