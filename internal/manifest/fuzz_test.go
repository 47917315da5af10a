package manifest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
			whole(t, e.Launch)
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

// whole wants the words of a command's reading in their ranges, and a pin that
// is one.
func whole(t *testing.T, l Launch) {
	t.Helper()
	c := l.Command()
	if !slices.Contains(append(strength, "local"), c.Pin) {
		t.Fatalf("the pin is %q", c.Pin)
	}
	n := len(c.Words)
	if n == 0 {
		return
	}
	for _, w := range c.Words {
		if w.Arg < 0 || w.Arg >= len(l.Argv) {
			t.Fatalf("a word of no argument: %+v", w)
		}
	}
	for _, i := range append(append([]int{c.Inner}, c.Assigned...), c.Redirects...) {
		if i < 0 || i >= n {
			t.Fatalf("%d is no word of %d: %+v", i, n, c)
		}
	}
	if c.Args < 0 || c.Args > n || c.Script < -1 || c.Script >= n || c.Text < -1 || c.Text >= n || c.WhyAt < -1 || c.WhyAt >= n || (c.Why == "") != (c.WhyAt < 0) {
		t.Fatalf("an index out of range: %+v", c)
	}
	for _, p := range c.Packages {
		if p.Word < 0 || p.Word >= n || p.Pin == "" || p.Source == "" {
			t.Fatalf("%+v", p)
		}
	}
	if c.Bridge != nil && (c.Bridge.URL < 0 || c.Bridge.URL >= n) {
		t.Fatalf("%+v", c.Bridge)
	}
}

// FuzzCommand reads any words, separated by line feeds.
func FuzzCommand(f *testing.F) {
	for _, tt := range commands {
		f.Add(strings.Join(typedLine(tt[0]), "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 4096 {
			whole(t, Launch{Argv: argv(strings.Split(text, "\n")...)})
		}
	})
}
