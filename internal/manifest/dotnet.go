package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

var (
	dnxOptions    = newOptions("--version --source --add-source --configfile --framework -v --verbosity --allow-roll-forward", "-y --yes --prerelease --interactive --disable-parallel --ignore-failed-sources --no-http-cache --allow-roll-forward")
	dnxRedirects  = setOf("--source --add-source --configfile")
	nugetVersion  = pattern.Of(`^\[?[0-9]+(?:\.[0-9]+){1,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\]?$`)
	nugetName     = pattern.Of(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	dotnetExecute = setOf("exec execute")
)

func (g *grammar) dnx(i int) { g.nuget(i+1, "dnx") }

// dotnet reads "dotnet dnx", "dotnet tool exec" and "dotnet FILE.dll"; every
// other subcommand works on the project.
func (g *grammar) dotnet(i int) {
	switch sub := g.word(i + 1); {
	case sub == "dnx":
		g.nuget(i+2, "dotnet dnx")
	case sub == "tool" && dotnetExecute[g.word(i+2)]:
		g.nuget(i+3, "dotnet tool exec")
	case strings.HasSuffix(strings.ToLower(sub), ".dll"):
		g.launcher("dotnet", "")
		g.script(i + 1)
	case sub == "":
		g.plain(i)
	default:
		g.task("dotnet", i+1)
	}
}

// nuget reads what is fetched. Options count behind the package too, up to "--".
func (g *grammar) nuget(i int, name string) {
	g.launcher(name, "nuget")
	at, ok := g.options(i, dnxOptions, g.nugetRedirect)
	switch {
	case !ok:
		return
	case at >= g.end():
		g.confused(at, "no package is named")
		return
	}
	id, version, _ := strings.Cut(g.word(at), "@")
	p := Package{Name: id, Spec: version, Source: "registry", Ecosystem: "nuget", Pin: "floating"}
	if !nugetName.MatchString(id) && !variable(id) {
		p.Source = ""
	}
	g.c.Args = at + 1
	prerelease := false
	look := func(from, to int) {
		for k := from; k < to && g.word(k) != "--"; k++ {
			switch o := g.option(k, dnxOptions); {
			case o.ok && o.name == "--version":
				p.Spec = o.value
			case o.ok && o.name == "--prerelease":
				prerelease = true
			}
		}
	}
	look(i, at)
	look(at+1, g.end())
	if nugetVersion.MatchString(p.Spec) && !prerelease {
		p.Pin = "exact"
	}
	g.fetch(p, at)
}

func (g *grammar) nugetRedirect(o option) {
	if dnxRedirects[o.name] {
		g.c.Redirects = append(g.c.Redirects, o.at)
	}
}
