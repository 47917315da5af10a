package fetch

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// Artifact is a tree whose bytes were verified. Only [Depot.Install] makes one.
type Artifact struct {
	tree   Tree
	digest string
	dir    string
}

// Tree is what was installed, Digest its digest.
func (a Artifact) Tree() Tree     { return a.tree }
func (a Artifact) Digest() string { return a.digest }

// Dir is the folder that holds node_modules, absolute.
func (a Artifact) Dir() string { return a.dir }

// Program is what of a tree is started.
type Program struct {
	Package string   // that holds it
	File    string   // below the package's folder
	script  bool     // of Node
	flags   []string // that its first line gives Node
	at      string   // on disk
}

// ErrProgram says that a package names no program to start, or several of which
// none has its name.
var ErrProgram error = noProgram{}

type noProgram struct{}

func (noProgram) Error() string { return "the package names no program that npx would start" }

// Hint says what to do.
func (noProgram) Hint() string {
	return "name one of its programs with npx --package=PACKAGE PROGRAM; toolwarrant seal --launch-only locks the launch as it is"
}

// Program finds what npx would start. Without a name that is, of the package that
// was asked for, its only program, or the one with the package's name (libnpmexec,
// get-bin-from-manifest); with one it is that program of one of the packages.
func (a Artifact) Program(pkg, name string) (Program, error) {
	if name == "" {
		bins, err := a.bins(pkg)
		if err != nil {
			return Program{}, err
		}
		file, ok := chosen(bins, pkg)
		if !ok {
			return Program{}, ErrProgram
		}
		return a.program(pkg, file)
	}
	found := map[string]string{}
	for _, p := range slices.Sorted(maps.Keys(a.tree.Root)) {
		bins, err := a.bins(p)
		if err != nil {
			return Program{}, err
		}
		if file, ok := bins[name]; ok {
			found[p] = file
		}
	}
	if len(found) != 1 {
		return Program{}, ErrProgram
	}
	for p, file := range found {
		return a.program(p, file)
	}
	return Program{}, ErrProgram
}

// bins are the programs of a package, by name.
func (a Artifact) bins(pkg string) (map[string]string, error) {
	m, ok := readManifest(a.folder(pkg))
	if bins := m.programs(); ok && len(bins) > 0 {
		return bins, nil
	}
	return nil, ErrProgram
}

func chosen(bins map[string]string, pkg string) (string, bool) {
	files := slices.Compact(slices.Sorted(maps.Values(bins)))
	if len(files) == 1 {
		return files[0], true
	}
	file, ok := bins[base(pkg)]
	return file, ok
}

// base is the name of a package without its scope.
func base(pkg string) string { return pkg[strings.LastIndexByte(pkg, '/')+1:] }

func (a Artifact) folder(pkg string) string {
	return filepath.Join(a.dir, "node_modules", filepath.FromSlash(pkg))
}

func (a Artifact) program(pkg, file string) (Program, error) {
	p := Program{Package: pkg, File: file, at: filepath.Join(a.folder(pkg), filepath.FromSlash(file))}
	f, err := os.Open(p.at)
	if err != nil {
		return Program{}, fmt.Errorf("%w: %s is not in it", ErrProgram, file)
	}
	defer func() { _ = f.Close() }()
	line := make([]byte, maxFirstLine)
	n, err := io.ReadFull(f, line)
	first, _, ended := strings.Cut(string(line[:n]), "\n")
	m := nodeScript.FindStringSubmatch(strings.TrimSpace(first))
	if m == nil {
		p.script = !strings.HasPrefix(first, "#!") && isJavaScript(file)
		return p, nil
	}
	p.script, p.flags = true, strings.Fields(m[1])
	if cut := !ended && err == nil; !cut && !slices.ContainsFunc(p.flags, isNoFlag) {
		return p, nil
	}
	return Program{}, fmt.Errorf("%w: the first line of %s gives node a word that is no plain flag", ErrProgram, file)
}

// maxFirstLine is the most of a first line that systems read (Linux: 256 bytes).
const maxFirstLine = 512

// nodeScript is the first line of a program that Node runs, with the words behind
// its name.
var nodeScript = pattern.Of(`^#!\s*\S*(?:/node|/env(?:\s+-S)?\s+node)(?:\s+(.*))?$`)

// nodeFlag is a flag that means the same with a shell and without.
var nodeFlag = pattern.Of(`^--?[A-Za-z][A-Za-z0-9=._,:/@+-]*$`)

func isNoFlag(word string) bool { return !nodeFlag.MatchString(word) }

func isJavaScript(file string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(file))
}

// Command is the argument vector that starts the program, with node and its flags
// where its first line asks for it.
func (p Program) Command(node string, args []string) []string {
	if p.script {
		return slices.Concat([]string{node}, p.flags, []string{p.at}, args)
	}
	return append([]string{p.at}, args...)
}
