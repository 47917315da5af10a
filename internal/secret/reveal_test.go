package secret

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// revealers says how often each file of the module may call Reveal, and why. A
// new caller is a decision: it needs a line here.
var revealers = map[string]struct {
	calls int
	why   string
}{
	"internal/action/conduct.go":    {1, "the token, through a pipe to the poster"},
	"internal/action/enter_unix.go": {1, "the token, through a pipe to the conductor"},
	"internal/fetch/credential.go":  {4, "the header Authorization for the user's registry"},
	"internal/fetch/npmerror.go":    {1, "credentials that a quoted answer must not repeat"},
	"internal/fetch/npmresolve.go":  {2, "the address of our own proxy, for npm"},
	"internal/fetch/npmrc.go":       {1, "settings that are no credentials"},
	"internal/fetch/npmrcwrite.go":  {2, "the configuration that npm is given"},
	"internal/fetch/registry.go":    {1, "the credential of a request to the registry"},
	"internal/fetch/settings.go":    {1, "whether a credential is only a reference to a variable"},
	"internal/fetch/transport.go":   {1, "the key of the user's client certificate"},
	"internal/fetch/upstream.go":    {3, "the user's proxy and its credential"},
	"internal/fetch/uv.go":          {1, "the address of our own proxy, for uv"},
	"internal/github/transport.go":  {1, "the header Authorization for GitHub's API"},
	"internal/inspect/env.go":       {2, "the environment that a server is started with, and whether a literal in it is a credential"},
	"internal/tree/fetch.go":        {1, "the token for the one fetch of a commit from the runner's own server"},
	"scanner/argv.go":               {2, "the argument vector that is started"},
	"scanner/code.go":               {2, "arguments and variables that name files of the repository"},
	"scanner/codefiles.go":          {1, "plain literals that are bound with the code"},
	"scanner/leak.go":               {3, "values that a server must not repeat"},
}

// TestRevealCallers counts the callers of Reveal over the whole module.
func TestRevealCallers(t *testing.T) {
	found := map[string]int{}
	dir, err := os.OpenRoot("../..")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	root := dir.FS()
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if n := revealCalls(t, name, src); n > 0 {
			found[name] = n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range found {
		if n != revealers[name].calls {
			t.Errorf("%s mentions Reveal %d times, the list allows %d", name, n, revealers[name].calls)
		}
	}
	for name := range revealers {
		if found[name] == 0 {
			t.Errorf("%s is listed but calls Reveal no more", name)
		}
	}
}

// revealCalls counts mentions, not only calls: a method value hands out too.
func revealCalls(t *testing.T, name string, src []byte) int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(x ast.Node) bool {
		if s, ok := x.(*ast.SelectorExpr); ok && s.Sel.Name == "Reveal" {
			n++
		}
		return true
	})
	return n
}
