package github

import (
	"errors"
	"fmt"
	"time"
)

// Kind says why a call gave nothing.
type Kind uint8

// The kinds. A caller that can do without the answer goes on after each of them.
const (
	Broken     Kind = iota // no answer, or none that the API documents
	NotAllowed             // the token may not: a fork's, or a permission is missing
	NotThere               // it does not exist, or is hidden from the token
	Limited                // too many requests, and waiting longer than is waited here
)

// APIError is a call that gave nothing. Its text holds no word of the answer.
type APIError struct {
	Kind   Kind
	Step   string        // what was asked for, in our words
	Needs  string        // the permission that it takes, as a workflow writes it
	Status int           // of the last answer; 0 without one
	Reason string        // for Broken, our words
	Wait   time.Duration // for Limited: how long the API asks to wait; 0 where it does not say
}

func (e *APIError) Error() string {
	text := e.Step + ": "
	switch e.Kind {
	case NotAllowed:
		text += "the token may not"
	case NotThere:
		text += "not there, or hidden from the token"
	case Limited:
		text += "too many requests"
		if e.Wait > 0 {
			text += ", the API asks to wait " + e.Wait.String()
		}
	default:
		text += e.Reason
	}
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	return text
}

// Hint names the permission that may be missing.
func (e *APIError) Hint() string {
	if e.Kind != NotAllowed && e.Kind != NotThere || e.Needs == "" {
		return ""
	}
	return "the job needs `permissions: " + e.Needs + "`; the token of a fork's pull request never gets more than to read"
}

// failed is the call in an error that gave nothing; ok is false where it is another
// error or none.
func failed(err error) (e *APIError, ok bool) {
	ok = errors.As(err, &e)
	return e, ok
}
