package action

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestLogLong: a line longer than what is kept is cut where no half of a command
// can join the other.
func TestLogLong(t *testing.T) {
	for _, command := range []string{"##[add-path]/evil", "::add-path::/evil"} {
		for before := maxLine - 4; before <= maxLine+1; before++ {
			var b bytes.Buffer
			l := &Log{W: &b}
			for _, part := range append([]string{strings.Repeat("x", before)}, strings.Split(command+"\n", "")...) { // a byte at a time
				if _, err := l.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`(?m)##\[|^\s*::`).Match(b.Bytes()) {
				t.Errorf("%d before %s: a command passes", before, command)
			}
		}
	}
}
