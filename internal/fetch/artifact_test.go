package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		flags  []string
	}{
		"a text":                          {"tool", "cli.js", "", shebang, "cli.js", true, nil},
		"one of another name":             {"tool", map[string]string{"other": "cli.js"}, "", shebang, "cli.js", true, nil},
		"several of one file":             {"tool", map[string]string{"a": "cli.js", "b": "cli.js"}, "", shebang, "cli.js", true, nil},
		"the one with the package's name": {"@s/tool", map[string]string{"a": "a.js", "tool": "./cli.js"}, "", shebang, "cli.js", true, nil},
		"several, none with its name":     {"tool", map[string]string{"a": "a.js", "b": "cli.js"}, "", shebang, "", false, nil},
		"none":                            {"tool", nil, "", shebang, "", false, nil},
		"named":                           {"tool", map[string]string{"a": "a.js", "b": "cli.js"}, "b", shebang, "cli.js", true, nil},
		"named, not there":                {"tool", map[string]string{"a": "a.js"}, "b", shebang, "", false, nil},
		"leads out":                       {"tool", "../../x.js", "", shebang, "", false, nil},
		"absolute means below":            {"tool", "/cli.js", "", shebang, "cli.js", true, nil},
		"not in the package":              {"tool", "gone.js", "", shebang, "", false, nil},
		"node with flags":                 {"tool", "cli.js", "", "#!/usr/bin/env -S node --no-warnings --max-old-space-size=64\r\n", "cli.js", true, []string{"--no-warnings", "--max-old-space-size=64"}},
		"a place of node with a flag":     {"tool", "cli.js", "", "#! /usr/bin/node --no-warnings\n", "cli.js", true, []string{"--no-warnings"}},
		"node with a file before":         {"tool", "cli.js", "", "#!/usr/bin/env -S node -r ./other.js\n", "", false, nil},
		"node with a sign of a shell":     {"tool", "cli.js", "", "#!/usr/bin/env -S node --title=$HOME\n", "", false, nil},
		"node from standard input":        {"tool", "cli.js", "", "#!/usr/bin/env -S node -\n", "", false, nil},
		"a first line without end":        {"tool", "cli.js", "", "#!/usr/bin/node --" + strings.Repeat("a", maxFirstLine), "", false, nil},
		"no line break at all":            {"tool", "cli.js", "", "#!/usr/bin/node --a", "cli.js", true, []string{"--a"}},
		"clamped":                         {"tool", "../cli.js", "", shebang, "cli.js", true, nil},
		"clamped on the way":              {"tool", "lib/../../../cli.js", "", shebang, "cli.js", true, nil},
		"a name with a scope":             {"@s/tool", map[string]string{"a": "a.js", "@s/tool": "cli.js"}, "tool", shebang, "cli.js", true, nil},
		"one that is no text":             {"tool", map[string]any{"a": 1, "b": "cli.js"}, "", shebang, "cli.js", true, nil},
		"JavaScript without first line":   {"tool", "cli.js", "", "console.log(1)", "cli.js", true, nil},
		"a native program":                {"tool", "cli", "", "\x7fELF", "cli", false, nil},
		"a shell script":                  {"tool", "cli.js", "", "#!/bin/sh\n", "cli.js", false, nil},
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
				want = slices.Concat([]string{"/bin/node"}, c.flags, []string{at, "x"})
			}
			if argv := got.Command("/bin/node", []string{"x"}); err != nil || got.File != c.file || !slices.Equal(argv, want) {
				t.Errorf("%q starts %q (%v), want %q", got.File, argv, err, want)
			}
		})
	}
}

// TestDeclaredProgramsAreExecutable: no tarball here says that a file is.
func TestDeclaredProgramsAreExecutable(t *testing.T) {
	p := fakePackage{name: "tool", version: "1.0.0", members: map[string]any{"bin": map[string]string{"tool": "../run.sh", "gone": "gone.sh"}},
		files: map[string]string{"run.sh": "#!/bin/sh\n", "other.sh": "#!/bin/sh\n"}}
	s := newSource(p)
	tree, err := readTree(lockText(t, map[string]string{"tool": "1.0.0"}, map[string]map[string]any{"node_modules/tool": s.entry(p)}))
	if err != nil {
		t.Fatal(err)
	}
	d := depot(t, s)
	a := install(t, d, tree)
	list, ok := d.listed(a.Dir())
	if !ok {
		t.Fatal("there is no listing")
	}
	for _, f := range list {
		want := os.FileMode(fileMode)
		if f.path == "node_modules/tool/run.sh" {
			want = binaryMode
		}
		if info, err := os.Stat(filepath.Join(a.Dir(), f.path)); err != nil || f.mode != want || os.PathSeparator == '/' && info.Mode().Perm() != want {
			t.Errorf("%s is listed as %v (%v), want %v", f.path, f.mode, err, want)
		}
	}
	install(t, d, tree)
}
