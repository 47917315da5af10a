package manifest

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// word is one argument before its secret parts are masked.
type word struct {
	text string
	at   finding.Location
}

// split puts the command in front of the arguments. A command that is one string
// with a known launcher as its first word is a whole command line: it is split
// at its spaces, which is all that the hosts that split do.
func (r *entryReader) split() {
	if r.command == nil {
		return
	}
	line := r.command.text
	if strings.TrimSpace(line) == "" {
		r.fail(r.command.at, `"command" is empty`, "name a program")
		return
	}
	fields := fieldsOf(line)
	if len(fields) == 1 || !launchers[program(line[fields[0][0]:fields[0][1]])] {
		r.words = append([]word{{line, r.command.at}}, r.words...)
		return
	}
	if strings.ContainsAny(line, "\"'`\\|&;<>()\n") {
		r.fail(r.command.at, `"command" holds a command line with quotes or shell signs`, `name the program in "command" and each argument in "args"`)
		return
	}
	var words []word
	for _, f := range fields {
		at := r.command.at
		if r.command.plain {
			at = shift(at, "\""+line[:f[0]])
		}
		words = append(words, word{line[f[0]:f[1]], at})
	}
	r.words = append(words, r.words...)
	r.oneString(len(fields))
}

func (r *entryReader) oneString(n int) {
	who := "hosts that start programs without a shell"
	if names := r.d.hostNames(); names != "" {
		who += " (" + names + ")"
	}
	f := finding.New("launch/one-string-command", finding.Warning, r.command.at,
		fmt.Sprintf("\"command\" holds a command line of %d words: %s look for a program of that whole name", n, who))
	f.Hint = `put all but the first word into "args"`
	r.note(f)
}

// fieldsOf returns the byte ranges of the words between spaces.
func fieldsOf(s string) [][2]int {
	var out [][2]int
	start := -1
	for i, r := range s + " " {
		space := r == ' ' || r == '\t' || r == '\n' || r == '\r'
		switch {
		case space && start >= 0:
			out = append(out, [2]int{start, i})
			start = -1
		case !space && start < 0:
			start = i
		}
	}
	return out
}

// arguments masks a command line. A value behind a secret's flag is secret as a
// whole.
func arguments(words []word) []Arg {
	out := make([]Arg, 0, len(words))
	for i, w := range words {
		a := Arg{Text: secret.New(w.text), At: w.at}
		a.Shown, a.Secret = secret.Mask(w.text)
		flag := ""
		if i > 0 {
			flag = words[i-1].text
		}
		switch {
		case follows(flag, w.text, a.Secret):
			a.Shown, a.Secret, a.Label = "", len(w.text), flag
		case a.Secret > 0:
			a.Label = label(a.Shown)
		}
		out = append(out, a)
	}
	return out
}

// headerFlags take a header as their value.
var headerFlags = map[string]bool{"--header": true, "-H": true, "--headers": true}

// follows reports whether text is the secret value of the flag before it.
func follows(flag, text string, hidden int) bool {
	if !strings.HasPrefix(flag, "-") || strings.ContainsAny(flag, "= \t") || strings.HasPrefix(text, "-") {
		return false
	}
	return headerFlags[flag] && hidden > 0 ||
		secret.NameLooksSecret(strings.TrimLeft(flag, "-")) && secret.LooksSecret(flag, text)
}

// label names a masked argument: "--api-key=" where all behind the sign is
// secret, else what is left of it.
func label(shown string) string {
	switch name, rest, ok := strings.Cut(shown, "="); {
	case shown == secret.Mark:
		return "argument"
	case ok && rest == secret.Mark:
		return name + "="
	}
	return shown
}
