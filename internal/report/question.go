package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Question shows everything that a person who approves a start decides about:
// the whole command, a word at a time where it is long, what steers it, and
// what is wrong with the declaration. Nothing of it is cut.
func Question(w io.Writer, q finding.Question, s Style) error {
	p := &page{w: w, s: s}
	p.hang(0, "server", bold, finding.Claim(q.Name).Quote())
	for i, word := range q.Command {
		label := ""
		if i == 0 {
			label = "command"
		}
		p.hang(2, label, dim, quoteWord(word))
	}
	for _, b := range q.Bindings {
		p.hang(2, b.Kind, dim, finding.Claim(b.Name).String()+" "+finding.Claim(b.Value).String())
	}
	p.hang(2, "declared", dim, q.Location.String())
	p.hang(2, "pin", dim, q.Pin)
	p.findings(q.Findings)
	return p.err
}

// quoteWord shows one argument so that its ends are seen.
func quoteWord(word string) string {
	shown := finding.Claim(word).String()
	if shown == word && word != "" && !strings.ContainsAny(word, " '\"\\$`;|&<>()*?[]{}~#!") {
		return word
	}
	return fmt.Sprintf("'%s'", strings.ReplaceAll(shown, "'", `'\''`))
}
