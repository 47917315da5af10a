package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"
)

// ReportError says why bytes are not a report, and where.
type ReportError struct {
	Line, Column int // from 1; the column counts UTF-16 code units
	Reason       string
}

func (e *ReportError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Reason)
}

// MaxReport is the most bytes of a saved report that are read: 64 MiB.
const MaxReport = 64 << 20

// ParseReport reads a report that was saved as JSON. It takes exactly what a
// report of this version marshals to: a member more or less, a member twice,
// another type, an unknown word for a level, status or outcome, a finding
// without a place, or words of ours with characters that do not show are errors,
// of type *[ReportError]. Rendering the result gives the bytes that rendering
// the original gave.
func ParseReport(data []byte) (Report, error) {
	if len(data) > MaxReport {
		return Report{}, reportError(data, 0, "it is too large")
	}
	if at := badUTF8(data); at >= 0 {
		return Report{}, reportError(data, at, "it is not UTF-8")
	}
	if at, reason := syntax(data); reason != "" {
		return Report{}, reportError(data, at, reason)
	}
	f := fitting{dec: json.NewDecoder(bytes.NewReader(data)), data: data}
	if err := f.value(reflect.TypeFor[Report](), "", 0); err != nil {
		return Report{}, err
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, reportError(data, 0, "it does not have the form of a report")
	}
	return r, nil
}

// syntax finds the first place at which data is not JSON.
func syntax(data []byte) (at int, reason string) {
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole)
	var s *json.SyntaxError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &s):
		return int(max(0, s.Offset-1)), "it is not JSON"
	}
	return 0, "it is not JSON"
}

func badUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// reportError turns a byte offset into a place.
func reportError(data []byte, offset int, reason string) *ReportError {
	e := &ReportError{Line: 1, Column: 1, Reason: reason}
	for i, r := range string(data[:min(offset, len(data))]) {
		switch {
		case r == '\n':
			e.Line, e.Column = e.Line+1, 1
		case r == '\ufeff' && i == 0:
		case r > 0xFFFF:
			e.Column += 2
		default:
			e.Column++
		}
	}
	return e
}
