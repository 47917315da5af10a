// Package toolwarrant_test holds the laws of the module as a whole: which room
// may import what, and that what is written about the code is current.
//
// Files are read in process. A test that asks `go list` is answered from the
// test cache and misses a violation; the cache knows the files that a test opens.
package toolwarrant_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/toolwarrant/toolwarrant"

// source is one Go file.
type source struct {
	path string // slash-separated, from the module's root
	tree *ast.File
	fset *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func parse(t *testing.T, name string, src []byte) source {
	t.Helper()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return source{name, tree, fset}
}

// walk calls visit for every file of the module that the go command looks at,
// whatever its build constraints.
func walk(t *testing.T, visit func(file string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (hidden || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && !hidden:
			visit(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sources reads every Go file of the module outside its root, which holds tests
// only.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	walk(t, func(file string) {
		if path.Ext(file) != ".go" || path.Dir(file) == "." && strings.HasSuffix(file, "_test.go") {
			return
		}
		src, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, parse(t, file, src))
	})
	if len(out) == 0 {
		t.Fatal("no Go file was found: the test does not run in the module's root")
	}
	return out
}

// TestLayout holds every file against its room's row.
func TestLayout(t *testing.T) {
	for _, s := range sources(t) {
		for _, complaint := range complaints(rooms, s) {
			t.Error(complaint)
		}
	}
}

// TestNoForeignCode: what is not Go is not read by TestLayout.
func TestNoForeignCode(t *testing.T) {
	walk(t, func(file string) {
		if slices.Contains([]string{".s", ".S", ".c", ".h", ".cc", ".cpp", ".m", ".syso", ".swig"}, path.Ext(file)) {
			t.Errorf("%s: the module is Go alone", file)
		}
	})
}

// TestTable: no room holds a grant that it does not use.
func TestTable(t *testing.T) {
	used := map[string]map[string]bool{}
	for _, s := range sources(t) {
		r, ok := roomOf(rooms, s.path)
		if !ok {
			continue // TestLayout says so
		}
		if used[r.dir] == nil {
			used[r.dir] = map[string]bool{}
		}
		if !s.test() {
			maps.Copy(used[r.dir], usedBy(s))
		}
	}
	for _, r := range rooms {
		for _, grant := range slices.Concat(r.powers, r.modules) {
			if used[r.dir] != nil && !used[r.dir][grant] {
				t.Errorf("%s may use %s and does not: take the grant out of its row", r.dir, grant)
			}
		}
		for _, name := range r.imports {
			if !slices.ContainsFunc(rooms, func(other room) bool { return name == "*" || other.dir == name }) {
				t.Errorf("%s may import %s, which has no row", r.dir, name)
			}
		}
	}
}

// usedBy is what a file draws on outside the module: packages of the standard
// library and modules.
func usedBy(s source) map[string]bool {
	used := map[string]bool{}
	for _, i := range s.imports() {
		if !foreign(i.path) {
			used[i.path] = true
		}
		for _, r := range rooms {
			for _, m := range r.modules {
				if within(i.path, m) {
					used[m] = true
				}
			}
		}
	}
	return used
}

// roomOf finds the row of a file.
func roomOf(rooms []room, file string) (room, bool) {
	for _, r := range rooms {
		if ok, err := path.Match(r.dir, file); err == nil && ok || r.dir == path.Dir(file) {
			return r, true
		}
	}
	return room{}, false
}

// imported is one import of a file: a path and the name that the file gives it.
type imported struct {
	path, name string
	at         token.Pos
}

func (s source) imports() []imported {
	var out []imported
	for _, spec := range s.tree.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // the parser has seen that it is a string
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out = append(out, imported{p, name, spec.Pos()})
	}
	return out
}

// foreign reports whether an import is of another module.
func foreign(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return strings.Contains(first, ".")
}

// within reports whether a package lies in a module.
func within(pkg, module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }

// law judges one file of one room.
type law struct {
	source
	room  room
	rooms []room
	found []string
}

// complaints are the violations in one file, each with what to do.
func complaints(rooms []room, s source) []string {
	r, ok := roomOf(rooms, s.path)
	if !ok {
		return []string{fmt.Sprintf("%s: the folder %s has no row in rooms_test.go: move the file to the room whose purpose it serves, or give the folder a row", s.path, path.Dir(s.path))}
	}
	l := &law{source: s, room: r, rooms: rooms}
	l.names()
	for _, i := range s.imports() {
		l.judge(i)
	}
	l.calls()
	return l.found
}

func (l *law) complain(at token.Pos, format string, args ...any) {
	place := l.path
	if at.IsValid() {
		place += ":" + strconv.Itoa(l.fset.Position(at).Line)
	}
	l.found = append(l.found, fmt.Sprintf("%s: room %s: %s", place, l.room.dir, fmt.Sprintf(format, args...)))
}

