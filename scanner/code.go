package scanner

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Repository code is what a launch runs or reads from the tree itself: the
// files and folders that it names, everything in the folder of their package,
// what links among them lead to, and what configures the resolver of a package.
// It is part of the launch: an approval of "node server.js" is one of these
// bytes, not of the name.
type code struct {
	named    []string // files that the launch names
	roots    []string // folders: of their packages, or named themselves
	resolver []string // files that configure a package's resolver
	pkgs     []string // packages that a launcher fetches
}

// packageManifests mark the root of a package.
var packageManifests = []string{
	"package.json", "pyproject.toml", "setup.py", "requirements.txt", "go.mod", "Cargo.toml", "deno.json", "deno.jsonc", "composer.json", "Gemfile", "pom.xml", "build.gradle",
}

// resolverFiles decide, for some client, what a launcher fetches.
var resolverFiles = []string{
	".npmrc", ".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml", "bunfig.toml", "uv.toml", "pip.conf",
	"deno.json", "deno.jsonc", "package.json", "package-lock.json",
}

// endings are what an interpreter tries behind a name.
var endings = []string{".js", ".mjs", ".cjs", ".ts", ".json", ".py", ".rb", ".php", "/index.js", "/index.mjs", "/index.ts", "/__main__.py"}

// codeOf finds the repository code of a target, at each place that declares it.
func (o Options) codeOf(t Target) code {
	var c code
	for _, e := range t.Declared {
		o.addCode(&c, e)
	}
	return c.join(code{})
}

