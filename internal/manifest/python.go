package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// The options of uv and its subcommands.
const (
	uvValues   = "--index --default-index -i --index-url --extra-index-url -f --find-links -P --upgrade-package --upgrade-group --index-strategy --keyring-provider --resolution --prerelease --fork-strategy -C --config-setting --config-settings --config-settings-package --no-build-isolation-package --exclude-newer --exclude-newer-package --link-mode --reinstall-package --refresh-package --no-build-package --no-binary-package --no-sources-package --cache-dir -p --python --python-platform --python-preference --python-fetch --color --directory --project --config-file --allow-insecure-host --env-file --torch-backend -w --with --with-editable --with-requirements --preview-features"
	uvSwitches = "--isolated --no-env-file --no-index -U --upgrade --no-upgrade --no-sources --no-build-isolation --compile-bytecode --no-compile-bytecode --compile --reinstall -n --no-cache --refresh --no-build --no-binary --managed-python --no-managed-python --no-python-downloads --allow-python-downloads -q --quiet -qq -v --verbose -vv --native-tls --no-native-tls --system-certs --offline --no-offline --no-progress --no-config --show-resolution --lfs --preview --no-preview --pre"
)

var (
	uvOptions     = newOptions(uvValues, uvSwitches)
	uvxOptions    = newOptions(uvValues+" --from -c --constraints --constraint -b --build-constraints --build-constraint --overrides --override", uvSwitches)
	uvRunOptions  = newOptions(uvValues+" --extra --no-extra --group --no-group --only-group --package", uvSwitches+" --all-extras --no-dev --only-dev --dev --no-default-groups --all-groups --locked --frozen --no-sync --exact --active --no-editable --no-project --all-packages -s --script --gui-script -m --module")
	pipxOptions   = newOptions("--spec --python --pip-args -i --index-url --with --backend", "--system-site-packages --no-cache --pypackages -v --verbose -q --quiet --fetch-missing-python --path -e --editable")
	pipxGlobal    = newOptions("", "-v --verbose -q --quiet --global")
	pipRedirects  = setOf("--index --default-index -i --index-url --extra-index-url -f --find-links --config-file --allow-insecure-host --pip-args --index-strategy --keyring-provider")
	projectFolder = setOf("--directory --project")
)

func (g *grammar) uvx(i int) { g.uvTool(i+1, "uvx") }

// uv reads "uv run", "uv tool run" and "uv x"; every other subcommand starts
// nothing.
func (g *grammar) uv(i int) {
	g.launcher("uv", "")
	at, ok := g.options(i+1, uvOptions, g.uvPlace)
	switch sub := g.word(at); {
	case !ok:
	case sub == "run":
		g.uvRun(at + 1)
	case sub == "tool" && (g.word(at+1) == "run" || g.word(at+1) == "uvx"):
		g.uvTool(at+2, "uv tool run")
	default:
		g.task("uv", at)
	}
}

// uvPlace notes the options that move uv to another project or registry.
func (g *grammar) uvPlace(o option) {
	if pipRedirects[o.name] {
		g.c.Redirects = append(g.c.Redirects, o.at)
	}
	switch {
	case !projectFolder[o.name]:
	case absolute.MatchString(o.value):
		g.pin("host")
	default:
		g.c.Folder = o.value
	}
}

// uvTool reads uvx from word at on.
func (g *grammar) uvTool(at int, name string) {
	g.launcher(name, "pypi")
	from := -1
	var spec string
	var with []option
	at, ok := g.options(at, uvxOptions, func(o option) {
		if pipRedirects[o.name] {
			g.c.Redirects = append(g.c.Redirects, o.at)
		}
		switch o.name {
		case "--from":
			from, spec = o.at, o.value
		case "-w", "--with", "--with-editable", "--with-requirements":
			with = append(with, o)
		}
	})
	if ok {
		g.pythonProgram(at, spec, from, with, true)
	}
}

// pythonProgram takes the word at which a program stands: of the package that spec
// names at from, or, where from is negative, of the package of its own name. bare
// says how that is read, see pythonPackage.
func (g *grammar) pythonProgram(at int, spec string, from int, with []option, bare bool) {
	switch {
	case at >= g.end():
		g.confused(at, "no package or program is named")
		return
	case from >= 0:
		g.fetch(pythonPackage(spec, false), from)
		g.c.Program = g.word(at)
	default:
		g.fetch(pythonPackage(g.word(at), bare), at)
	}
	g.with(with)
	g.c.Args = at + 1
	g.through(at)
}

// with adds what is installed beside the program.
func (g *grammar) with(list []option) {
	for _, o := range list {
		for _, spec := range strings.Split(o.value, ",") {
			p := pythonPackage(strings.TrimSpace(spec), false)
			if o.name == "--with-requirements" {
				p = Package{Name: spec, Source: "path", Ecosystem: "pypi", Pin: "floating"}
			}
			if o.name == "--with-editable" {
				p = Package{Name: spec, Source: "path", Ecosystem: "pypi", Pin: filePin(spec)}
			}
			g.fetch(p, o.at)
		}
	}
}

