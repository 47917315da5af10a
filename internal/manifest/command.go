package manifest

import (
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Command is an argument vector as the grammar of launchers reads it: which
// program starts which, what is fetched, and where the server's own arguments
// begin. The options of npx and npm were taken from npm's own parser, those of
// docker and go from their programs, those of the others from their documents. An
// option that a launcher gained since then is not known, which keeps the launch
// from being started and hides nothing.
//
// Indexes refer to Words, which are the argument vector with each text for a
// shell or for "env -S" replaced by the words that it is split into. An index
// that points to nothing is -1.
type Command struct {
	Words []Word
	// Launcher is the program that fetches or interprets, with its subcommand:
	// "npx", "npm exec", "uv tool run", "docker run", "node". It is empty for a
	// program that is started by itself.
	Launcher string
	// Ecosystem is where the packages come from: npm, pypi, oci, deno, go or
	// nuget; empty where nothing is fetched.
	Ecosystem string
	Packages  []Package // what is fetched, in the order given
	// Program is the one of the packages' programs that is named apart from them
	// (npx -p PKG PROGRAM); empty where the launcher picks it by its own rule.
	Program  string
	Args     int      // the first word that is for the server; len(Words) where there is none
	Inner    int      // the launcher or program behind all wrappers
	Wrappers []string // what stands in front of it, outermost first
	Assigned []int    // words NAME=VALUE that set a variable on the way
	Bridge   *Bridge  // set where the program only passes on to an address
	Script   int      // the file, or module behind Module, that an interpreter runs
	Module   bool     // Script names a module or task, no file
	// Redirects are words that choose another registry, index, configuration or
	// shell for what is fetched.
	Redirects []int
	// Frozen: the launcher is told to take what a lock of the project says.
	Frozen bool
	Folder string // the folder of the project that "uv run" is told to use; empty for none
	// Pin says how far the words fix what runs: immutable (content named by a
	// digest), exact (one version), floating (what a registry hands out today),
	// local (a file of the repository), host (a program of the machine), remote (an
	// address) or indirect (a text for a shell, a catalog, another machine).
	// Of several packages the weakest counts. What is behind a bridge's address is
	// judged apart from it.
	Pin string
	// Why says what is not understood; such a launch is never started. Empty where
	// everything was.
	Why   string
	WhyAt int
	// Text is the word that is a text for a shell, or a flag in front of one.
	Text int
}

// Word is one word of a command, without its secret parts, and the argument that
// it stands in.
type Word struct {
	Text string
	Arg  int
}

// Package is one thing that a launcher fetches.
type Package struct {
	Name      string // as the registry knows it; of git and addresses without what is behind "#" or "@"
	Spec      string // the version, range, tag, digest or commit as written; empty for none
	Extras    string // of Python, as written: "[cli]"; empty for none
	Source    string // registry, git, url or path
	Ecosystem string
	Word      int
	Pin       string
}

// Bridge is a program that connects to a server at an address.
type Bridge struct {
	Name string
	URL  int // the word that holds the address
	Pin  string
}

// Command reads the launch's argument vector. That of a remote server is empty
// and pinned "remote".
func (l Launch) Command() Command {
	c := Command{Pin: "remote", Inner: -1, Script: -1, WhyAt: -1, Text: -1}
	if len(l.Argv) == 0 {
		return c
	}
	c.Pin = ""
	for i, a := range l.Argv {
		text := a.Shown
		if a.Secret > 0 && text == "" {
			text = secret.Mark
		}
		c.Words = append(c.Words, Word{text, i})
	}
	r := grammar{c: &c, launch: l}
	r.command(0)
	if c.Pin == "" {
		c.Pin = "indirect"
	}
	return c
}

// Fetches reports whether anything is taken from a registry, repository or
// address when the launch is started.
func (c Command) Fetches() bool {
	for _, p := range c.Packages {
		if p.Source != "path" {
			return true
		}
	}
	return false
}

// Configured reports whether the launcher reads configuration of the project's
// folders that can change what it fetches or runs.
func (c Command) Configured() bool {
	return slices.ContainsFunc(c.launchers(), func(name string) bool { return configured[name] })
}

// Uses reports whether one of the launchers, by their first word, fetches or
// starts anything on the way to the server.
func (c Command) Uses(names ...string) bool {
	return slices.ContainsFunc(c.launchers(), func(name string) bool { return slices.Contains(names, name) })
}

// launchers are the first words of the launcher and of what wraps it.
func (c Command) launchers() []string {
	var out []string
	for _, name := range append(slices.Clone(c.Wrappers), c.Launcher) {
		name, _, _ = strings.Cut(name, " ")
		out = append(out, name)
	}
	return out
}

var configured = setOf("npx npm pnpm yarn bun bunx uv uvx pipx deno")

// Shelled reports whether a shell stands between the host and what is started,
// also where its text was understood.
func (c Command) Shelled() bool {
	return c.Text >= 0 || slices.ContainsFunc(c.Wrappers, func(w string) bool { return shells[w] })
}

var shells = setOf("sh bash zsh dash ksh ash fish")

// Only is the one package of a registry that the launch fetches, if it fetches
// exactly one.
func (c Command) Only() (Package, bool) {
	if len(c.Packages) != 1 || c.Packages[0].Source != "registry" {
		return Package{}, false
	}
	return c.Packages[0], true
}

// File is the word of a launch that names the file an interpreter runs, or the
// program itself; empty where it is a module, a task or a package.
func (c Command) File() string {
	switch {
	case c.Inner < 0:
		return ""
	case c.Script >= 0 && !c.Module:
		return c.text(c.Script)
	case c.Script < 0 && c.Launcher == "" && c.Text < 0:
		return c.text(c.Inner)
	}
	return ""
}

func (c Command) text(i int) string {
	if i < 0 || i >= len(c.Words) {
		return ""
	}
	return c.Words[i].Text
}

// strength orders pins; of several parts the weakest says how far the whole is
// pinned.
var strength = []string{"indirect", "floating", "remote", "host", "local", "exact", "lockfile", "immutable"}

// Weakest is the weakest of some pins; empty without any.
func Weakest(pins ...string) string {
	out := ""
	for _, p := range pins {
		if out == "" {
			out = p
		}
		out = weaker(out, p)
	}
	return out
}

func weaker(a, b string) string {
	for _, p := range strength {
		if a == p || b == p {
			return p
		}
	}
	return ""
}

// grammar reads one command.
type grammar struct {
	c      *Command
	launch Launch
	depth  int
}

// maxNesting bounds wrappers in wrappers.
const maxNesting = 16

func (g *grammar) word(i int) string { return g.c.text(i) }
func (g *grammar) end() int          { return len(g.c.Words) }

// pin lowers the pin of the whole to that of one more part.
func (g *grammar) pin(p string) {
	if g.c.Pin == "" {
		g.c.Pin = p
		return
	}
	g.c.Pin = weaker(g.c.Pin, p)
}

// confused says what was not understood; only the first such thing is kept.
func (g *grammar) confused(at int, why string) {
	g.pin("indirect")
	g.doubt(at, why)
}

// doubt is what keeps a launch from being started although its pin is clear.
func (g *grammar) doubt(at int, why string) {
	if g.c.Why == "" {
		g.c.Why, g.c.WhyAt = why, min(at, g.end()-1)
	}
}

// launcher notes which launcher stands where, and that arguments of the server
// begin at none so far.
func (g *grammar) launcher(name, ecosystem string) {
	g.c.Launcher, g.c.Ecosystem, g.c.Args = name, ecosystem, g.end()
}

// command reads the program at word i with what belongs to it.
func (g *grammar) command(i int) {
	for g.depth++; i < g.end(); {
		g.c.Inner, g.c.Args = i, min(i+1, g.end())
		if g.depth > maxNesting {
			g.confused(i, "too many programs start one another")
			return
		}
		name := program(g.word(i))
		if wrap, ok := wrappers[name]; ok {
			next := wrap(g, i)
			if next < 0 {
				return
			}
			g.c.Wrappers = append(g.c.Wrappers, name)
			i = next
			g.depth++
			continue
		}
		if launch, ok := grammars[name]; ok {
			launch(g, i)
			return
		}
		g.plain(i)
		return
	}
}

// plain is a program that starts nothing that is known here.
func (g *grammar) plain(i int) {
	g.c.Args = i + 1
	name := program(g.word(i))
	switch {
	case elsewhere[name]:
		g.pin("indirect")
	case tasks[name] && !strings.ContainsAny(g.word(i), `/\`):
		g.c.Launcher, g.c.Module, g.c.Script = name, true, min(i+1, g.end()-1)
		g.pin("local")
	default:
		g.pin(pathPin(g.word(i)))
	}
	g.bridge(name, i+1)
}

// elsewhere are programs that run what a machine, container or catalog of
// another place says.
var elsewhere = setOf("ssh kubectl nix nix-shell mise pixi conda micromamba wsl flatpak snap devcontainer docker-compose podman-compose nerdctl")

// tasks are programs whose words name a task of the project.
var tasks = setOf("make just poetry pipenv pdm rye hatch rake bundle mvn gradle sbt mix cargo")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// grammars read the launchers and interpreters, wrappers what only stands in
// front of another command. A wrapper returns the word at which that begins, or
// -1 after it has read the command itself.
var (
	grammars map[string]func(*grammar, int)
	wrappers map[string]func(*grammar, int) int
)

func init() {
	grammars = map[string]func(*grammar, int){
		"npx": (*grammar).npx, "npm": (*grammar).npm, "bunx": (*grammar).bunx, "bun": (*grammar).bun,
		"pnpm": (*grammar).pnpm, "pnpx": (*grammar).pnpx, "yarn": (*grammar).yarn, "yarnpkg": (*grammar).yarn,
		"uvx": (*grammar).uvx, "uv": (*grammar).uv, "pipx": (*grammar).pipx,
		"docker": (*grammar).docker, "podman": (*grammar).docker, "deno": (*grammar).deno, "go": (*grammar).golang,
		"dnx": (*grammar).dnx, "dotnet": (*grammar).dotnet,
		"sh": (*grammar).shell, "bash": (*grammar).shell, "zsh": (*grammar).shell, "dash": (*grammar).shell, "ksh": (*grammar).shell,
		"ash": (*grammar).shell, "fish": (*grammar).shell, "powershell": (*grammar).powershell, "pwsh": (*grammar).powershell,
	}
	for name := range interpreters {
		grammars[name] = (*grammar).interpreter
	}
	wrappers = map[string]func(*grammar, int) int{
		"cmd": (*grammar).cmd, "env": (*grammar).env, "op": (*grammar).runner, "doppler": (*grammar).runner,
		"infisical": (*grammar).runner, "dotenv": (*grammar).runner, "envmcp": (*grammar).runner, "srt": (*grammar).runner,
	}
}
