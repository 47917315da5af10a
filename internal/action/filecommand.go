package action

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
)

// output is one line of what a step puts out.
type output struct{ name, value string }

// writeOutputs writes outputs as a file of commands has them (docs.github.com,
// "Workflow commands", multiline strings). The delimiter is new each time: what
// stands in a value cannot end it. Values are short words of ours all the same; one
// with anything else is an error.
func writeOutputs(w io.Writer, list []output) error {
	var b strings.Builder
	for _, o := range list {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return errors.New("there is no randomness for a delimiter")
		}
		end := "end_" + hex.EncodeToString(random[:])
		if !plainValue(o.value) {
			return errors.New("the output " + o.name + " is not a plain word")
		}
		b.WriteString(o.name + "<<" + end + "\n" + o.value + "\n" + end + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plainValue takes words, numbers, lists of logins and paths.
func plainValue(s string) bool {
	return len(s) <= 4096 && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || slices.Contains([]rune("-_./,[] "), r))
	})
}
