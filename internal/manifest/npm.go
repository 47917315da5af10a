package manifest

import (
	"path"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// The options of npm's runners, from npm's own list of settings. npx takes an
// option that it does not know as one with a value; that is not repeated here.
const (
	npmValues   = "--registry --prefix --cache --userconfig --globalconfig --script-shell --shell --loglevel --node-options --git --location --tag --before --cafile --ca --cert --key --proxy --https-proxy --noproxy --fetch-retries --fetch-timeout --fetch-retry-mintimeout --fetch-retry-maxtimeout --logs-dir --logs-max --maxsockets --min-release-age --workspace -w --omit --include --user-agent --allow-git --allow-remote --allow-file --allow-directory --allow-scripts --reg -C -L"
	npmSwitches = "-y --yes -n --no --no-yes --no-install -q --quiet -s --silent -d -dd -ddd --verbose --offline --prefer-offline --prefer-online --ignore-scripts --no-ignore-scripts --force -f --workspaces -ws --no-workspaces --include-workspace-root -iwr --audit --no-audit --fund --no-fund --progress --no-progress --update-notifier --no-update-notifier --color --no-color --legacy-peer-deps --strict-ssl --no-strict-ssl --no-bin-links --package-lock --no-package-lock --no-save --json --global -g --timing --unicode --engine-strict --foreground-scripts --no-optional"
)

var (
	npxOptions     = newOptions(npmValues+" -p --package -c --call", npmSwitches+" --ignore-existing --always-spawn")
	npmExecOptions = newOptions(npmValues+" --package -c --call", npmSwitches)
	npmOptions     = newOptions(npmValues, npmSwitches)
	bunxOptions    = newOptions("-p --package", "--bun -b --silent --verbose --no-install -y --yes")
	pnpmOptions    = newOptions("-C --dir --reporter --loglevel --registry --config --store-dir --cache-dir --filter -F --workspace-concurrency --package --allow-build --cpu --libc --os", "-s --silent -w --workspace-root -r --recursive --color --no-color --offline --prefer-offline --ignore-scripts --aggregate-output --stream -y --yes")
	dlxShell       = map[string]bool{"-c": true, "--shell-mode": true}
	yarnOptions    = newOptions("-p --package --cwd", "-q --quiet -s --silent")
)

// npmRedirects are options that choose what is fetched, from where, or what else
// runs beside it.
var npmRedirects = setOf("--registry --reg --userconfig --globalconfig --script-shell --shell --node-options --git --cafile --ca --proxy --https-proxy --prefix -C --no-strict-ssl --config --tag --before")

// runnerForm says how one launcher of the npm family names what it runs.
type runnerForm struct {
	name    string
	options options
	shell   map[string]bool // options that make a text for a shell of the words
	late    bool            // its options count behind the package too
}

func (g *grammar) npx(i int) {
	g.npmRunner(i+1, runnerForm{name: "npx", options: npxOptions, shell: setOf("-c --call")})
}

func (g *grammar) bunx(i int) { g.npmRunner(i+1, runnerForm{name: "bunx", options: bunxOptions}) }

func (g *grammar) pnpx(i int) { g.pnpmDlx(i + 1) }

func (g *grammar) pnpmDlx(i int) {
	o := pnpmOptions
	o.switches = union(o.switches, dlxShell)
	g.npmRunner(i, runnerForm{name: "pnpm dlx", options: o, shell: dlxShell})
}

func union(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]bool{a, b} {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

// npm reads "npm exec" and "npm x"; every other subcommand works on the project.
func (g *grammar) npm(i int) {
	g.launcher("npm", "")
	at, ok := g.options(i+1, npmOptions, g.redirects)
	switch sub := g.word(at); {
	case !ok:
	case sub == "exec" || sub == "x":
		g.npmRunner(at+1, runnerForm{name: "npm exec", options: npmExecOptions, shell: setOf("-c --call"), late: true})
	default:
		g.task("npm", at)
	}
}

func (g *grammar) pnpm(i int) {
	g.launcher("pnpm", "")
	at, ok := g.options(i+1, pnpmOptions, g.redirects)
	switch sub := g.word(at); {
	case !ok:
	case sub == "dlx":
		g.pnpmDlx(at + 1)
	default:
		g.task("pnpm", at)
	}
}

func (g *grammar) yarn(i int) {
	g.launcher("yarn", "")
	at, ok := g.options(i+1, yarnOptions, g.redirects)
	switch sub := g.word(at); {
	case !ok:
	case sub == "dlx":
		g.npmRunner(at+1, runnerForm{name: "yarn dlx", options: yarnOptions})
	default:
		g.task("yarn", at)
	}
}

// task is a subcommand that works on the project around the declaration.
func (g *grammar) task(name string, at int) {
	g.launcher(name, "")
	g.c.Module = true
	g.pin("local")
	if at < g.end() {
		g.c.Script, g.c.Args = at, at+1
	}
}

func (g *grammar) redirects(o option) {
	if npmRedirects[o.name] {
		g.c.Redirects = append(g.c.Redirects, o.at)
	}
}

// npmRunner reads what one of npm's family fetches and runs.
func (g *grammar) npmRunner(i int, form runnerForm) {
	g.launcher(form.name, "npm")
	if g.npmVariable() {
		g.confused(g.c.Inner, "a variable tells npm to take another package, or to run a text")
		return
	}
	var specs []int
	var joined []string
	shell := -1
	at, ok := g.options(i, form.options, func(o option) {
		g.redirects(o)
		switch {
		case o.name == "-p" || o.name == "--package":
			specs, joined = append(specs, o.at), append(joined, o.value)
		case form.shell[o.name] && !o.negates():
			shell = o.at
		}
	})
	if !ok {
		return
	}
	named := len(specs) > 0
	for n, spec := range joined {
		g.fetch(npmPackage(spec), specs[n])
	}
	switch {
	case shell >= 0:
		g.text(shell)
		return
	case form.late && g.word(at-1) != "--" && g.latePackage(at):
		return
	case at >= g.end():
		g.confused(at, "no package or program is named")
		return
	case named:
		g.c.Program, g.c.Args = g.word(at), at+1
	default:
		g.fetch(npmPackage(g.word(at)), at)
		g.c.Args = at + 1
	}
	g.through(at)
}

// latePackage tells of options that npm itself reads behind the package, where
// they look like the server's.
func (g *grammar) latePackage(at int) bool {
	for i := at + 1; i < g.end() && g.word(i) != "--"; i++ {
		if strings.HasPrefix(g.word(i), "-") && npmTakes(g.word(i)) {
			g.confused(i, "an option of npm stands behind the package, without -- in front of the server's own")
			return true
		}
	}
	return false
}

// npmTakes reports whether npm reads a word as an option that chooses what it
// runs: with any number of dashes, and cut short as long as that is unambiguous.
func npmTakes(w string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
	if name == "c" || name == "C" {
		return true
	}
	for long := range union(npmRedirects, setOf("--package --call")) {
		if len(name) > 1 && strings.HasPrefix(strings.TrimLeft(long, "-"), name) {
			return true
		}
	}
	return false
}

// npmVariable reports whether the environment of the launch holds an option of
// npm exec: npm reads npm_config_package as it reads --package.
func (g *grammar) npmVariable() bool {
	names := []string{}
	for _, b := range g.launch.Env {
		names = append(names, b.Name)
	}
	for _, at := range g.c.Assigned {
		name, _, _ := strings.Cut(g.word(at), "=")
		names = append(names, name)
	}
	for _, name := range names {
		switch foldName(name) {
		case "npmconfigpackage", "npmconfigcall":
			return true
		}
	}
	return false
}

// fetch adds one package.
func (g *grammar) fetch(p Package, at int) {
	p.Word = at
	if p.Ecosystem == "" {
		p.Ecosystem = g.c.Ecosystem
	}
	if variable(g.word(at)) && p.Source != "path" {
		g.doubt(at, "which package is fetched is the value of a variable")
	}
	if p.Source == "" {
		p.Source = "registry"
		g.doubt(at, "a package that is named in no form that is known here")
	}
	g.c.Packages = append(g.c.Packages, p)
	g.pin(p.Pin)
}

// variable reports whether a word holds a reference to a variable. What stands
// for it where a server is read must never be fetched.
func variable(w string) bool {
	return strings.ContainsAny(w, "$`") || strings.Count(w, "%") > 1 && windowsVariable.MatchString(w) || strings.Contains(w, "{env:")
}

var windowsVariable = pattern.Of(`%[A-Za-z_][A-Za-z0-9_]*%`)

// runnerPackages are packages whose program starts another command.
var runnerPackages = map[string]string{
	"dotenv-cli": "dotenv", "envmcp": "envmcp", "@anthropic-ai/sandbox-runtime": "srt", "@infisical/cli": "infisical",
}

// scriptRunners are packages whose program runs a file that is named behind it.
var scriptRunners = setOf("tsx ts-node esno jiti vite-node nodemon")

// through looks at what a fetched program runs in its turn: another command, a
// file of the repository, or an address. at is the word that names it.
func (g *grammar) through(at int) {
	name := path.Base(g.c.Program)
	if p, ok := g.c.Only(); ok && g.c.Program == "" {
		name = p.Name
	}
	next := g.c.Args
	switch file := g.word(next); {
	case runnerPackages[name] != "":
		g.c.Wrappers = append(g.c.Wrappers, g.c.Launcher)
		if inner := g.runnerAt(runnerPackages[name], at); inner >= 0 {
			g.c.Wrappers = append(g.c.Wrappers, runnerPackages[name])
			g.c.Program = ""
			g.command(inner)
		}
	case scriptRunners[name] && looksLikePath(file) && filePin(file) == "local":
		g.c.Script, g.c.Args = next, next+1
		g.c.Pin = "local"
	default:
		g.bridge(name, next)
	}
}

var (
	fullVersion = pattern.Of(`^[v=]*[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	// npmSpec is a package's name in the registry, with what is behind its "@".
	npmSpec     = pattern.Of(`^((?:@[a-z0-9~][a-z0-9._~-]*/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*)(?:@(.*))?$`)
	npmName     = pattern.Of(`^(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$`)
	npmSelector = pattern.Of(`^[^/:#@]*$`)
	commitID    = pattern.Of(`^[0-9a-f]{40}$`)
	shorthand   = pattern.Of(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+(#.*)?$`)
	gitHost     = pattern.Of(`^https?://(?:[^/@]*@)?(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)/[^/]+/[^/]+?(?:\.git)?(?:#.*)?$`)
)

// npmPackage reads a package specification of npm (npm-package-arg).
func npmPackage(spec string) Package {
	p := Package{Ecosystem: "npm", Pin: "floating"}
	if looksLikePath(spec) || strings.HasPrefix(spec, "file:") {
		p.Name, p.Source, p.Pin = spec, "path", filePin(strings.TrimPrefix(spec, "file:"))
		return p
	}
	if m := npmSpec.FindStringSubmatch(spec); m != nil {
		switch {
		case strings.HasPrefix(m[2], "npm:"):
			return npmPackage(strings.TrimPrefix(m[2], "npm:"))
		case npmSelector.MatchString(m[2]):
			p.Name, p.Spec, p.Source = m[1], m[2], "registry"
			if fullVersion.MatchString(m[2]) {
				p.Pin = "exact"
			}
			return p
		}
		inner := npmPackage(m[2])
		inner.Name = m[1]
		return inner
	}
	name, fragment, _ := strings.Cut(spec, "#")
	switch {
	case isGit(spec):
		p.Name, p.Spec, p.Source = name, fragment, "git"
		if commitID.MatchString(fragment) {
			p.Pin = "immutable"
		}
	case strings.HasPrefix(spec, "https://") || strings.HasPrefix(spec, "http://"):
		p.Name, p.Source = name, "url"
	default:
		p.Name = spec
	}
	return p
}

func isGit(spec string) bool {
	for _, s := range []string{"git+", "git://", "git@", "ssh://", "github:", "gitlab:", "bitbucket:", "gist:"} {
		if strings.HasPrefix(spec, s) {
			return true
		}
	}
	return shorthand.MatchString(spec) && spec[0] != '@' || gitHost.MatchString(spec)
}

// looksLikePath reports whether a word names a file by its form: one in a folder
// that is said, or with the ending of a package's archive.
func looksLikePath(w string) bool {
	return strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../") || strings.HasPrefix(w, `.\`) || strings.HasPrefix(w, `..\`) ||
		w == "." || w == ".." || absolute.MatchString(w) || strings.HasPrefix(w, "${workspaceFolder}") ||
		!strings.Contains(w, ":") && scriptFile.MatchString(w)
}

var scriptFile = pattern.Of(`\.(?:[cm]?[jt]sx?|py|tgz|tar\.gz|whl)$`)
