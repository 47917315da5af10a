package inspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources parses the package without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ast.File{}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = f
		}
	}
	return out
}

// The methods are the seven of allow.go: the type method is mentioned as a value
// nowhere else, and no literal of the package spells another method that calls.
func TestMethodsAreClosed(t *testing.T) {
	var methods []string
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if id, ok := lit.Type.(*ast.Ident); !ok || id.Name != "method" {
				return true
			}
			if name != "allow.go" || len(lit.Elts) != 1 {
				t.Errorf("%s makes a method of its own", name)
				return true
			}
			text, err := strconv.Unquote(lit.Elts[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			methods = append(methods, text)
			return true
		})
	}
	slices.Sort(methods)
	if !slices.Equal(methods, allowed) {
		t.Errorf("got %v, want %v", methods, allowed)
	}
}

// The server's input is handed to the connection and used nowhere else, and
// only allow.go writes.
func TestOneWriter(t *testing.T) {
	uses := map[string]int{}
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				switch s.Sel.Name {
				case "Stdin", "Write", "WriteString", "SetWriteDeadline", "to":
					uses[name+" "+s.Sel.Name]++
				}
			}
			return true
		})
	}
	want := map[string]int{"session.go Stdin": 1, "allow.go Write": 1, "allow.go SetWriteDeadline": 1, "allow.go to": 2, "trace.go to": 2}
	for use, n := range uses {
		if want[use] != n {
			t.Errorf("%s: %d times, want %d", use, n, want[use])
		}
	}
}