// names refuses rooms named for what they are not.
func (l *law) names() {
	for _, name := range append(strings.Split(path.Dir(l.path), "/"), strings.TrimSuffix(l.tree.Name.Name, "_test")) {
		if slices.Contains(bannedNames, name) {
			l.complain(token.NoPos, "%q says nothing of a purpose: name the room by its own", name)
		}
	}
}

func (l *law) judge(i imported) {
	switch {
	case bannedPackages[i.path] != "" && !slices.Contains(l.room.powers, i.path):
		l.complain(i.at, "imports %q, which is banned: %s", i.path, bannedPackages[i.path])
	case i.name == ".":
		l.complain(i.at, "imports %q into its own scope: name it, so that a reader and this test see what is used", i.path)
	case within(i.path, module):
		l.own(i)
	case foreign(i.path):
		l.module(i)
	default:
		l.power(i.at, i.path, fmt.Sprintf("imports %q", i.path))
	}
}

// own judges an import of this module. Test files may import any room.
func (l *law) own(i imported) {
	dir := strings.TrimPrefix(i.path, module+"/")
	target, ok := roomOf(l.rooms, dir+"/any.go")
	switch {
	case l.test():
	case !ok:
		l.complain(i.at, "imports %s, which has no row in rooms_test.go", dir)
	case target.unshipped && !l.room.unshipped:
		l.complain(i.at, "imports %s, which is for tests and in no shipped binary: only _test.go files may", dir)
	case !slices.Contains(l.room.imports, dir) && !slices.Contains(l.room.imports, "*"):
		l.complain(i.at, "may not import %s: hand the value in from a room that may, or, with a reason, add it to the row in rooms_test.go", dir)
	}
}

// module judges an import of another module. Test files may use any that some
// room owns.
func (l *law) module(i imported) {
	owns := func(modules []string) bool {
		return slices.ContainsFunc(modules, func(m string) bool { return within(i.path, m) })
	}
	owned := slices.ContainsFunc(l.rooms, func(r room) bool { return owns(r.modules) })
	switch {
	case owns(l.room.modules), l.test() && (owned || owns(testModules)):
	case owns(testModules):
		l.complain(i.at, "imports %s, which is for _test.go files only", i.path)
	case owned:
		l.complain(i.at, "imports %s, which belongs to other rooms: use it through one of them", i.path)
	default:
		l.complain(i.at, "imports %s, which no room owns: do without it, or, with a reason, add its module to the row in rooms_test.go", i.path)
	}
}

// power judges the use of the standard library. Test files have all powers.
func (l *law) power(at token.Pos, power, what string) {
	if l.test() || slices.Contains(pure, power) || slices.Contains(l.room.powers, power) {
		return
	}
	l.complain(at, "%s and does not hold the power %q: move the code to a room that does, or, with a reason, grant it in the row in rooms_test.go", what, power)
}

// calls judges functions that need a power though their package needs none, and
// those that are banned.
func (l *law) calls() {
	paths := map[string]string{}
	for _, i := range l.imports() {
		paths[i.name] = i.path
	}
	ast.Inspect(l.tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := sel.X.(*ast.Ident); ok && paths[pkg.Name] != "" {
			l.call(sel.Pos(), paths[pkg.Name]+"."+sel.Sel.Name)
		}
		return true
	})
}

func (l *law) call(at token.Pos, name string) {
	if why := bannedFunctions[name]; why != "" {
		l.complain(at, "uses %s, which is banned: %s", name, why)
	}
	if power := powerful[name]; power != "" {
		l.power(at, power, "uses "+name)
	}
}

// TestMainIsShort: main dispatches and exits; what it would do more belongs to a
// function that a test can call.
func TestMainIsShort(t *testing.T) {
	const most = 15
	name := "cmd/toolwarrant/main.go"
	src, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	s := parse(t, name, src)
	found := false
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "main" || f.Recv != nil {
			continue
		}
		found = true
		if n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; n >= most {
			t.Errorf("%s: main has %d lines: move all but the dispatch out of it (fewer than %d)", name, n, most)
		}
	}
	if !found {
		t.Errorf("%s has no main", name)
	}
}

