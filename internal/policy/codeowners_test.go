package policy_test

import (
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/policy"
)

func TestOwners(t *testing.T) {
	const lock = ".toolwarrant/servers/notes.lock.json"
	for text, want := range map[string]string{
		"":                                "",
		"* @a":                            "@a",
		"* @a\n/.toolwarrant/ @b @c":      "@b @c",
		"/.toolwarrant/ @b\n* @a":         "@a",
		".toolwarrant/ @b":                "@b",
		"/.toolwarrant @b":                "@b",
		".toolwarrant @b":                 "@b",
		"/.toolwarrant/* @b":              "",
		"/.toolwarrant/** @b":             "@b",
		"/.toolwarrant/servers/*.json @b": "@b",
		"*.json @b # locks too":           "@b",
		"*.lock @b":                       "",
		"servers @b":                      "@b",
		"/servers/ @b":                    "",
		"# * @a":                          "",
		"* @a\n/.toolwarrant/":            "",
		"!* @a":                           "",
		"[.]toolwarrant/ @a":              "",
		"**/servers/ @b":                  "@b",
		"/ @b":                            "@b",
		strings.Repeat("*", 40) + " @a":   "",
	} {
		if got := strings.Join(policy.Owners([]byte(text), lock), " "); got != want {
			t.Errorf("%q: owners %q, want %q", text, got, want)
		}
	}
	if got := policy.Owners([]byte("* @a\n"+strings.Repeat("#", 3<<20)), lock); got != nil {
		t.Errorf("a file that is too large names %q", got)
	}
}

func FuzzOwners(f *testing.F) {
	f.Add("* @a\n/.toolwarrant/ @b", ".toolwarrant/policy.yaml")
	f.Add("**/*/**/* @a", "a/b/c")
	f.Fuzz(func(t *testing.T, text, file string) {
		for _, o := range policy.Owners([]byte(text), file) {
			if !strings.Contains(text, o) {
				t.Fatalf("%q stands nowhere", o)
			}
		}
	})
}
