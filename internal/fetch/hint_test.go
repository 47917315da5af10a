package fetch

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestHints: every refusal of a package says how to go on.
func TestHints(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&LockError{Reason: noDigest}, "no SHA-512"}, {&LockError{Reason: "x", URL: true}, "such a place"}, {&LockError{Reason: "x"}, "anew"},
		{&ArchiveError{Reason: leadsOut}, "another version"}, {fmt.Errorf("%w: x", ErrProgram), "--package"},
	} {
		var h interface{ Hint() string }
		if !errors.As(c.err, &h) || !strings.Contains(h.Hint(), c.want) || !strings.Contains(h.Hint(), "toolwarrant seal --launch-only") {
			t.Errorf("%v says nothing of the way on", c.err)
		}
	}
}

func TestAsks(t *testing.T) {
	tree := Tree{Root: map[string]string{"a": "latest", "b": "^1"}}
	for _, c := range []struct {
		specs []Spec
		want  bool
	}{
		{[]Spec{{"a", ""}, {"b", "^1"}}, true}, {[]Spec{{"a", ""}}, false}, {[]Spec{{"a", ""}, {"b", "1"}}, false}, {[]Spec{{"a", ""}, {"b", "^1"}, {"c", ""}}, false},
	} {
		if got := Asks(tree, c.specs); got != c.want {
			t.Errorf("%v: %t", c.specs, got)
		}
	}
}

// TestWhatIsWrongWithANameIsSaid: a name that leads out and one with a sign are
// two things.
func TestWhatIsWrongWithANameIsSaid(t *testing.T) {
	for name, want := range map[string]string{"p/../x": leadsOut, "p/a:b": notAName, "p/a\nb": notAName, "./p/a": notSimple, "p/a//b": ""} {
		if _, got := entryName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