// join is the code of both, sorted.
func (c code) join(d code) code {
	both := func(a, b []string) []string {
		all := slices.Concat(a, b)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return code{both(c.named, d.named), both(c.roots, d.roots), both(c.resolver, d.resolver), both(c.pkgs, d.pkgs)}
}

func (o Options) addCode(c *code, e manifest.Entry) {
	base, l := baseOf(e), e.Launch
	command := l.Command()
	fetched := command.Configured()
	if fetched {
		pkgs, shadows := fetchedNames(command)
		c.pkgs = append(c.pkgs, pkgs...)
		c.resolver = append(c.resolver, resolversAbove(o.Head, base, shadows)...)
	}
	script := o.addNames(c, e, command.File(), fetched)
	for _, word := range o.codeWords(e) {
		o.addNames(c, e, word, fetched || script && o.isBase(word, e))
	}
	switch {
	case command.Pin == "indirect": // a text for a shell may run anything here
		c.roots = append(c.roots, ".")
	case (command.Pin == "local" || command.Module) && !script: // a module or task of the project
		c.roots = append(c.roots, packageRoot(o.Head, path.Join(base, "x")))
	}
}

// isBase reports whether a word only names the folder in which a start happens.
func (o Options) isBase(word string, e manifest.Entry) bool {
	return slices.Contains(o.readings(word, e), baseOf(e))
}

// addNames takes what a word names: a file, and unless it is only data for a
// fetched program, a folder.
func (o Options) addNames(c *code, e manifest.Entry, word string, filesOnly bool) (found bool) {
	for _, name := range o.readings(word, e) {
		kind := kindOf(o.Head, name)
		for _, ending := range endings {
			if kind == 0 && strings.ContainsAny(word, "/.") && isFile(o.Head, name+ending) {
				name, kind = path.Clean(name+ending), plainFile
			}
		}
		switch {
		case manifest.Claims(name):
		case kind == plainFile:
			found = true
			c.addFile(o.Head, name)
		case kind == plainFolder && !filesOnly:
			found = true
			c.roots = append(c.roots, name)
		}
	}
	return found
}

// addFile adds a file, what it leads to where it is a link, and their packages.
func (c *code) addFile(fsys fs.FS, name string) {
	for _, n := range []string{name, resolveLinks(fsys, name)} {
		if n != "" {
			c.named = append(c.named, n)
			c.roots = append(c.roots, packageRoot(fsys, n))
		}
	}
}

// fetchedNames are the packages of npm that a launch fetches, empty for one that
// is none, and the names below node_modules that would shadow them.
func fetchedNames(c manifest.Command) (pkgs, shadows []string) {
	for _, p := range c.Packages {
		if p.Ecosystem != "npm" || p.Source != "registry" || !fs.ValidPath(p.Name) {
			pkgs = append(pkgs, "")
			continue
		}
		pkgs = append(pkgs, p.Name)
		shadows = append(shadows, "node_modules/"+p.Name+"/package.json", "node_modules/.bin/"+path.Base(p.Name))
	}
	if c.Program != "" {
		shadows = append(shadows, "node_modules/.bin/"+path.Base(c.Program))
	}
	if len(pkgs) == 0 {
		pkgs = append(pkgs, "")
	}
	return pkgs, shadows
}

// resolversAbove lists the resolver configuration in a folder and above it, and
// what would shadow a package there.
func resolversAbove(fsys fs.FS, dir string, shadows []string) []string {
	var out []string
	names := slices.Concat(resolverFiles, shadows)
	for ; ; dir = path.Dir(dir) {
		for _, name := range names {
			if file := path.Join(dir, name); isFile(fsys, file) {
				out = append(out, file)
			}
		}
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// treeRoot stands for the root of the tree in an expanded word.
const treeRoot = "/@root"

// codeWords are the parts of a launch that may name a file, as a start would
// have them: references replaced, texts for a shell or an interpreter cut up.
func (o Options) codeWords(e manifest.Entry) []string {
	l := e.Launch
	texts := []string{value(l.EnvFile)}
	for _, a := range l.Argv {
		texts = append(texts, a.Text.Reveal())
	}
	for _, b := range l.Env {
		if v := b.Value.Reveal(); b.Steers || !secret.LooksSecret(b.Name, v) {
			texts = append(texts, v)
		}
	}
	var out []string
	for _, text := range texts {
		text = expand(text, path.Join(treeRoot, baseOf(e)), o.Environment)
		out = append(out, text)
		out = append(out, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>,{}=$:", r) })...)
	}
	return out
}

// readings are the paths of the tree that a word may mean.
func (o Options) readings(word string, e manifest.Entry) []string {
	at := path.Join(treeRoot, baseOf(e))
	word = strings.ReplaceAll(expand(word, at, o.Environment), `\`, "/")
	if rest, ok := strings.CutPrefix(word+"/", treeRoot+"/"); ok {
		return []string{path.Clean("./" + rest)}
	}
	switch {
	case word == "":
		return nil
	case path.IsAbs(word):
		if o.Locate != nil {
			if name, ok := o.Locate(word); ok {
				return []string{name}
			}
		}
		return nil
	}
	out := []string{path.Join(baseOf(e), word)}
	if dir := value(e.Launch.Dir); dir != "" {
		if dir = expand(dir, at, o.Environment); !path.IsAbs(dir) {
			dir = path.Join(at, dir)
		}
		if in, ok := strings.CutPrefix(dir+"/", treeRoot+"/"); ok {
			out = append(out, path.Join(".", in, word))
		}
	}
	return out
}

// packageRoot is the nearest folder above a file that holds a package manifest,
// else the file's own.
func packageRoot(fsys fs.FS, file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, name := range packageManifests {
			if isFile(fsys, path.Join(dir, name)) {
				return dir
			}
		}
		if dir == "." {
			return path.Dir(file)
		}
	}
}

// The kinds of what a name leads to; zero for nothing in the tree.
const (
	plainFile = iota + 1
	plainFolder
)

func kindOf(fsys fs.FS, name string) int {
	if fsys == nil || !fs.ValidPath(name) {
		return 0
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return 0
	case info.IsDir():
		return plainFolder
	case info.Mode().IsRegular():
		return plainFile
	}
	return 0
}

func isFile(fsys fs.FS, name string) bool { return kindOf(fsys, name) == plainFile }

// resolveLinks is the path that a name leads to when every link in it is
// followed; empty where that is the name itself or lies outside of the tree.
func resolveLinks(fsys fs.FS, name string) string {
	const most = 40
	at, todo := ".", strings.Split(name, "/")
	for hops := 0; len(todo) > 0; {
		next := path.Join(at, todo[0])
		todo = todo[1:]
		info, err := fs.Lstat(fsys, next)
		switch {
		case err != nil || !fs.ValidPath(next):
			return ""
		case info.Mode()&fs.ModeSymlink == 0:
			at = next
			continue
		}
		to, err := fs.ReadLink(fsys, next)
		if hops++; err != nil || hops > most || path.IsAbs(to) || !fs.ValidPath(path.Join(at, to)) {
			return ""
		}
		todo, at = append(strings.Split(path.Join(at, to), "/"), todo...), "."
	}
	if at == name {
		return ""
	}
	return at
}
