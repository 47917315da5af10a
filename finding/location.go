package finding

import "fmt"

// Location is where a finding points: a place in a file of the scanned tree, or
// an argument of the command line.
type Location struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`     // from 1
	Column   int    `json:"column,omitempty"`   // from 1, in UTF-16 code units
	Argument string `json:"argument,omitempty"` // set instead of File
}

// At is the location of a place in a file; line and column count from 1.
func At(file string, line, column int) Location {
	return Location{File: file, Line: line, Column: column}
}

// Argument is the location of something that the command line named.
func Argument(text string) Location { return Location{Argument: text} }

// IsZero reports whether l points nowhere.
func (l Location) IsZero() bool { return l.File == "" && l.Argument == "" }

// String is "file:line:column" as compilers print it.
func (l Location) String() string {
	switch {
	case l.File == "":
		return Claim(l.Argument).String()
	case l.Line == 0:
		return Claim(l.File).String()
	}
	return fmt.Sprintf("%s:%d:%d", Claim(l.File), l.Line, l.Column)
}
