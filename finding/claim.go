package finding

import (
	"fmt"
	"strings"
	"unicode"
)

// Claim is foreign text: a server's own words, a file name, a branch. Every
// renderer prints it through one of its methods, never as it stands.
type Claim string

// ClaimWidth is the most characters of one claim that a renderer shows.
const ClaimWidth = 300

// String is the text on one line with everything that does not show made
// visible, so that it cannot move a cursor, start a line or pose as our words.
// "##[" is broken up: GitHub's runner takes it for the start of a command
// wherever it stands in a line of a log (actions/runner, ActionCommand.cs).
func (c Claim) String() string {
	var b strings.Builder
	for _, r := range string(c) {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case shows(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return strings.ReplaceAll(b.String(), "##[", `#\u{23}[`)
}

// Short is String, cut to at most n characters with an ellipsis.
func (c Claim) Short(n int) string {
	runes := []rune(c.start(n + len("##[")).String())
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}

// start is at most the first n characters: what stands behind them is not shown,
// and a long text is not read for it.
func (c Claim) start(n int) Claim {
	for i := range c {
		if n--; n < 0 {
			return c[:i]
		}
	}
	return c
}

// Quote is Short(ClaimWidth) in double quotes, for prose. The text cannot close
// them: in it a quote or a backslash of its own has a backslash before it.
func (c Claim) Quote() string {
	return `"` + Claim(quoting.Replace(string(c))).Short(ClaimWidth) + `"`
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func shows(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && r != unicode.ReplacementChar
}
