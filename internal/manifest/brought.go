package manifest

import (
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Brought is the declaration of a server that a plugin brings along: a program with
// its arguments, or where there is none an address. Every location is at, where the
// plugin is declared. One whose words are not all known is not understood.
func Brought(name, place string, at finding.Location, command []string, url string, whole bool) Entry {
	e := TypedURL(url)
	if len(command) > 0 {
		e = Typed(command)
	}
	e.Name, e.Place, e.At, e.Dialect = String{name, at}, place, at, "plugin.v1"
	for i := range e.Launch.Argv {
		e.Launch.Argv[i].At = at
	}
	if e.Launch.URL != nil {
		e.Launch.URL.At = at
	}
	for _, list := range [][]finding.Finding{e.Problems, e.Findings} {
		for i := range list {
			list[i].Location = at
		}
	}
	if !whole {
		f := finding.New("check/undetermined", finding.Error, at, "not understood: the lock leaves out "+secret.Mark+" of what the plugin starts")
		e.Problems = append(e.Problems, f.As(finding.Undetermined))
	}
	return e
}
