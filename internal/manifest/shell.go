package manifest

import (
	"regexp"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// shell reports a launch whose words are text for a shell: what it starts cannot
// be told from the words.
func (r *entryReader) shell() {
	i := scriptAt(shown(r.e.Launch.Argv))
	if i < 0 {
		return
	}
	f := finding.New("launch/shell", finding.Warning, r.e.Launch.Argv[i].At, "the server is started by a text for a shell")
	f.Hint = "name the program and its arguments in \"command\" and \"args\""
	r.note(f)
}

var (
	shellC     = regexp.MustCompile(`^-[a-z]*c[a-z]*$`)
	powershell = regexp.MustCompile(`(?i)^[-/](c|command|e|ec|enc|encodedcommand)$`)
	callFlag   = regexp.MustCompile(`^(-c|--call)(=.*)?$`)
)

// scriptAt is the index of the word that hands a script to a shell, or -1. The
// usual Windows form, "cmd /c npx …", is none.
func scriptAt(argv []string) int {
	inner := unwrap(argv)
	if len(inner) == 0 {
		return -1
	}
	skipped := len(argv) - len(inner)
	at := -1
	switch name := program(inner[0]); {
	case shells[name]:
		at = flagAt(inner, shellC)
	case name == "powershell" || name == "pwsh":
		at = flagAt(inner, powershell)
	case name == "npx":
		at = flagAt(inner, callFlag)
	case name == "npm" && len(inner) > 1 && (inner[1] == "exec" || inner[1] == "x"):
		if at = flagAt(inner[1:], callFlag); at >= 0 {
			at++
		}
	}
	switch {
	case at >= 0:
		return skipped + at
	case skipped > 0 && program(argv[0]) == "cmd" && !launchers[program(inner[0])]:
		return skipped - 1
	}
	return -1
}

// flagAt looks among the flags in front of the first other word.
func flagAt(argv []string, flag *regexp.Regexp) int {
	for i, w := range argv[1:] {
		switch {
		case flag.MatchString(w):
			return i + 1
		case !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/"):
			return -1
		}
	}
	return -1
}
