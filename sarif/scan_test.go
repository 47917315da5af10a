package sarif_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/sarif"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// verified judges a repository in which nothing is sealed, so that nothing is
// started, and writes the report with the real rules.
func verified(t *testing.T, files map[string]string) (finding.Report, run) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	repo, err := scanner.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	r := scanner.Verify(t.Context(), scanner.Options{Head: tree}, repo, repo.Targets)
	var b bytes.Buffer
	if err := sarif.Write(&b, r, sarif.Options{Rules: scanner.Explanations()}); err != nil {
		t.Fatal(err)
	}
	conforms(t, oasis(t), b.Bytes())
	return r, decode(t, b.Bytes()).Runs[0]
}

// TestEveryRule: a clean run lists every rule, in order, so that alerts close.
func TestEveryRule(t *testing.T) {
	r, clean := verified(t, map[string]string{"README": "nothing is declared"})
	if len(r.Findings) > 0 || len(clean.Results) > 0 {
		t.Fatalf("not clean: %v", r.Findings)
	}
	for i, rule := range scanner.Rules() {
		if got := clean.Tool.Driver.Rules[i].ID; got != rule.ID {
			t.Errorf("rule %d is %s, want %s", i, got, rule.ID)
		}
	}
}

// TestPosition: line and column lead to the declaration, counted in UTF-16 code
// units, behind characters of one, two and three bytes and of two code units.
func TestPosition(t *testing.T) {
	config := "{\"mcpServers\": {\n" +
		"  \"日本語\": {\"command\": \"a\"}, \"😀😀\": {\"command\": \"b\"}, \"é\": {\"command\": \"c\"},\n" +
		"  \"👩‍💻\": {\"command\": \"d\"}, \"last\": {\"command\": \"e\"}}}\n"
	_, r := verified(t, map[string]string{".mcp.json": config})
	lines := strings.Split(config, "\n")
	found := 0
	for _, x := range r.Results {
		if x.RuleID != "launch/not-sealed" {
			continue
		}
		found++
		at := x.Locations[0].PhysicalLocation.Region
		rest := string(utf16.Decode(utf16.Encode([]rune(lines[at.StartLine-1]))[at.StartColumn-1:]))
		// The name in the property is a quotation: only its characters that show.
		first := []rune(x.Properties["target"].(string))[0]
		if !strings.HasPrefix(rest, `"`+string(first)) {
			t.Errorf("%v at %d:%d leads to %s", x.Properties["target"], at.StartLine, at.StartColumn, rest)
		}
	}
	if found != 5 {
		t.Errorf("%d of 5 servers are found", found)
	}
}

// TestNeighbour: an edit of one server's entry leaves the identity of another's
// finding alone, also where its line moves, and is a new alert for its own.
func TestNeighbour(t *testing.T) {
	const before = `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "a@1.0.0"]}, "b": {"command": "npx", "args": ["-y", "b@1.0.0"]}}}`
	after := strings.NewReplacer("a@1.0.0", "a@2.0.0", `"b": {`, "\n\n  \"b\": {").Replace(before)
	_, old := verified(t, map[string]string{".mcp.json": before})
	_, now := verified(t, map[string]string{".mcp.json": after})
	if !slices.Equal(identities(old, "b"), identities(now, "b")) || len(identities(old, "b")) == 0 {
		t.Errorf("b was %q, is %q", identities(old, "b"), identities(now, "b"))
	}
	if slices.Equal(identities(old, "a"), identities(now, "a")) {
		t.Errorf("a is still %q", identities(now, "a"))
	}
}

func identities(r run, target string) []string {
	var out []string
	for _, x := range r.Results {
		if x.Properties["target"] == target {
			out = append(out, x.RuleID+" "+x.PartialFingerprints["primaryLocationLineHash"])
		}
	}
	return out
}
