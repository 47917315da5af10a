package scanner

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// TestAsksOf: what an index is asked for, and which launches cannot be fixed.
func TestAsksOf(t *testing.T) {
	for line, want := range map[string]string{
		"uvx a": "a: a", "uvx a@1.2.3": "a: a==1.2.3", "uvx a@latest": "a: a", "uvx a[x]@v1.2": "a: a[x]==1.2", "uvx a==1": "a: a==1",
		"uvx --from a[cli]>=1,<2 run serve": "run: a[cli]>=1,<2", "uvx --from=a run": "run: a", "uv tool run a --port 1": "a: a",
		"uvx -q --with b,c==2 a": "a: a, b, c==2", "pipx run a": "a: a", "pipx run --spec a==1 run": "run: a==1",
		"uvx --from git+https://h/x run": "", "uvx --python 3.12 a": "", "uvx --index-url https://h a": "", "uvx --with-editable . a": "",
		"uvx --from ./x run": "", "pipx run --pip-args=-i a": "", "uvx --prerelease=allow a": "",
	} {
		target := Target{Declared: []manifest.Entry{manifest.Typed(strings.Fields(line))}}
		c := target.command()
		if !fixable(c) {
			t.Errorf("%s is not fixable: %+v", line, c)
			continue
		}
		asked, err := asksOf(c)
		got := ""
		if err == nil {
			got = pythonProgram(c) + ": " + strings.Join(asked, ", ")
		}
		if got != want {
			t.Errorf("%s: %q %v, want %q", line, got, err, want)
		}
	}
}
