package secret

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const sentinel = "hunter2-sentinel"

type exported struct{ V Value }

type unexported struct{ v Value }

type nested struct {
	list []Value
	dict map[string]Value
	ptr  *unexported
}

func TestNoVerbPrintsAValue(t *testing.T) {
	v := New(sentinel)
	shapes := map[string]any{
		"value": v, "pointer": &v, "exported": exported{v}, "unexported": unexported{v},
		"pointer to struct": &unexported{v}, "map": map[string]Value{"k": v}, "slice": []Value{v},
		"nested": nested{[]Value{v}, map[string]Value{"k": v}, &unexported{v}}, "error": fmt.Errorf("x: %v", v),
	}
	hex := fmt.Sprintf("%x", sentinel)
	for name, shape := range shapes {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p", "%10.3s"} {
			got := fmt.Sprintf(verb, shape)
			for _, leak := range []string{sentinel, "hun", hex, strings.ToUpper(hex), "104 117 110"} {
				if strings.Contains(got, leak) {
					t.Errorf("%s of %s leaks: %s", verb, name, got)
				}
			}
		}
	}
}

func TestNoMarshalling(t *testing.T) {
	for _, x := range []any{New(sentinel), exported{New(sentinel)}, map[string]Value{"k": New(sentinel)}, []*Value{{}}} {
		b, err := json.Marshal(x)
		if !errors.Is(err, ErrMarshal) || b != nil {
			t.Errorf("Marshal(%T) = %s, %v; want ErrMarshal", x, b, err)
		}
	}
	mixed := struct {
		N int
		v Value
	}{1, New(sentinel)}
	if b, err := json.Marshal(mixed); err != nil || string(b) != `{"N":1}` {
		t.Errorf("Marshal of an unexported field = %s, %v", b, err)
	}
}

func TestReveal(t *testing.T) {
	if got := New(sentinel).Reveal(); got != sentinel {
		t.Errorf("Reveal() = %q", got)
	}
	var zero Value
	if zero.Reveal() != "" || zero.Len() != 0 || New("ä").Len() != 2 {
		t.Error("the zero Value is not empty, or Len does not count bytes")
	}
}
