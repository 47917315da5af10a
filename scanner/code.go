package scanner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Repository code is what a launch runs or reads from the tree itself: the
// files that it names, everything in the folder of their package, and what
// configures the resolver of a package. It is part of the launch: an approval
// of "node server.js" is one of these bytes, not of the name.
type code struct {
	named    []string // files that the launch names
	roots    []string // folders of their packages
	resolver []string // files that configure a package's resolver
	pkg      string   // the package that a launcher fetches, empty for none
}

// The most repository code that is looked at.
const (
	maxCodeFiles = 20000
	maxCodeBytes = 256 << 20
)

// errTooMuchCode says that repository code exceeds the bounds.
var errTooMuchCode = errors.New("more repository code than is looked at")

// packageManifests mark the root of a package.
var packageManifests = []string{
	"package.json", "pyproject.toml", "setup.py", "requirements.txt", "go.mod", "Cargo.toml", "deno.json", "composer.json", "Gemfile", "pom.xml", "build.gradle",
}

// resolverFiles decide, for some client, what a launcher fetches.
var resolverFiles = []string{
	".npmrc", ".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml", "uv.toml", "pip.conf", "deno.json", "package.json", "package-lock.json",
}

// codeOf finds the repository code of a target, from the words that it would be
// started with.
func (o Options) codeOf(t Target) code {
	fsys, base, l := o.Head, t.base(), t.Declared[0].Launch
	var c code
	for _, word := range o.codeWords(t) {
		for _, name := range o.filesNamed(word, t) {
			if isFile(fsys, name) && !manifest.Claims(name) {
				c.named = append(c.named, name)
				c.roots = append(c.roots, packageRoot(fsys, name))
			}
		}
	}
	switch pin := manifest.Pin(l); {
	case pin == "indirect": // a text for a shell may run anything here
		c.roots = append(c.roots, ".")
	case pin == "local" && len(c.named) == 0: // a module or task of the project
		c.roots = append(c.roots, packageRoot(fsys, path.Join(base, "x")))
	}
	if pkg, _, ok := manifest.NPX(l.Argv); ok {
		c.pkg = pkg
	}
	if manifest.Fetched(l) {
		c.resolver = resolversAbove(fsys, base)
	}
	for _, list := range []*[]string{&c.named, &c.roots, &c.resolver} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return c
}

