package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryPatternCompiles looks through the sources of the module: a pattern
// that is not used by any test must not wait for a user to fail.
func TestEveryPatternCompiles(t *testing.T) {
	root, err := os.OpenRoot("../..")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	found := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		data, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, text := range literals(file) {
			found++
			if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 50 {
		t.Errorf("only %d patterns were found in the sources", found)
	}
}

// literals are the arguments of pattern.Of that stand there as they are.
func literals(file *ast.File) (out []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "Of" {
			return true
		}
		if in, ok := f.X.(*ast.Ident); !ok || in.Name != "pattern" {
			return true
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

func TestMethods(t *testing.T) {
	word, real := Of(`(a)(b)?`), regexp.MustCompile(`(a)(b)?`)
	const text = "ab a"
	for name, same := range map[string]bool{
		"MatchString":           word.MatchString(text) == real.MatchString(text),
		"Match":                 word.Match([]byte(text)) == real.Match([]byte(text)),
		"FindStringSubmatch":    strings.Join(word.FindStringSubmatch(text), "|") == "ab|a|b",
		"FindSubmatch":          len(word.FindSubmatch([]byte(text))) == 3,
		"FindAllString":         len(word.FindAllString(text, -1)) == 2,
		"FindAllSubmatch":       len(word.FindAllSubmatch([]byte(text), -1)) == 2,
		"FindAllStringSubmatch": word.FindAllStringSubmatch(text, -1)[1][0] == "a",
		"FindAllStringIndex":    word.FindAllStringIndex(text, -1)[1][0] == 3,
		"ReplaceAllString":      word.ReplaceAllString(text, "<$1>") == "<a> <a>",
		"ReplaceAllStringFunc":  word.ReplaceAllStringFunc(text, strings.ToUpper) == "AB A",
		"SubmatchIndex":         len(word.FindAllStringSubmatchIndex(text, -1)) == 2,
	} {
		if !same {
			t.Errorf("%s differs from that of package regexp", name)
		}
	}
}
