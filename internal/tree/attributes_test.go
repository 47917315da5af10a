package tree

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toolwarrant/toolwarrant/finding"
)

func mapFS(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
		if to, ok := strings.CutPrefix(text, "->"); ok {
			out[name] = &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
		}
	}
	return out
}

// short is "rule file:line:column", one for each finding.
func short(list []finding.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s", strings.TrimPrefix(f.Rule, "lock/"), f.Location))
	}
	return strings.Join(out, ", ")
}

func TestAttributes(t *testing.T) {
	const config = "{\n}\n"
	for _, c := range []struct {
		name, lines string
		want        string // places in .gitattributes
	}{
		{"nothing", "", ""},
		{"other files", "*.png binary\n*.go -diff\ndocs/** linguist-generated\n", ""},
		{"what most repositories have", "* text=auto\n*.json text eol=lf\n*.md diff=markdown\n", ""},
		{"the lock", ".toolwarrant/** -diff", "hidden .gitattributes:1:1"},
		{"any lock", "# locks\n  *.lock.json linguist-generated=true", "hidden .gitattributes:2:3"},
		{"the policy", "policy.yaml binary", "hidden .gitattributes:1:1"},
		{"the config", "/.mcp.json -diff", "hidden .gitattributes:1:1"},
		{"a driver", ".mcp.json diff=mine", "hidden .gitattributes:1:1"},
		{"GitLab", ".mcp.json gitlab-generated", "hidden .gitattributes:1:1"},
		{"vendored", ".mcp.json linguist-vendored", "hidden .gitattributes:1:1"},
		{"archives", ".mcp.json export-ignore", "hidden .gitattributes:1:1"},
		{"a merge that asks nobody", ".mcp.json merge=union", "hidden .gitattributes:1:1"},
		{"harmless merges", ".mcp.json merge=binary\n*.lock.json -merge", ""},
		{"said to be false", ".mcp.json linguist-generated=false -linguist-vendored !diff", ""},
		{"a macro", "[attr]quiet -diff\n.mcp.json quiet", "hidden .gitattributes:2:1"},
		{"a macro in a macro", "[attr]a b\n[attr]b -diff\n.mcp.json a", "hidden .gitattributes:3:1"},
		{"a macro in a circle", "[attr]a b\n[attr]b a\n.mcp.json a", ""},
		{"a macro that was changed", "[attr]binary -text\n.mcp.json binary", ""},
		{"a macro that is not set", ".mcp.json -binary", ""},
		{"taken back later", "* -diff\n*.json diff\n.toolwarrant/** diff", ""},
		{"taken back for one", "* -diff\n.toolwarrant/** diff", "hidden .gitattributes:1:1"},
		{"the last word counts", ".mcp.json diff\n*.json -diff", "hidden .gitattributes:2:1"},
		{"quoted", "\".mcp\\056json\" -diff", "hidden .gitattributes:1:1"},
		{"a filter", ".mcp.json filter=lfs diff=lfs merge=lfs -text", "converted .gitattributes:1:1, hidden .gitattributes:1:1, hidden .gitattributes:1:1"},
		{"an encoding", ".mcp.json text working-tree-encoding=UTF-16", "converted .gitattributes:1:1"},
		{"its own encoding", ".mcp.json working-tree-encoding=utf-8", ""},
		{"line ends", "*.json eol=crlf", "converted .gitattributes:1:1"},
		{"line ends of text", "*.json text eol=crlf", "converted .gitattributes:1:1"},
		{"line ends, if it is text", "*.json text=auto eol=crlf", "converted .gitattributes:1:1"},
		{"line ends of what is no text", "*.json -text eol=crlf", ""},
		{"ident without a place for it", ".mcp.json ident", ""},
		{"ident", "with-id.json ident", "converted .gitattributes:1:1"},
		{"lines that git passes over", "!.mcp.json -diff\n.mcp.json -diff /bad/\n.mcp.json/ -diff\n-diff\n[ -diff\n", ""},
		{"line feeds of Windows", "# x\r\n.mcp.json -diff\r\n", "hidden .gitattributes:2:1"},
	} {
		files := map[string]string{".gitattributes": c.lines, ".mcp.json": config, "with-id.json": "{\"$Id$\":\n1}"}
		if got := short(Attributes(mapFS(files), []string{".mcp.json", "with-id.json"})); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAttributesOfFolders(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"in a folder", map[string]string{"a/.gitattributes": "/b/x.json -diff"}, "hidden a/.gitattributes:1:1"},
		{"anchored elsewhere", map[string]string{"a/.gitattributes": "/x.json -diff"}, ""},
		{"the nearest wins; one has none", map[string]string{".gitattributes": "*.json -diff", "a/b/.gitattributes": "* diff", ".toolwarrant/.gitattributes": "* diff"}, "hidden .gitattributes:1:1"},
		{"the nearest hides", map[string]string{".gitattributes": "* diff", "a/b/.gitattributes": "* -diff"}, "hidden a/b/.gitattributes:1:1"},
		{"a macro counts in the root's file only", map[string]string{"a/.gitattributes": "[attr]quiet -diff\n*.json quiet"}, ""},
		{"beside the locks", map[string]string{".toolwarrant/servers/.gitattributes": "* binary"}, "hidden .toolwarrant/servers/.gitattributes:1:1"},
		{"a lock by its name", map[string]string{".gitattributes": "odd.* -diff", ".toolwarrant/servers/odd.lock.json": ""}, "hidden .gitattributes:1:1"},
		{"behind a link", map[string]string{".gitattributes": "real.json -diff", "link.json": "->c/../real.json", "c/x": ""}, "hidden .gitattributes:1:1"},
		{"git follows no link to attributes", map[string]string{".gitattributes": "->more", "more": "* -diff"}, ""},
		{"columns after wide letters", map[string]string{"a/.gitattributes": "\t\"\\303\\251*\" -diff\n\t*.json -diff"}, "hidden a/.gitattributes:2:2"},
		{"too large", map[string]string{"a/.gitattributes": strings.Repeat("#", maxAttributes+1)}, "hidden a/.gitattributes:1:1"},
		{"too many lines", map[string]string{"a/.gitattributes": strings.Repeat("x y\n", maxAttributeLines+1)}, "hidden a/.gitattributes:1:1"},
	} {
		if got := short(Attributes(mapFS(c.files), []string{"a/b/x.json", "link.json"})); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAttributesSayWhich(t *testing.T) {
	files := map[string]string{".gitattributes": "*.json -diff filter=x"}
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("%c.json", 'a'+i))
	}
	got := Attributes(mapFS(files), names)
	if len(got) != 2 || len(got[0].Related) != maxRelated || !strings.HasSuffix(got[0].Message, "and 21 more") {
		t.Fatalf("%+v", got)
	}
	if got[0].Outcome != finding.Refused || got[1].Outcome != finding.Escalation {
		t.Errorf("outcomes %v, %v", got[0].Outcome, got[1].Outcome)
	}
}

