package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
)

// drawn writes a tree in one line, each value with its place.
func (n node) drawn() string {
	var b strings.Builder
	switch n.kind {
	case object:
		b.WriteString("{")
		for i, m := range n.members {
			if i > 0 {
				b.WriteString(" ")
			}
			fmt.Fprintf(&b, "%s@%d:%d=%s", m.name, m.at.Line, m.at.Column, m.value.drawn())
		}
		b.WriteString("}")
	case list:
		b.WriteString("[")
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(item.drawn())
		}
		b.WriteString("]")
	case null:
		b.WriteString("-")
	default:
		fmt.Fprintf(&b, "%s@%d:%d", n.text, n.at.Line, n.at.Column)
	}
	return b.String()
}

func TestSyntaxes(t *testing.T) {
	tests := []struct {
		name  string
		parse syntax
		text  string
		want  string
	}{
		{"toml", parseTOML, "a = 1\nb.c = \"x😀\"  # y\n'd' = ['e', true]", "{a@1:1=1@1:5 b@2:1={c@2:3=x😀@2:7} d@3:1=[e@3:8 true@3:13]}"},
		{"toml tables", parseTOML, "[a.b]\nc = 1\n[a]\nd = { e = 2, f.g = 3 }\n[\"h.i\"]\n[[j]]\nk=1\n[[j]]\nk=2\n[j.l]\nm=3",
			"{a@1:2={b@1:4={c@2:1=1@2:5} d@4:1={e@4:7=2@4:11 f@4:14={g@4:16=3@4:20}}} h.i@5:2={} j@6:3=[{k@7:1=1@7:3} {k@9:1=2@9:3 l@10:4={m@11:1=3@11:3}}]}"},
		{"toml twice", parseTOML, "a = 1\na = 2\n[a]\nb = 1", "{a@1:1=1@1:5 a@2:1=2@2:5 a@3:2={b@4:1=1@4:5}}"},
		{"toml mark", parseTOML, "\ufeffa = 1979-05-27", "{a@1:1=1979-05-27@1:5}"},
		{"toml columns", parseTOML, "a = ['😀', 'b']", "{a@1:1=[😀@1:6 b@1:12]}"},
		{"toml bad", parseTOML, "a = 1\nb = = 2", "! 1:5"},
		{"toml deep", parseTOML, "a = " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "! 1:1"},
		{"toml dots", parseTOML, strings.Repeat("a.", 70) + "a = 1", "! 1:127"},
		{"toml keys without end", parseTOML, strings.Repeat("[a]\nb=1\n", 10001), "! 20001:2"},
		{"toml bytes", parseTOML, "a = '\xff'", "! 1:1"},
		{"yaml", parseYAML, "a: 1\nb:\n  - x\n  - {c: true, d: ~}\n😀: y", "{a@1:1=1@1:4 b@2:1=[x@3:5 {c@4:6=true@4:9 d@4:15=-}] 😀@5:1=y@5:5}"},
		{"yaml twice", parseYAML, "a: 1\na: 2", "{a@1:1=1@1:4 a@2:1=2@2:4}"},
		{"yaml alias", parseYAML, "a: &x [1]\nb: *x", "{a@1:1=[1@1:8] b@2:1=-}"},
		{"yaml empty", parseYAML, "# x\n", "-"},
		{"yaml second document", parseYAML, "a: 1\n---\nb: 2", "{a@1:1=1@1:4}"},
		{"yaml bad", parseYAML, "a: [", "! 1:1"},
		{"yaml bytes", parseYAML, "a: \xff", "! 1:1"},
		{"yaml deep", parseYAML, strings.Repeat("[", 70) + strings.Repeat("]", 70), "! 1:1"},
		{"ini", parseINI, "a = b = c\n\n; x\n# y\n[s t]\n  d: e\n'f' = \"g\"\nh\n", "{a@1:1=b = c@1:5 s t@5:1={d@6:3=e@6:6 f@7:1=g@7:7 h@8:1=-}}"},
		{"ini address", parseINI, "//h:80/:_auth=x", "{//h:80/:_auth@1:1=x@1:15}"},
		{"ini bytes", parseINI, "a\xff", "! 1:1"},
		{"yarnrc", parseYarnrc, "a \"b c\"\n\"d\" e", "{a@1:1=b c@1:3 d@2:1=e@2:5}"},
	}
	for _, tt := range tests {
		doc, problem := tt.parse("f", []byte(tt.text))
		got := doc.root.drawn()
		if problem != nil {
			got = fmt.Sprintf("! %d:%d", problem.Location.Line, problem.Location.Column)
			if strings.Contains(problem.Message, "= 2") {
				t.Errorf("%s: the message quotes the file: %s", tt.name, problem.Message)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

// fuzzSyntax wants no panic and each place inside of the text.
func fuzzSyntax(f *testing.F, parse syntax, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		doc, problem := parse("f", data)
		if problem != nil {
			if problem.Location.Line < 1 || problem.Message == "" {
				t.Fatalf("%+v", problem)
			}
			return
		}
		within(t, data, doc.root)
	})
}

func within(t *testing.T, data []byte, n node) {
	t.Helper()
	check := func(at finding.Location) {
		if !inside(data, at) {
			t.Fatalf("%v is not in the text", at)
		}
	}
	check(n.at)
	for _, m := range n.members {
		check(m.at)
		within(t, data, m.value)
	}
	for _, item := range n.items {
		within(t, data, item)
	}
}

func FuzzTOML(f *testing.F) {
	fuzzSyntax(f, parseTOML, "a = 1\n[b.c]\nd = ['x', {e = 1.5}]\n[[f]]\n[[f]]\ng = \"\"\"\nx\"\"\"", "\ufeff", "a.b.c = 1979-05-27T07:32:00Z", "[a]\n[a]")
}

func FuzzYAML(f *testing.F) {
	fuzzSyntax(f, parseYAML, "a: 1\nb: [x, {c: *d}]\n", "- |\n  x\n", "a: &a {b: *a}", "? - x\n: y\n", "%YAML 1.2\n---\n\"a\\n\": !x y\n...\n")
}

func FuzzINI(f *testing.F) {
	fuzzSyntax(f, parseINI, "a=b\n[c]\n d : e\n;x\n'f'=\"g\"", "[[]]\n=\n: \n", "\ufeff//h/:_x=y\r\nz[]=1")
}

func FuzzYarnrc(f *testing.F) {
	fuzzSyntax(f, parseYarnrc, "a \"b\"\n# c\n\"d e\" f", "\"\n  x y")
}

// FuzzResolverConfig reads every file that a launcher may read.
func FuzzResolverConfig(f *testing.F) {
	f.Add("npx pkg", 0, []byte("registry=${X}"))
	f.Add("pnpm dlx pkg", 3, []byte("overrides: {pkg: 1}"))
	f.Add("uv run --with x y", 9, []byte("[tool.uv]\nsources.x = 1"))
	f.Fuzz(func(t *testing.T, line string, which int, data []byte) {
		if which < 0 || which >= len(resolverFormats) || len(line) > 200 || len(data) > 1<<14 {
			return
		}
		name := resolverFormats[which].name
		for _, found := range NewTree(treeOf(map[string]string{name: string(data)}), all).ResolverConfig(".", commandOf(line)) {
			if found.Message == "" || found.Location.File != name && !strings.Contains(found.Location.File, "node_modules") {
				t.Fatalf("%+v", found)
			}
		}
	})
}
