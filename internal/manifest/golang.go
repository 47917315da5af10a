package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// goOptions are the build flags of "go run", which take one dash or two.
var (
	goOptions  = newOptions("-C -exec -p -asmflags -buildmode -buildvcs -compiler -gccgoflags -gcflags -installsuffix -ldflags -mod -modfile -overlay -pgo -pkgdir -tags -toolexec -coverpkg -covermode", "-a -n -race -msan -asan -cover -v -work -x -json -linkshared -modcacherw -trimpath -buildvcs=false -buildvcs=auto -buildvcs=true")
	goVersion  = pattern.Of(`^v[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+incompatible)?$`)
	goRedirect = setOf("-exec -toolexec -modfile -overlay")
	// checksumless are variables that take a module from the checksum database.
	checksumless = setOf("GOSUMDB GONOSUMDB GONOSUMCHECK GOPRIVATE GOFLAGS GOINSECURE GOENV")
)

// golang reads "go run PKG@VERSION". Without a version the package is one of the
// project, or of a module that its go.mod names; every other subcommand works on
// the project too.
func (g *grammar) golang(i int) {
	if g.word(i+1) != "run" {
		g.task("go", i+1)
		return
	}
	g.launcher("go run", "go")
	at := i + 2
	for at < g.end() && strings.HasPrefix(g.word(at), "-") && g.word(at) != "-" {
		o := g.option(at, goOptions)
		if strings.HasPrefix(g.word(at), "--") {
			o = option{}
		}
		if !o.ok {
			g.confused(at, "an option of go that is not known here")
			return
		}
		if goRedirect[o.name] {
			g.c.Redirects = append(g.c.Redirects, o.at)
		}
		at = o.next
	}
	if at >= g.end() {
		g.confused(at, "no package is named")
		return
	}
	g.c.Args = at + 1
	path, version, versioned := strings.Cut(g.word(at), "@")
	if !versioned {
		g.c.Ecosystem, g.c.Script, g.c.Module = "", at, !strings.HasSuffix(path, ".go")
		g.pin(filePin(path))
		return
	}
	p := Package{Name: path, Spec: version, Source: "registry", Ecosystem: "go", Pin: "floating"}
	switch {
	case commitID.MatchString(version):
		p.Pin = "immutable"
	case goVersion.MatchString(version) && g.sums():
		p.Pin = "immutable"
	case goVersion.MatchString(version):
		p.Pin = "exact"
	}
	g.fetch(p, at)
}

// sums reports whether nothing in the launch keeps a module's bytes from being
// held against the checksum database.
func (g *grammar) sums() bool {
	for _, b := range g.launch.Env {
		if checksumless[strings.ToUpper(b.Name)] {
			return false
		}
	}
	for _, at := range g.c.Assigned {
		if name, _, _ := strings.Cut(g.word(at), "="); checksumless[name] {
			return false
		}
	}
	return true
}