// TestLawBites breaks each part of the law once.
func TestLawBites(t *testing.T) {
	own := func(room string) string { return fmt.Sprintf("import _ %q", module+"/"+room) }
	tests := []struct {
		name, file, body string
		want             string // in the one complaint; empty for none
	}{
		{"a room it may import", "lockfile/x.go", own("internal/canon"), ""},
		{"a room it may not import", "lockfile/x.go", own("internal/store"), "may not import internal/store"},
		{"a test may import any room", "lockfile/x_test.go", own("internal/store"), ""},
		{"a room without a row", "cmd/toolwarrant/x.go", own("internal/nowhere"), "no row"},
		{"a folder without a row", "internal/nowhere/x.go", "", "no row"},
		{"a folder below a room", "lockfile/inner/x.go", "", "no row"},
		{"the module's root", "x.go", "", "no row"},
		{"the fake server in a shipped room", "cmd/toolwarrant/x.go", own("internal/fakemcp"), "in no shipped binary"},
		{"the measurements in a shipped room", "scanner/x.go", own("internal/eval"), "in no shipped binary"},
		{"the fake server in a test", "internal/inspect/x_test.go", own("internal/fakemcp"), ""},
		{"the fake server in a measurement", "internal/eval/x.go", own("internal/fakemcp"), ""},
		{"a power it has", "internal/store/x.go", `import _ "os"`, ""},
		{"a power it has not", "internal/surface/x.go", `import _ "os"`, `power "os"`},
		{"a power in a test", "internal/surface/x_test.go", `import _ "net/http"`, ""},
		{"the clock", "finding/x.go", `import _ "time"`, `power "time"`},
		{"the clock in a rule", "scanner/rule_x.go", `import _ "time"`, `power "time"`},
		{"a rule has less than its room", "scanner/rule_x.go", `import _ "context"`, `power "context"`},
		{"its room has that", "scanner/x.go", `import _ "context"`, ""},
		{"a rule imports less than its room", "scanner/rule_x.go", own("internal/inspect"), "may not import internal/inspect"},
		{"chance", "lockfile/x.go", `import _ "math/rand/v2"`, `power "math/rand/v2"`},
		{"an unknown package of the library", "scanner/x.go", `import _ "testing/fstest"`, `power "testing/fstest"`},
		{"reflection", "lockfile/x.go", `import _ "reflect"`, ""},
		{"unsafe", "internal/sandbox/x.go", `import _ "unsafe"`, "banned"},
		{"unsafe in a test", "internal/sandbox/x_test.go", `import _ "unsafe"`, "banned"},
		{"unsafe in the one file that may", "internal/sandbox/kernel_linux.go", `import _ "unsafe"`, ""},
		{"cgo", "internal/sandbox/x.go", `import "C"`, "banned"},
		{"a dot import", "finding/x.go", `import . "strings"`, "into its own scope"},
		{"a module of another room", "scanner/x.go", `import _ "github.com/tailscale/hujson"`, "belongs to other rooms"},
		{"a package of its module", "internal/tree/x.go", `import _ "github.com/go-git/go-git/v5/plumbing"`, ""},
		{"a module with the same beginning", "internal/tree/x.go", `import _ "github.com/go-git/go-git/v5x"`, "no room owns"},
		{"a module that nobody owns", "finding/x_test.go", `import _ "example.com/m"`, "no room owns"},
		{"a test's module in a shipped file", "finding/x.go", `import _ "github.com/google/go-cmp/cmp"`, "_test.go files only"},
		{"a test's module in a test", "finding/x_test.go", `import _ "github.com/google/go-cmp/cmp"`, ""},
		{"DirFS", "internal/store/x.go", "import \"os\"\nvar _ = os.DirFS(\".\")", "os.DirFS"},
		{"DirFS by another name", "internal/store/x.go", "import o \"os\"\nvar _ = o.DirFS", "os.DirFS"},
		{"DirFS in a test", "finding/x_test.go", "import \"os\"\nvar _ = os.DirFS(\".\")", "os.DirFS"},
		{"standard output", "finding/x.go", "import \"fmt\"\nvar _, _ = fmt.Println()", `power "os"`},
		{"a look at the disk", "scanner/x.go", "import \"path/filepath\"\nvar _, _ = filepath.Glob(\"*\")", `power "os"`},
		{"a path alone", "scanner/x.go", "import \"path/filepath\"\nvar _ = filepath.Join(\"a\", \"b\")", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := complaints(rooms, parse(t, tt.file, []byte("package x\n"+tt.body+"\n")))
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("complaints %q, want none", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want) || !strings.HasPrefix(got[0], tt.file)):
				t.Errorf("complaints %q, want one of %s about %q", got, tt.file, tt.want)
			}
		})
	}
}

// TestBannedNames: neither a folder nor a package is called by what it is not,
// even where it has a row.
func TestBannedNames(t *testing.T) {
	for _, tt := range []struct{ file, pkg string }{
		{"internal/util/x.go", "util"}, {"internal/plain/x.go", "helpers"}, {"internal/plain/x_test.go", "common_test"}, {"models/x.go", "models"},
	} {
		s := parse(t, tt.file, []byte("package "+tt.pkg+"\n"))
		if got := complaints([]room{{dir: path.Dir(tt.file)}}, s); len(got) == 0 || !strings.Contains(got[0], "says nothing of a purpose") {
			t.Errorf("%s, package %s: complaints %q", tt.file, tt.pkg, got)
		}
	}
}
