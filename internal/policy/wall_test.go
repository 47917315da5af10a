package policy

import (
	"strings"
	"testing"
)

// TestHostileBytes: what could hide text or exhaust the parser is refused with
// a place, whatever its size.
func TestHostileBytes(t *testing.T) {
	tests := []struct {
		name, in     string
		line, column int
		says         string
	}{
		{"too large", strings.Repeat("# x\n", MaxSize/4+1), 1, 1, "larger"},
		{"UTF-16", "\xff\xfes\x00", 1, 1, "UTF-16"},
		{"invalid UTF-8", "start: \xff", 1, 8, "UTF-8"},
		{"a lone carriage return", "start: never\rfail-on: never\n", 1, 13, "carriage return"},
		{"a line separator", "# 日本\u2028start: never\n", 1, 5, "U+2028"},
		{"next line", "# \u0085start: never\n", 1, 3, "U+0085"},
		{"right to left", "# \u202eabc\n", 1, 3, "U+202E"},
		{"a second mark", "\ufeffstart: never\n\ufeff", 2, 1, "U+FEFF"},
		{"zero", "start: never\n\x00", 2, 1, "U+0000"},
		{"a second document", "start: never\n---\nstart: approved\n", 2, 1, "second document"},
		{"one inside a text", "ignore: \"a\n--- b\"\n", 2, 1, "second document"},
		{"a bare second document", "start: never\n...\nstart: approved\n", 2, 1, "ends the document"},
		{"a directive", "%YAML 1.1\n---\nstart: never\n", 1, 1, "directive"},
		{"an anchor", "approvers: &a [x]\n", 1, 12, "an anchor"},
		{"an alias", "approvers: &a [x]\nanchor-branches: *a\n", 1, 12, "an anchor"},
		{"an alias to nothing", "start: never\napprovers: *a\n", 2, 1, "an alias"},
		{"a merge", "network: &n {allow: []}\ndeny: {<<: *n}\n", 1, 10, "an anchor"},
		{"a tag", "start: !!str never\n", 1, 8, "a tag"},
		{"a tag of somebody", "start: !x never\n", 1, 8, "a tag"},
		{"nesting in lines", strings.Repeat("- ", 20), 1, 17, "nested too deeply"},
		{"nesting in brackets", "deny: " + strings.Repeat("[", 20) + strings.Repeat("]", 20), 1, 14, "nested too deeply"},
		{"endless brackets", strings.Repeat("[", MaxSize), 1, 1, "nested too deeply"},
		{"endless braces", strings.Repeat("{", MaxSize), 1, 1, "nested too deeply"},
		{"endless dashes", strings.Repeat("- ", MaxSize/2), 1, 1, "nested too deeply"},
		{"endless questions", strings.Repeat("? ", MaxSize/2), 1, 1, "nested too deeply"},
		{"endless colons", strings.Repeat("a: ", MaxSize/3), 1, 1, "colon"},
		{"endless quotes", strings.Repeat("'", MaxSize-1), 1, 1, "not closed"},
		{"endless text", "why: " + strings.Repeat("a", MaxSize-5), 1, 1, "unknown key"},
		{"endless keys", strings.Repeat("a: 1\n", MaxSize/5), 1, 1, "unknown key"},
		{"endless entries on one line", "exclude: [" + strings.Repeat("{},", MaxSize/3-10) + "]", 1, 11, "has no glob"},
		{"endless comments", "start: x\n" + strings.Repeat("#\n", MaxSize/2-9), 1, 8, "does not know"},
		{"endless comments in a list", "approvers:\n" + strings.Repeat("- '@'\n# c\n", MaxSize/10-9), 2, 3, "approvers"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, found := Parse([]byte(tt.in), "p.yaml")
			if len(found) == 0 || !p.Broken() {
				t.Fatal("passed")
			}
			f := found[0]
			if f.Location.Line != tt.line || f.Location.Column != tt.column || !strings.Contains(f.Message, tt.says) {
				t.Errorf("%s %s; want %d:%d %q", f.Location, f.Message, tt.line, tt.column, tt.says)
			}
			if len(found) > maxFindings+1 {
				t.Errorf("%d findings", len(found))
			}
		})
	}
}

// TestHarmlessBytes: what editors write is read.
func TestHarmlessBytes(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "", "a comment": "# nothing\n", "a mark": "---\n", "a document mark": "# c\n---\nstart: never\n", "an empty mapping": "{}\n",
		"a byte order mark": "\ufeffstart: never\n", "CR LF": "start: never\r\nfail-on: drift\r\n", "JSON": "{\n\t\"start\": \"never\"\n}",
		"dashes in a text": "exclude:\n- glob: a\n  reason: |\n    x\n    --- y\n",
	} {
		if p, found := Parse([]byte(in), ""); len(found) > 0 || p.Broken() {
			t.Errorf("%s: %v", name, found)
		}
	}
}