// TestPatterns holds the matcher against git's own.
func TestPatterns(t *testing.T) {
	s := newScratch(t)
	paths := []string{"a", "b", "a.json", ".mcp.json", "d/a", "d/a.json", "d/e/a.json", "d/e/f/a", "dd/a", "x[1].json", "x1.json", "a b.json", "é.json", "d/é", "-", "]", "^", "d/*", "\\", "a\\b", "d/e/f/g/h.json"}
	patterns := []string{
		"a", "*", "**", "***", "*.json", "/a", "/*.json", "d/*", "d/**", "d/**/a", "**/a", "**/a.json", "d/*/a", "d/*/*", "/d/*.json", "**/e/**", "d/**/**/a.json", "d**", "**d", "d**/a", "?**/a", "d/e**", "d/[e]**", "d/?/**/a", "d/e**/h.json", "?/e**/h.json", "/**", "/**/a", "a/**", "**a",
		"?", "?.json", "??.json", "d/?", "d?a", "d[/]a", "[ab]", "[!ab]", "[^ab]", "[a-c].json", "[]]", "[]-]", "[^]]", "[!]a-z]", "x[[]1[]].json", `x\[1\].json`, "x[1].json", "[[:alpha:]]", "[[:digit:][:alpha:]].json", "[[:bogus:]]", "[[:alpha]",
		"[a", "[a-", "[--]]", "[-a]", "[a-]", `[\a]`, `[\]]`, `[a\]]`, `\a`, `a\`, `\\`, `a\\b`, `"a b.json"`, `"\141"`, `"a`, "d/", "!a", "/", "", "*.*", ".*", "[.]*", "*[.]json", "d/*a*", "*a*a*", "[z-a]", `d\/a`, `**\/a`, "[[:upper:]]", "[[:punct:]]", "[^[:alnum:]]",
		"*/*", "*/a", "d/e/**/h.json", "d/e/f/g/**", "**/f/*", "**/**", "é.json", "[é].json", "[\xc3]*",
	}
	for _, pattern := range patterns {
		s.write(map[string]string{".gitattributes": pattern + " found\n"})
		theirs := strings.Split(strings.TrimSuffix(s.input(strings.Join(paths, "\x00")+"\x00", "check-attr", "-z", "--stdin", "found"), "\x00"), "\x00")
		f := &attributeFile{macros: map[string][]attribute{}}
		f.parse(".gitattributes", pattern+" found\n")
		for i, name := range paths {
			v := verdict{name: name, says: map[string]said{}}
			v.hear(f, name)
			if got, want := v.says["found"].state == "set", theirs[3*i+2] == "set"; got != want {
				t.Errorf("pattern %q, path %q: %v, git says %v", pattern, name, got, want)
			}
		}
	}
}

func FuzzAttributes(f *testing.F) {
	for _, seed := range []string{"* -diff", "[attr]a b\n* a", "\"\\101\" x=y", "[[:alpha:]]**/\\x !z", strings.Repeat("*a", 50) + " -diff"} {
		f.Add(seed, "d/a.json")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, found := range Attributes(mapFS(map[string]string{".gitattributes": text}), []string{name}) {
			if found.Location.Line < 1 || found.Location.Line > 1+strings.Count(text, "\n") || found.Location.Column < 1 {
				t.Errorf("a place outside of the file: %v", found.Location)
			}
		}
	})
}
