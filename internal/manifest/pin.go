package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Pin is how far a launch fixes what it starts, by its words alone: the Pin of
// its [Command].
func Pin(l Launch) string { return l.Command().Pin }

var absolute = pattern.Of(`^([/~\\]|[A-Za-z]:[/\\]|\$\{?(?:env:)?(?:HOME|userHome|USERPROFILE|APPDATA)|%)`)

// pathPin tells a program of the repository from one of the machine.
func pathPin(path string) string {
	if strings.ContainsAny(path, `/\`) && !absolute.MatchString(path) {
		return "local"
	}
	return "host"
}

// filePin is pathPin for a word that names a file in any case.
func filePin(path string) string {
	if absolute.MatchString(path) {
		return "host"
	}
	return "local"
}