// resolversAbove lists the resolver configuration in a folder and above it.
func resolversAbove(fsys fs.FS, dir string) []string {
	var out []string
	for ; ; dir = path.Dir(dir) {
		for _, name := range resolverFiles {
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
func (o Options) codeWords(t Target) []string {
	l := t.Declared[0].Launch
	texts := []string{value(l.EnvFile)}
	for _, a := range l.Argv {
		texts = append(texts, expand(a.Text.Reveal(), path.Join(treeRoot, t.base()), o.Environment))
	}
	for _, b := range l.Env {
		if v := b.Value.Reveal(); b.Steers || !secret.LooksSecret(b.Name, v) {
			texts = append(texts, expand(v, path.Join(treeRoot, t.base()), o.Environment))
		}
	}
	var out []string
	for _, text := range texts {
		out = append(out, text)
		out = append(out, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>,{}=$:", r) })...)
	}
	return out
}

// filesNamed are the readings of a word as a path of the tree.
func (o Options) filesNamed(word string, t Target) []string {
	word = strings.ReplaceAll(word, `\`, "/")
	root := strings.TrimSuffix(strings.ReplaceAll(o.Root, `\`, "/"), "/")
	for _, prefix := range []string{treeRoot, root} {
		if rest, ok := strings.CutPrefix(word, prefix+"/"); ok && prefix != "" {
			return []string{path.Clean(rest)}
		}
	}
	if word == "" || path.IsAbs(word) {
		return nil
	}
	out := []string{path.Join(t.base(), word)}
	if dir := value(t.Declared[0].Launch.Dir); dir != "" && !path.IsAbs(dir) {
		out = append(out, path.Join(t.base(), dir, word))
	}
	return out
}

func isFile(fsys fs.FS, name string) bool {
	if fsys == nil || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
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

// files lists the files of the code that lie in a tree. tracked is the tree
// whose names count as the repository's: the work tree of a person also holds
// what was built and installed there.
func (c code) files(fsys, tracked fs.FS) ([]string, error) {
	set := map[string]bool{}
	for _, name := range slices.Concat(c.named, c.resolver) {
		set[name] = true
	}
	from := tracked
	if from == nil {
		from = fsys
	}
	for _, root := range c.roots {
		err := fs.WalkDir(from, root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && (name == ".git" || name == ".toolwarrant" || tracked == nil && d.Name() == "node_modules"):
				return fs.SkipDir
			case d.IsDir() || manifest.Claims(name):
				return nil
			case len(set) >= maxCodeFiles:
				return errTooMuchCode
			}
			set[name] = true
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(set)), nil
}

// digest covers the code and the plain literals that a launch binds: the digest
// of sorted lines "sha256 path" and "literal NAME VALUE".
func (c code) digest(fsys, tracked fs.FS, l manifest.Launch) (string, error) {
	names, err := c.files(fsys, tracked)
	if err != nil {
		return "", err
	}
	var lines []string
	budget := int64(maxCodeBytes)
	for _, name := range names {
		data, err := c.read(fsys, name, &budget)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(data)
		lines = append(lines, hex.EncodeToString(sum[:])+" "+name)
	}
	for _, b := range l.Env {
		if v := b.Value.Reveal(); b.Literal && !secret.LooksSecret(b.Name, v) { // others are replaced before a start
			lines = append(lines, "literal "+b.Name+" "+v)
		}
	}
	return canon.Digest(canon.Code, []byte(strings.Join(lines, "\n"))), nil
}

// read is the part of a file that decides: of a package.json beside a fetched
// package only what can redirect that package.
func (c code) read(fsys fs.FS, name string, budget *int64) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []byte("absent"), nil
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w", name, err)
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := fs.ReadLink(fsys, name)
		return []byte("link " + to), err
	}
	if *budget -= info.Size(); *budget < 0 {
		return nil, errTooMuchCode
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if slices.Contains(c.resolver, name) && !slices.Contains(c.named, name) {
		switch path.Base(name) {
		case "package.json":
			data = redirects(data, c.pkg)
		case "package-lock.json":
			if !bytes.Contains(data, []byte(`"node_modules/`+c.pkg+`"`)) {
				data = nil
			}
		}
	}
	return data, nil
}

// redirects is what a package.json says about one package: a dependency or bin
// of its name, overrides and workspaces. What cannot be parsed counts whole.
func redirects(data []byte, pkg string) []byte {
	var all map[string]json.RawMessage
	if canon.Guard(data, canon.MaxDepth) != nil || json.Unmarshal(data, &all) != nil {
		return data
	}
	out := map[string]any{}
	for _, name := range []string{"overrides", "resolutions", "workspaces", "pnpm"} {
		if all[name] != nil {
			out[name] = all[name]
		}
	}
	for _, name := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "bin"} {
		var deps map[string]json.RawMessage
		if json.Unmarshal(all[name], &deps) == nil && deps[pkg] != nil {
			out[name] = deps[pkg]
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return data
	}
	return text
}

// changed lists the files of the code that differ between the anchor and the
// head, and those that only one of them has.
func (c code) changed(anchor, head, tracked fs.FS) ([]string, error) {
	if anchor == nil {
		return nil, nil
	}
	mine, err := c.files(head, tracked)
	if err != nil {
		return nil, err
	}
	theirs, err := c.files(anchor, nil)
	if err != nil {
		return nil, err
	}
	names := slices.Concat(mine, theirs)
	slices.Sort(names)
	var out []string
	ours, others := int64(maxCodeBytes), int64(maxCodeBytes)
	for _, name := range slices.Compact(names) {
		if sameID(anchor, head, name) {
			continue
		}
		a, err := c.read(anchor, name, &others)
		if err != nil {
			return nil, err
		}
		h, err := c.read(head, name, &ours)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(a, h) {
			out = append(out, name)
		}
	}
	return out, nil
}

// sameID compares git's own digests where both trees know them.
func sameID(a, b fs.FS, name string) bool {
	type known interface{ ID(string) (string, bool) }
	x, ok := a.(known)
	if !ok {
		return false
	}
	y, ok := b.(known)
	if !ok {
		return false
	}
	i, here := x.ID(name)
	j, there := y.ID(name)
	return here && there && i == j
}

// installs reports whether the code needs packages that are not there: then
// nobody can tell what it would declare.
func (c code) installs(fsys fs.FS) bool {
	for _, root := range c.roots {
		data, err := fs.ReadFile(fsys, path.Join(root, "package.json"))
		if err != nil {
			continue
		}
		var p struct{ Dependencies map[string]json.RawMessage }
		if canon.Guard(data, canon.MaxDepth) != nil || json.Unmarshal(data, &p) != nil {
			return true
		}
		if info, err := fs.Stat(fsys, path.Join(root, "node_modules")); len(p.Dependencies) > 0 && (err != nil || !info.IsDir()) {
			return true
		}
	}
	return false
}
