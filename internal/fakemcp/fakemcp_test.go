package fakemcp

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestBehaviours(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Behaviours() {
		if seen[b.Name] || b.Doc == "" {
			t.Errorf("%s occurs twice or has no words", b.Name)
		}
		seen[b.Name] = true
		if _, ok := find(b.Name); !ok {
			t.Errorf("%s is listed and not found", b.Name)
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d behaviours", len(seen))
	}
}

// Every surface is valid JSON, is made anew on each call, and differs from base.
func TestSurfaces(t *testing.T) {
	base := Surface("base")
	for _, name := range Surfaces() {
		d := Surface(name)
		for _, items := range [][]json.RawMessage{d.Tools, d.Resources, d.Templates, d.Prompts} {
			for _, item := range items {
				if !json.Valid(item) {
					t.Errorf("%s: %s", name, item)
				}
			}
		}
		if name != "base" && reflect.DeepEqual(d, base) {
			t.Errorf("%s is base", name)
		}
	}
	if !reflect.DeepEqual(base, Surface("base")) {
		t.Error("a surface changed the base of another")
	}
}