// uvRun reads "uv run" from word at on: a program, script or module with the
// project's packages, and those that stand behind --with.
func (g *grammar) uvRun(at int) {
	outer := g.c.Pin // of a project elsewhere
	g.launcher("uv run", "pypi")
	var with []option
	module := false
	at, ok := g.options(at, uvRunOptions, func(o option) {
		g.uvPlace(o)
		switch o.name {
		case "-w", "--with", "--with-editable", "--with-requirements":
			with = append(with, o)
		case "-m", "--module":
			module = true
		case "--locked", "--frozen":
			g.c.Frozen = true
		}
	})
	if !ok {
		return
	}
	g.with(with)
	if g.c.Pin == "" || outer != "" {
		g.pin("local")
	}
	if len(with) == 0 {
		g.c.Ecosystem = ""
	}
	g.c.Args = min(at+1, g.end())
	switch target := g.word(at); {
	case at >= g.end():
		g.confused(at, "no program is named")
	case strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://"):
		g.c.Ecosystem = "pypi"
		g.fetch(Package{Name: target, Source: "url", Ecosystem: "pypi", Pin: "floating"}, at)
	case module:
		g.c.Script, g.c.Module = at, true
	case fetching[program(target)]:
		g.c.Wrappers = append(g.c.Wrappers, "uv run")
		g.command(at)
	case interpreters[program(target)].known:
		g.interpreted(at)
	default:
		g.c.Script, g.c.Module = at, !looksLikePath(target)
		if looksLikePath(target) {
			g.pin(filePin(target))
		}
		g.bridge(program(target), at+1)
	}
}

// fetching are launchers that bring packages of their own.
var fetching = setOf("npx npm bunx bun pnpm pnpx yarn uvx uv pipx docker podman deno go dnx dotnet sh bash zsh env cmd")

func (g *grammar) pipx(i int) {
	g.launcher("pipx", "")
	at, ok := g.options(i+1, pipxGlobal, nil)
	if !ok {
		return
	}
	if g.word(at) != "run" {
		g.task("pipx", at)
		return
	}
	g.launcher("pipx run", "pypi")
	spec, from := "", -1
	var with []option
	at, ok = g.options(at+1, pipxOptions, func(o option) {
		if pipRedirects[o.name] {
			g.c.Redirects = append(g.c.Redirects, o.at)
		}
		switch o.name {
		case "--spec":
			spec, from = o.value, o.at
		case "--with":
			with = append(with, o)
		}
	})
	if ok {
		g.pythonProgram(at, spec, from, with, false)
	}
}

var (
	// pythonSpec is a requirement (PEP 508): name, extras, and what is behind them.
	pythonSpec  = pattern.Of(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[^\]]*\])?\s*(.*)$`)
	pythonExact = pattern.Of(`^===?\s*v?[0-9]+(?:[0-9A-Za-z.+!_-]*[0-9A-Za-z])?$`)
	pythonRange = pattern.Of(`^(?:===?|!=|~=|>=?|<=?|\()`)
	pythonAt    = pattern.Of(`^v?[0-9]+(?:\.[0-9A-Za-z+!_-]+)*$`)
	fileDigest  = pattern.Of(`sha256=[0-9a-f]{64}(?:&|$)`)
)

// pythonPackage reads a requirement; at says whether NAME@VERSION is one, as it
// is for uvx.
func pythonPackage(spec string, at bool) Package {
	p := Package{Ecosystem: "pypi", Pin: "floating"}
	if strings.HasPrefix(spec, "git+") || strings.HasPrefix(spec, "https://") || strings.HasPrefix(spec, "http://") {
		return pythonAddress(p, spec)
	}
	if looksLikePath(spec) || strings.HasPrefix(spec, "file:") {
		p.Name, p.Source, p.Pin = spec, "path", filePin(strings.TrimPrefix(spec, "file://"))
		return p
	}
	m := pythonSpec.FindStringSubmatch(strings.TrimSpace(spec))
	if m == nil {
		p.Name = spec
		return p
	}
	rest, _, _ := strings.Cut(m[3], ";")
	rest = strings.TrimSpace(rest)
	behind, isAt := strings.CutPrefix(rest, "@")
	behind = strings.TrimSpace(behind)
	switch {
	case isAt && strings.Contains(behind, ":"):
		q := pythonAddress(p, behind)
		q.Name = m[1]
		return q
	case isAt && at:
		p.Name, p.Extras, p.Spec, p.Source = m[1], m[2], behind, "registry"
		if pythonAt.MatchString(behind) {
			p.Pin = "exact"
		}
	case rest == "" || pythonRange.MatchString(rest):
		p.Name, p.Extras, p.Spec, p.Source = m[1], m[2], rest, "registry"
		if pythonExact.MatchString(rest) {
			p.Pin = "exact"
		}
	default:
		p.Name = spec
	}
	return p
}

// pythonAddress reads "git+URL@REV#…" and addresses of archives.
func pythonAddress(p Package, spec string) Package {
	name, fragment, _ := strings.Cut(spec, "#")
	p.Name, p.Source = name, "url"
	if !strings.HasPrefix(spec, "git+") {
		if fileDigest.MatchString(fragment) {
			p.Pin, p.Spec = "immutable", fragment
		}
		return p
	}
	p.Source = "git"
	if i := strings.LastIndexByte(name, '@'); i > strings.LastIndexByte(name, '/') {
		p.Name, p.Spec = name[:i], name[i+1:]
		if commitID.MatchString(p.Spec) {
			p.Pin = "immutable"
		}
	}
	return p
}
