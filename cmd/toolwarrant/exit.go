package main

import (
	"errors"
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The exit codes, which scripts rely on. They do not depend on the format.
const (
	exitClean        = 0 // every target was verified and nothing changed
	exitUnexpected   = 1 // an unexpected error, also output that cannot be written
	exitUsage        = 2 // a wrong call, or a path that does not exist
	exitDrift        = 3 // something changed, without a new dangerous power
	exitEscalation   = 4 // a dangerous capability gained, another launch, an invalid lock
	exitUndetermined = 5 // could not start, answer, finish or be read in full
	exitRefused      = 6 // nothing was executed or compared
)

// exitCodes is the one table from outcomes to exit codes.
var exitCodes = map[finding.Outcome]int{
	finding.Clean: exitClean, finding.Drift: exitDrift, finding.Escalation: exitEscalation,
	finding.Undetermined: exitUndetermined, finding.Refused: exitRefused,
}

// usageError is a mistake in the call.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

// Hint says how the call is meant to be.
func (e *usageError) Hint() string { return e.hint }

func usage(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

// codeOf is the exit code of a command that returned this.
func codeOf(o finding.Outcome, err error) int {
	var u *usageError
	switch {
	case errors.As(err, &u):
		return exitUsage
	case err != nil:
		return exitUnexpected
	}
	return exitCodes[o]
}
