// Package canon makes bytes comparable: JSON in the canonical form of RFC 8785,
// digests with a domain, and a frozen table of the characters that show.
//
// It never repairs. What RFC 8785 cannot express without loss (duplicate
// members, lone surrogates, invalid UTF-8, numbers whose decimal value is not
// that of their shortest double form) is an *Error with the byte offset.
// Foreign bytes pass [Guard] before any parser sees them: encoding/json and
// hujson recurse, and a megabyte of "[" ends the process.
package canon

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gowebpki/jcs"
	"github.com/tailscale/hujson"
)

// MaxDepth is the nesting that a foreign item may have; LockDepth is that of
// a file or message that wraps items.
const (
	MaxDepth  = 64
	LockDepth = MaxDepth + 8
)

// Reason says why bytes were refused.
type Reason string

// The reasons that this package gives.
const (
	InvalidUTF8   Reason = "invalid UTF-8"
	LoneSurrogate Reason = "a lone surrogate"
	TooDeep       Reason = "nested too deeply"
	Duplicate     Reason = "a member name that occurs twice"
	Number        Reason = "a number that no double holds exactly"
	Syntax        Reason = "not valid JSON"
	WrongType     Reason = "not of the expected type"
)

// Error is a refusal: Offset counts bytes from the start of the data that were
// handed in, Name is the member name of a duplicate.
type Error struct {
	Offset int
	Reason Reason
	Name   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset)
}

// Canonical returns the RFC 8785 form of one JSON text of at most MaxDepth.
func Canonical(data []byte) ([]byte, error) { return CanonicalTo(data, MaxDepth) }

// CanonicalTo is Canonical for another nesting.
func CanonicalTo(data []byte, depth int) ([]byte, error) {
	if _, err := Parse(data, depth); err != nil {
		return nil, err
	}
	return transform(data)
}

// transform wraps top-level scalars, which jcs does not take.
func transform(data []byte) ([]byte, error) {
	wrapped := append(append([]byte{'['}, data...), ']')
	out, err := jcs.Transform(wrapped)
	if err != nil {
		return nil, &Error{Reason: Syntax}
	}
	return out[1 : len(out)-1], nil
}

// Parse reads strict JSON into a tree that keeps the offset of every value. It
// refuses what cannot be made canonical, duplicate members included.
func Parse(data []byte, depth int) (hujson.Value, error) {
	if err := Guard(data, depth); err != nil {
		return hujson.Value{}, err
	}
	tree, err := hujson.Parse(data)
	if err != nil || !tree.IsStandard() {
		return hujson.Value{}, &Error{Offset: syntaxOffset(data), Reason: Syntax}
	}
	return tree, check(tree)
}

// syntaxOffset asks encoding/json where the text stops being JSON.
func syntaxOffset(data []byte) int {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&v)
	if s, ok := err.(*json.SyntaxError); ok && s.Offset > 0 {
		return int(s.Offset) - 1
	}
	return len(data)
}

func check(v hujson.Value) error {
	switch t := v.Value.(type) {
	case *hujson.Object:
		return checkMembers(t)
	case *hujson.Array:
		for _, e := range t.Elements {
			if err := check(e); err != nil {
				return err
			}
		}
	case hujson.Literal:
		if t.Kind() == '0' && !exact(string(t)) {
			return &Error{Offset: v.StartOffset, Reason: Number}
		}
	}
	return nil
}

func checkMembers(o *hujson.Object) error {
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		if seen[name] {
			return &Error{Offset: m.Name.StartOffset, Reason: Duplicate, Name: name}
		}
		seen[name] = true
		if err := check(m.Value); err != nil {
			return err
		}
	}
	return nil
}
