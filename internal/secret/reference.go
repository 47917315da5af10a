package secret

import (
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// reference matches every form in which a host's configuration names a value
// instead of holding it: ${{ secrets.X }}, ${X}, ${X:-default}, ${env:X},
// ${input:x}, {env:X}, {file:p}, $env:X, $X, %X%. The forms without braces want
// capitals: "$ecret" and "%20" are text. Which host expands which form is the
// dialect's business; in none of them is a reference the secret itself.
var reference = pattern.Of(
	`\$\{\{[^{}]*\}\}|\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\{(?:env|file):[^{}]+\}` +
		`|\$env:[A-Za-z_][A-Za-z0-9_]*|\$[A-Z_][A-Z0-9_]*\b|%[A-Z_][A-Z0-9_]{2,}%`)

// References returns the names that text refers to, sorted and each once, and
// whether it holds text of its own: anything outside of the references, or a
// default inside of one. A name keeps the prefix of its source unless that is
// the environment: "X" for ${env:X}, "input:x" for ${input:x}.
func References(text string) (names []string, literal bool) {
	for _, p := range pieces(text) {
		if p.name != "" {
			names = append(names, p.name)
		}
		literal = literal || p.end > p.start
	}
	slices.Sort(names)
	return slices.Compact(names), literal
}

// piece is text of one's own (text[start:end]) or a reference's name together
// with the place of its default, empty where it has none.
type piece struct {
	name       string
	start, end int
}

func pieces(text string) []piece {
	var out []piece
	last := 0
	for _, m := range reference.FindAllStringIndex(text, -1) {
		if m[0] > last {
			out = append(out, piece{start: last, end: m[0]})
		}
		out = append(out, inside(text, m[0], m[1])...)
		last = m[1]
	}
	if last < len(text) {
		out = append(out, piece{start: last, end: len(text)})
	}
	return out
}

// inside reads one reference; its default may hold references again.
func inside(text string, start, end int) []piece {
	name, fallback, ok := strings.Cut(text[start:end], ":-")
	out := []piece{{name: bare(name)}}
	if !ok || !strings.HasPrefix(name, "${") {
		return []piece{{name: bare(text[start:end])}}
	}
	at := end - len(fallback)
	for _, p := range pieces(text[at : end-1]) {
		p.start, p.end = p.start+at, p.end+at
		if p.name != "" && p.start == p.end {
			p.start, p.end = 0, 0
		}
		out = append(out, p)
	}
	return out
}

// bare is the name in a reference, without its punctuation.
func bare(ref string) string {
	name := strings.TrimSpace(strings.Trim(ref, "${}%"))
	return strings.TrimPrefix(name, "env:")
}

// Own is what text holds of its own: all outside of the references, and their
// defaults.
func Own(text string) string {
	var b strings.Builder
	for _, p := range pieces(text) {
		b.WriteString(text[p.start:p.end])
	}
	return b.String()
}
