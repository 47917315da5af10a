package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

var (
	windowsFlag = pattern.Of(`^/[A-Za-z](:[A-Za-z]+)?$`)
	assignment  = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// cmd reads "cmd /d /s /c COMMAND". What it hands on is read by the shell of
// Windows once more, so a word with a sign of that shell is no plain word, and
// only a known launcher is: "del" is none.
func (g *grammar) cmd(i int) int {
	at := i + 1
	for at < g.end() && windowsFlag.MatchString(g.word(at)) {
		at++
	}
	switch {
	case at == i+1: // waits for commands
		g.plain(i)
		return -1
	case at == g.end():
		g.text(at - 1)
		return -1
	}
	if at == g.end()-1 && strings.Contains(g.word(at), " ") {
		g.replace(at, strings.Fields(g.word(at)))
	}
	for _, w := range g.c.Words[at:] {
		if strings.ContainsAny(w.Text, "&|<>^%\"\r\n") {
			g.text(at - 1)
			return -1
		}
	}
	if !launchers[program(g.word(at))] {
		g.text(at - 1)
		return -1
	}
	return at
}

var envOptions = newOptions("-u --unset -C --chdir -S --split-string", "-i - --ignore-environment -0 --null -v --debug")

// env reads "env [OPTIONS] NAME=VALUE… COMMAND", also with -S TEXT.
func (g *grammar) env(i int) int {
	at := i + 1
	for at < g.end() {
		w := g.word(at)
		if w == "--" || w == "-" {
			at++
			continue
		}
		if !strings.HasPrefix(w, "-") {
			break
		}
		o := g.option(at, envOptions)
		if split, ok := strings.CutPrefix(w, "-S"); ok && split != "" {
			o = option{"-S", split, at, at + 1, true}
		}
		switch {
		case !o.ok:
			g.confused(at, "an option of env that is not known here")
			return -1
		case o.name == "-S" || o.name == "--split-string":
			words, simple := simpleCommand(o.value)
			if !simple || strings.ContainsAny(o.value, `\`) || g.masked(o.at) {
				g.text(o.at)
				return -1
			}
			g.replace(o.at, words)
			at = o.at
			return g.assignments(i, at)
		}
		at = o.next
	}
	return g.assignments(i, at)
}

// assignments takes the words NAME=VALUE in front of a command.
func (g *grammar) assignments(i, at int) int {
	for ; at < g.end() && assignment.MatchString(g.word(at)); at++ {
		g.c.Assigned = append(g.c.Assigned, at)
	}
	if at >= g.end() {
		g.plain(i)
		return -1
	}
	return at
}

// masked reports whether a secret part was taken out of the argument that a word
// stands in: what is left is not the text that a shell would get.
func (g *grammar) masked(i int) bool { return g.launch.Argv[g.c.Words[i].Arg].Secret > 0 }

// replace puts the words of a text in the place of the text.
func (g *grammar) replace(at int, texts []string) {
	words := append([]Word{}, g.c.Words[:at]...)
	for _, t := range texts {
		words = append(words, Word{t, g.c.Words[at].Arg})
	}
	g.c.Words = append(words, g.c.Words[at+1:]...)
}

// text is a command whose words are a text for a shell: what it starts cannot be
// told from it.
func (g *grammar) text(at int) {
	g.c.Text = min(at, g.end()-1)
	g.pin("indirect")
}

// runners are programs that set up an environment or a sandbox and start the
// command behind their options. Of one with a subcommand only that form is read.
var runners = map[string]struct {
	subcommand string
	dashes     bool // the command stands behind "--" only
	options    options
}{
	"op":        {"run", true, newOptions("--env-file --account --session --config --cache --encoding --format", "--no-masking --debug --iso-timestamps --no-color")},
	"doppler":   {"run", true, newOptions("-p --project -c --config -t --token --scope --mount --mount-format --mount-max-reads --mount-template --fallback --name-transformer --only-secrets", "--preserve-env --no-fallback --silent --no-check-version --fallback-readonly --fallback-only --no-cache --no-exit-on-write-failure --forward-signals --debug")},
	"infisical": {"run", true, newOptions("--env -e --path --projectId --token --domain --tags -t --log-level", "--silent --secret-overriding --expand --include-imports --recursive --watch")},
	"dotenv":    {"", false, newOptions("-e -f --file -p -v -c -o", "--quiet --override --debug --no-expand")},
	"envmcp":    {"", false, newOptions("-e --env-file -f --file", "")},
	"srt":       {"", false, newOptions("-s --settings", "-d --debug")},
}

// runner reads a program of runners at word i.
func (g *grammar) runner(i int) int { return g.runnerAt(program(g.word(i)), i) }

func (g *grammar) runnerAt(name string, i int) int {
	r := runners[name]
	at := i + 1
	if r.subcommand != "" {
		var ok bool
		if at, ok = g.options(at, r.options, nil); !ok {
			return -1
		}
		if g.word(at) != r.subcommand {
			g.plain(i)
			return -1
		}
		at++
	}
	if g.word(at) == "run" && name == "dotenv" { // the Python program of that name
		at++
	}
	at, ok := g.options(at, r.options, nil)
	switch {
	case !ok:
		return -1
	case at >= g.end():
		g.confused(at, "no command stands behind "+name)
		return -1
	case r.dashes && g.word(at-1) != "--":
		g.confused(at, "the command of "+name+" does not stand behind --")
		return -1
	}
	return at
}
