package manifest

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// ResolverConfig reports what the tree around a declaration tells the launcher of
// a package: another registry or index, a program that stands in for git, code
// that runs beside the package, or something that takes its place. Only files
// that the launcher at hand reads are looked at, in the base folder and above it.
func (t *Tree) ResolverConfig(base string, c Command) []finding.Finding {
	if !c.Configured() {
		return nil
	}
	r := resolverReader{tree: t, c: c}
	for _, dir := range foldersAbove(base) {
		for _, f := range resolverFormats {
			if r.who = c.among(f.by); r.who == "" {
				continue
			}
			for _, name := range t.named(dir)[f.name] {
				r.file(name, f)
			}
		}
		r.who = c.among(configured)
		r.shadows(dir)
	}
	return r.found
}

// resolverFormat is one file that a launcher reads.
type resolverFormat struct {
	name  string
	by    map[string]bool // first words of launchers
	parse syntax          // nil where the file is code
	judge func(*resolverReader, node)
}

// among is the launcher, or what wraps it, whose first word is in a set; empty
// where none is.
func (c Command) among(set map[string]bool) string {
	for _, name := range append([]string{c.Launcher}, c.Wrappers...) {
		if first, _, _ := strings.Cut(name, " "); set[first] {
			return name
		}
	}
	return ""
}

var resolverFormats []resolverFormat

func init() {
	npm, bun, pnpm, yarn := "npx npm", "bunx bun", "pnpm", "yarn"
	node := setOf(strings.Join([]string{npm, bun, pnpm, yarn}, " "))
	uv := setOf("uvx uv")
	deno := setOf("deno")
	resolverFormats = []resolverFormat{
		{".npmrc", setOf(npm + " bunx bun pnpm deno"), parseINI, (*resolverReader).npmrc},
		{"package.json", union(node, deno), parseJSON, (*resolverReader).packageJSON},
		{"bunfig.toml", setOf(bun), parseTOML, (*resolverReader).bunfig},
		{"pnpm-workspace.yaml", setOf(pnpm), parseYAML, (*resolverReader).pnpmWorkspace},
		{".pnpmfile.cjs", setOf(pnpm), nil, nil},
		{".pnpmfile.mjs", setOf(pnpm), nil, nil},
		{".yarnrc.yml", setOf(yarn), parseYAML, (*resolverReader).yarnrcYML},
		{".yarnrc", setOf(yarn), parseYarnrc, (*resolverReader).yarnrc},
		{"uv.toml", uv, parseTOML, (*resolverReader).uv},
		{"pyproject.toml", uv, parseTOML, (*resolverReader).pyproject},
		{"pip.conf", setOf("pipx"), parseINI, (*resolverReader).pipConf},
		{"deno.json", deno, parseJSON, (*resolverReader).denoJSON},
		{"deno.jsonc", deno, parseJSON, (*resolverReader).denoJSON},
	}
}

// resolverReader collects findings.
type resolverReader struct {
	tree  *Tree
	c     Command
	who   string // of the launchers the one that reads the file
	found []finding.Finding
	mild  bool // the launcher does not read the file as it is started here
}

func (r *resolverReader) file(name string, f resolverFormat) {
	switch {
	case f.parse == nil:
		r.tell(finding.At(name, 1, 1), true, "runs code whenever the launcher looks for a package")
	default:
		p := r.tree.read(name, f.parse)
		if p.problem != nil {
			r.tell(p.problem.Location, false, "cannot be read in full, so nobody can tell what it sets")
		} else if p.root.kind == object {
			f.judge(r, p.root)
		}
	}
}

// tell adds one finding: an error where another place or program decides what
// runs, else a warning.
func (r *resolverReader) tell(at finding.Location, grave bool, what string) {
	rule, level, who := "launch/resolver-config-minor", finding.Warning, r.who+" reads it"
	switch {
	case r.mild:
		who = r.who + " reads it only where it is told to"
	case grave:
		rule, level = "launch/resolver-config", finding.Error
	}
	f := finding.New(rule, level, at, fmt.Sprintf("%s %s: %s", finding.Claim(path.Base(at.File)).Short(60), what, who))
	f.Hint = "remove the setting; let each machine's own configuration decide where packages come from"
	r.found = append(r.found, f)
}

