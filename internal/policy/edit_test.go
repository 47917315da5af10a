package policy

import (
	"errors"
	"strings"
	"testing"
)

// TestEdit wants the rest of a text as it was, comments included.
func TestEdit(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("1", 64)
	for name, c := range map[string]struct {
		edit       func([]byte, string) ([]byte, error)
		old, want  string
		wantFailed error
	}{
		"nothing there":   {Trust, "", "publishers:\n  trusted:\n    - " + a + "\n", nil},
		"a comment alone": {Trust, "# ours\n", "# ours\npublishers:\n  trusted:\n    - " + a + "\n", nil},
		"at the end":      {Trust, "# ours\nstart: never # for now\n\n# why\nfail-on: drift", "# ours\nstart: never # for now\n\n# why\nfail-on: drift\npublishers:\n  trusted:\n    - " + a + "\n", nil},
		"in the middle": {Trust, "start: never # for now\n\npublishers: # whom\n  trusted:\n    - " + quoted(b) + " # them\n\n# why\nfail-on: drift # x\n",
			"start: never # for now\n\npublishers: # whom\n  trusted:\n    - " + quoted(b) + " # them\n    - " + a + "\n\n# why\nfail-on: drift # x\n", nil},
		"in one line": {Trust, "publishers: {trusted: [], revoked: []}\nstart: never\n", "publishers:\n  trusted:\n    - " + a + "\n  revoked: []\nstart: never\n", nil},
		"twice":       {Trust, "publishers: {trusted: [" + a + "]} # kept\n", "publishers: {trusted: [" + a + "]} # kept\n", nil},
		"revoke a trusted one": {Revoke, "publishers:\n  trusted:\n    - " + a + "\n    - " + quoted(b) + "\nstart: never\n",
			"publishers:\n  trusted:\n    - " + quoted(b) + "\n  revoked:\n    - " + a + "\nstart: never\n", nil},
		"trust a revoked one": {Trust, "publishers: {revoked: [" + a + "]}\n", "", ErrRevoked},
		"not valid":           {Trust, "publisher: {}\n", "", ErrBroken},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.edit([]byte(c.old), a)
			if !errors.Is(err, c.wantFailed) {
				t.Fatalf("%v, want %v", err, c.wantFailed)
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func quoted(s string) string { return `"` + s + `"` }

// TestEditOdd are texts whose lines cannot be replaced one by one: what comes out
// is the same policy all the same, with its comments.
func TestEditOdd(t *testing.T) {
	a := strings.Repeat("a", 64)
	for _, old := range []string{
		"{start: never, publishers: {trusted: []}} # all\n",
		"{start: never} # all\n",
		"publishers:\n  trusted: [\n    # none yet\n  ]\n# why\nstart: never\n",
		"publishers:\n  {\n  trusted: [],\n  }\nstart: never\n",
	} {
		for _, edit := range []func([]byte, string) ([]byte, error){Trust, Revoke} {
			got, err := edit([]byte(old), a)
			if err != nil {
				t.Errorf("%q: %v", old, err)
				continue
			}
			p, found := Parse(got, File)
			if len(found) > 0 || p.Start != StartNever || len(p.Publishers.Trusted)+len(p.Publishers.Revoked) != 1 {
				t.Errorf("%q became\n%s", old, got)
			}
			for _, comment := range []string{"# all", "# why"} {
				if strings.Contains(old, comment) && !strings.Contains(string(got), comment) {
					t.Errorf("%q lost %s:\n%s", old, comment, got)
				}
			}
		}
	}
}

// FuzzEdit wants every edit to be the policy that was asked for, or an error.
func FuzzEdit(f *testing.F) {
	key := strings.Repeat("0e", 32)
	f.Add([]byte("publishers:\n  trusted: [] # none\nstart: never\n"))
	f.Add([]byte("---\nstart: never\n...\n"))
	f.Add([]byte("publishers: {}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if out, err := Trust(data, key); err == nil {
			if p, _ := Parse(out, File); p.Broken() || !containsFold(p.Publishers.Trusted, key) {
				t.Errorf("%q became %q", data, out)
			}
		}
		if out, err := Revoke(data, key); err == nil {
			if p, _ := Parse(out, File); p.Broken() || !containsFold(p.Publishers.Revoked, key) || containsFold(p.Publishers.Trusted, key) {
				t.Errorf("%q became %q", data, out)
			}
		}
	})
}
