package manifest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// FuzzRead wants no panic on any bytes, a place inside of the file for every
// finding and scalar, and a reason wherever something was not read.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "{", oneServer, "\ufeff" + oneServer, `{"a":{"command":"x"}}`, `{"servers":{"a":{"type":"http","url":"http://u:p@h/#x"}}} // x`,
		`{"mcpServers":{"a":{"command":"npx -y 😀@1","args":["--token","s3cr3t"],"env":{"PATH":"${PATH}"}},"a":null}}`,
		"{\"mcpServers\":{/*\r*/\"a\":{\"transport\":{\"type\":\"sse\"},\"trust\":true,}}}", `{"mcp":{"excluded":["a"]},"mcpServers":{"a":{}}}`,
		"{\"servers\":{// c\rx\n}}", "[[[[", "\xff\xfe", `{"mcpServers":{"a":{"command":"cmd","args":["/c"]}}}`,
	} {
		for i := range dialects {
			f.Add([]byte(s), i)
		}
	}
	if files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", "configs", "1?.json")); err == nil {
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil {
				f.Add(data, 0)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		path := "any.json"
		if which >= 0 && which < len(dialects) {
			path = filepath.Join(dialects[which].claims[0]...)
		}
		file := ReadAs(data, path)
		check := func(at finding.Location) {
			t.Helper()
			if !inside(data, at) || at.File != path {
				t.Fatalf("%v is not in the file", at)
			}
		}
		for _, p := range file.Problems {
			check(p.Location)
		}
		for _, e := range file.Entries {
			check(e.At)
			for _, p := range append(e.Problems, e.Findings...) {
				check(p.Location)
			}
			for _, a := range e.Launch.Argv {
				check(a.At)
			}
			for _, b := range append(e.Launch.Env, e.Launch.Headers...) {
				check(b.At)
			}
			if e.Understood() && len(e.Launch.Argv) == 0 && e.Launch.URL == nil {
				t.Fatal("understood, but there is nothing to start")
			}
			Pin(e.Launch)
			NPX(e.Launch.Argv)
		}
	})
}

// inside reports whether a place is in the text, its end included.
func inside(data []byte, at finding.Location) bool {
	lines := bytes.Split(data, []byte("\n"))
	if at.Line < 1 || at.Line > len(lines) || at.Column < 1 {
		return false
	}
	return at.Column <= 1+2*len(lines[at.Line-1])
}
