package fetch

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// TestProgram is libnpmexec's rule, and how the program is started.
func TestProgram(t *testing.T) {
	const shebang = "#!/usr/bin/env node\n"
	for name, c := range map[string]struct {
		pkg    string
		bin    any
		ask    string
		body   string
		file   string // empty where there is no program
		byNode bool
	}{
		"a text":                          {"tool", "cli.js", "", shebang, "cli.js", true},
		"one of another name":             {"tool", map[string]string{"other": "cli.js"}, "", shebang, "cli.js", true},
		"several of one file":             {"tool", map[string]string{"a": "cli.js", "b": "cli.js"}, "", shebang, "cli.js", true},
		"the one with the package's name": {"@s/tool", map[string]string{"a": "a.js", "tool": "./cli.js"}, "", shebang, "cli.js", true},
		"several, none with its name":     {"tool", map[string]string{"a": "a.js", "b": "cli.js"}, "", shebang, "", false},
		"none":                            {"tool", nil, "", shebang, "", false},
		"named":                           {"tool", map[string]string{"a": "a.js", "b": "cli.js"}, "b", shebang, "cli.js", true},
		"named, not there":                {"tool", map[string]string{"a": "a.js"}, "b", shebang, "", false},
		"leads out":                       {"tool", "../../x.js", "", shebang, "", false},
		"absolute means below":            {"tool", "/cli.js", "", shebang, "cli.js", true},
		"not in the package":              {"tool", "gone.js", "", shebang, "", false},
		"node with flags":                 {"tool", "cli.js", "", "#!/usr/bin/env -S node --no-warnings\n", "cli.js", true},
		"JavaScript without first line":   {"tool", "cli.js", "", "console.log(1)", "cli.js", true},
		"a native program":                {"tool", "cli", "", "\x7fELF", "cli", false},
		"a shell script":                  {"tool", "cli.js", "", "#!/bin/sh\n", "cli.js", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := fakePackage{name: c.pkg, version: "1.0.0", files: map[string]string{"cli.js": c.body, "a.js": c.body, "cli": c.body}}
			if c.bin != nil {
				p.members = map[string]any{"bin": c.bin}
			}
			s := newSource(p)
			tree, err := readTree(lockText(t, map[string]string{c.pkg: "1.0.0"}, map[string]map[string]any{nodeModules + c.pkg: s.entry(p)}))
			if err != nil {
				t.Fatal(err)
			}
			a := install(t, depot(t, s), tree)
			got, err := a.Program(c.pkg, c.ask)
			if c.file == "" {
				if !errors.Is(err, ErrProgram) {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			at := filepath.Join(a.Dir(), "node_modules", filepath.FromSlash(c.pkg), c.file)
			want := []string{at, "x"}
			if c.byNode {
				want = []string{"/bin/node", at, "x"}
			}
			if argv := got.Command("/bin/node", []string{"x"}); err != nil || got.File != c.file || !slices.Equal(argv, want) {
				t.Errorf("%q starts %q (%v), want %q", got.File, argv, err, want)
			}
		})
	}
}
