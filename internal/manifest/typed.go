package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Typed is the declaration of a program that the user typed, command first. It
// stands in no file: it has no Place, and its locations are arguments. Its name
// is the package's or the program's.
func Typed(command []string) Entry {
	words := make([]word, len(command))
	for i, w := range command {
		words[i].text = w
	}
	argv := arguments(words)
	for i := range argv {
		argv[i].At = finding.Argument(argv[i].Shown)
		if argv[i].Shown == "" {
			argv[i].At = finding.Argument(secret.Mark)
		}
	}
	launch := Launch{Transport: Stdio, Argv: argv}
	r := entryReader{d: &anyJSON, e: typed(typedName(launch.Command()))}
	r.e.Launch = launch
	r.launched()
	e := r.e
	for i, w := range command {
		if what := unfit(w); what != "" {
			f := finding.New("check/undetermined", finding.Error, argv[i].At, "not understood: an argument holds "+what)
			e.Problems = append(e.Problems, f.As(finding.Undetermined))
		}
	}
	return e
}

// TypedURL is the declaration of a server that the user named by its address.
// Its name is the address's host.
func TypedURL(url string) Entry {
	r := entryReader{d: &anyJSON, e: typed(hostOf(url))}
	shown, _ := secret.Mask(url)
	n := node{kind: text, text: url, at: finding.Argument("--url " + shown)}
	r.address(member{name: "url", value: n})
	r.e.Launch.Transport = HTTP
	r.judge()
	return r.e
}

func typed(name string) Entry {
	at := finding.Argument(name)
	return Entry{Name: String{name, at}, At: at}
}

// typedName names a command after the package that it fetches, else after its
// program.
func typedName(c Command) string {
	if p, ok := c.Only(); ok && p.Ecosystem != "oci" && p.Ecosystem != "go" && p.Name != "" && !variable(p.Name) {
		return p.Name[strings.LastIndexByte(p.Name, '/')+1:]
	}
	if name := program(c.text(c.Inner)); name != "" {
		return name
	}
	return "server"
}

// hostOf is the host of an address without its port, or "server" where it has
// none that could be a name.
func hostOf(url string) string {
	m := addressForm.FindStringSubmatch(secret.Own(url))
	if m == nil {
		return "server"
	}
	host := port.ReplaceAllString(m[2][strings.LastIndexByte(m[2], '@')+1:], "")
	if host == "" {
		return "server"
	}
	return host
}

var port = pattern.Of(`:[0-9]*$`)
