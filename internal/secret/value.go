// Package secret holds values that cannot be printed, stored or marshalled, and
// says which names and texts look like credentials.
package secret

import (
	"errors"
	"fmt"
)

// Value is a value that may be a credential. It keeps a pointer, because fmt
// prints the unexported string fields of foreign structs without asking the
// type. The zero Value holds nothing.
type Value struct{ p *string }

// New wraps s.
func New(s string) Value { return Value{&s} }

// Reveal hands the value out. It is called in named places only, which a test
// of this package counts.
func (v Value) Reveal() string {
	if v.p == nil {
		return ""
	}
	return *v.p
}

// Equal compares two values in memory.
func (v Value) Equal(w Value) bool {
	if v.p == nil || w.p == nil {
		return v.Len() == w.Len()
	}
	return *v.p == *w.p
}

// Len is the length in bytes of UTF-8.
func (v Value) Len() int {
	if v.p == nil {
		return 0
	}
	return len(*v.p)
}

// Format prints a constant for every verb.
func (v Value) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprint(f, "[secret]")
}

// ErrMarshal is returned by every attempt to marshal a Value.
var ErrMarshal = errors.New("a secret value cannot be marshalled")

// MarshalText refuses: a secret must not enter a file quietly.
func (v Value) MarshalText() ([]byte, error) { return nil, ErrMarshal }
