package manifest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// TestRuler holds the one-pass positions against the index that every other
// room uses.
func TestRuler(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	signs := []string{"a", "\n", "\r\n", "é", "漢", "😀", "\t", "\xff", "\"", "e\u0301"}
	for range 200 {
		var b strings.Builder
		for range rng.IntN(60) {
			b.WriteString(signs[rng.IntN(len(signs))])
		}
		data := []byte(b.String())
		lines, c := canon.Index(data), newRuler("f", data)
		for offset := 0; offset <= len(data)+2; offset++ {
			if offset < len(data) && data[offset]&0xC0 == 0x80 {
				continue // inside of a character
			}
			line, column := lines.At(offset)
			if want, got := finding.At("f", line, column), c.at(offset); got != want {
				t.Fatalf("%q at %d: %v, want %v", data, offset, got, want)
			}
		}
	}
}

// TestEveryScalarHasItsPlace reads an entry behind wide characters and looks at
// each value's line and column in UTF-16.
func TestEveryScalarHasItsPlace(t *testing.T) {
	text := "\ufeff{\"servers\": {\r\n" +
		"  \"漢字😀\": {\"command\": \"npx -y 包😀x z\", \"args\": [\"é\", \"b\"],\r\n" +
		"    \"env\": {\"😀\": \"1\", \"NODE_OPTIONS\": \"${X}\"}, \"cwd\": \".\", \"envFile\": \".env\"},\r\n" +
		"  \"r\": {\"type\": \"http\", \"url\": \"https://h/\", \"headers\": {\"Ä\": \"v\"}}}}"
	f := ReadAs([]byte(text), ".vscode/mcp.json")
	if len(f.Entries) != 2 {
		t.Fatalf("%d entries, problems %v", len(f.Entries), f.Problems)
	}
	a, b := f.Entries[0].Launch, f.Entries[1].Launch
	got := map[string]finding.Location{
		"name": f.Entries[0].Name.At, "argv 0": a.Argv[0].At, "argv 1": a.Argv[1].At, "argv 2": a.Argv[2].At, "argv 3": a.Argv[3].At,
		"argv 4": a.Argv[4].At, "argv 5": a.Argv[5].At, "env 0": a.Env[0].At, "env 1": a.Env[1].At, "cwd": a.Dir.At, "envFile": a.EnvFile.At,
		"url": b.URL.At, "header": b.Headers[0].At,
	}
	at := func(line, column int) finding.Location { return finding.At(".vscode/mcp.json", line, column) }
	want := map[string]finding.Location{
		"name": at(2, 3), "argv 0": at(2, 24), "argv 1": at(2, 28), "argv 2": at(2, 31), "argv 3": at(2, 36),
		"argv 4": at(2, 49), "argv 5": at(2, 54), "env 0": at(3, 19), "env 1": at(3, 40), "cwd": at(3, 56), "envFile": at(3, 72),
		"url": at(4, 32), "header": at(4, 63),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if f.Entries[0].Place != ".vscode/mcp.json#/servers/漢字😀" {
		t.Errorf("place %q", f.Entries[0].Place)
	}
}

func TestPlaceIsAPointer(t *testing.T) {
	f := ReadAs([]byte(`{"a/b~c":{"command":"x"}}`), "d/.mcp.json")
	if got := f.Entries[0].Place; got != "d/.mcp.json#/a~1b~0c" {
		t.Errorf("place %q", got)
	}
}