// sets tells of a setting with its value, without what could be a credential.
func (r *resolverReader) sets(m member, grave bool, what string) {
	value := m.value.text
	if value == "" {
		r.tell(m.at, grave, fmt.Sprintf("sets %s, which %s", finding.Claim(m.name).Quote(), what))
		return
	}
	shown, _ := secret.Mask(value)
	if secret.LooksSecret(m.name, value) {
		shown = secret.Mark
	}
	r.tell(m.at, grave, fmt.Sprintf("sets %s to %s, which %s", finding.Claim(m.name).Quote(), finding.Claim(shown).Quote(), what))
}

// What settings do, in the words of a finding.
const (
	namesRegistry = "names where packages come from"
	runsCode      = "runs code of the repository"
	bendsRoute    = "changes the way to the registry, or whom it trusts"
	namesPackage  = "puts something else in the package's place"
	sendsToken    = "sends a credential to the place that it names"
)

// settingTable says which settings of a file count, and what they do. The names
// are compared without regard to case, dashes and underscores.
type settingTable map[string]settingKind

type settingKind struct {
	grave bool
	what  string
}

func settingsOf(registry, code, route string) settingTable {
	out := settingTable{}
	for _, s := range strings.Fields(registry) {
		out[s] = settingKind{true, namesRegistry}
	}
	for _, s := range strings.Fields(code) {
		out[s] = settingKind{true, runsCode}
	}
	for _, s := range strings.Fields(route) {
		out[s] = settingKind{false, bendsRoute}
	}
	return out
}

func (t settingTable) judge(r *resolverReader, members []member) {
	for _, m := range members {
		if k, ok := t[foldName(m.name)]; ok && !off(m.value) {
			r.sets(m, k.grave, k.what)
		}
	}
}

// foldName makes one name of its spellings.
func foldName(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", "[]", "").Replace(s))
}

// off is a setting that sets nothing.
func off(n node) bool { return n.kind == null || n.kind == text && n.text == "" }

// child is the value under some names, each inside of the one before it.
func (n node) child(names ...string) node {
	for _, name := range names {
		m, ok := n.get(name)
		if !ok {
			return node{}
		}
		n = m.value
	}
	return n
}

// npmNames are the packages of npm that the launch fetches.
func (c Command) npmNames() []string {
	var out []string
	for _, p := range c.Packages {
		if p.Ecosystem == "npm" && p.Source == "registry" && npmName.MatchString(p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// programs are the names under which the launch looks for a program.
func (c Command) programs() []string {
	if c.Program != "" {
		return []string{path.Base(c.Program)}
	}
	var out []string
	for _, name := range c.npmNames() {
		out = append(out, path.Base(name))
	}
	return out
}

// shadows looks for what a launcher would take before the registry's package.
func (r *resolverReader) shadows(dir string) {
	var names []string
	for _, p := range r.c.npmNames() {
		names = append(names, "node_modules/"+p+"/package.json")
	}
	for _, p := range r.c.programs() {
		names = append(names, "node_modules/.bin/"+p)
	}
	for _, name := range names {
		file := path.Join(dir, name)
		if r.tree.has(file) && r.tree.committed(file) {
			r.tell(finding.At(file, 1, 1), true, "is committed below node_modules and is run in the place of the package")
		}
	}
}

// packageJSON looks at what the project says of the package that is launched.
func (r *resolverReader) packageJSON(root node) {
	for _, name := range r.c.npmNames() {
		for _, list := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"} {
			if m, ok := root.child(list).get(name); ok && elsewhereSpec(m.value.text) {
				r.sets(m, true, namesPackage)
			}
		}
		for _, list := range []node{root.child("overrides"), root.child("resolutions"), root.child("pnpm", "overrides"), root.child("bin")} {
			for _, m := range list.members {
				if m.name == name || m.name == "**/"+name || strings.HasPrefix(m.name, name+"@") {
					r.sets(m, true, namesPackage)
				}
			}
		}
	}
	bin := root.child("bin")
	for _, program := range r.c.programs() {
		own, named := root.get("name")
		switch m, ok := bin.get(program); {
		case ok && !slices.Contains(r.c.npmNames(), program):
			r.sets(m, true, namesPackage)
		case bin.kind == text && named && path.Base(own.value.text) == program:
			whole, _ := root.get("bin")
			r.sets(whole, true, namesPackage)
		}
	}
}

// elsewhereSpec reports whether a dependency comes from elsewhere than the
// registry under its own name.
func elsewhereSpec(spec string) bool {
	p := npmPackage("x@" + spec)
	return p.Source != "registry" || p.Name != "x" || strings.Contains(spec, ":") || strings.Contains(spec, "/")
}
