package finding

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// words are the values that a text of a named type may have.
var words = map[reflect.Type][]string{
	reflect.TypeFor[Level]():   {string(Note), string(Warning), string(Error)},
	reflect.TypeFor[Cause]():   {"", string(Change), string(Upstream)},
	reflect.TypeFor[Outcome](): outcomeNames[:],
	reflect.TypeFor[Status](): {string(Verified), string(Drifted), string(Escalated), string(StatusUndetermined),
		string(StatusRefused), string(Waived), string(Inactive), string(NotStarted)},
}

// foreign are the members that hold foreign text as it stands; renderers quote
// it. All other texts are words of ours, in which every character shows.
var foreign = []string{
	"name", "target", "file", "argument", "places", "lock", "artifact", "list", "item", "path", "old", "new", "quote", "hosts", "decoys",
	"approvedBy", "reason", "text",
}

// fitting walks JSON beside the Go type that it is meant for.
type fitting struct {
	dec  *json.Decoder
	data []byte
}

// next reads a token; at is where it begins. The text was found to be JSON
// before, so that there is one.
func (f *fitting) next() (tok json.Token, at int) {
	at = int(f.dec.InputOffset())
	at += len(f.data[at:]) - len(bytes.TrimLeft(f.data[at:], " \t\r\n,:"))
	tok, _ = f.dec.Token()
	return tok, at
}

func (f *fitting) fail(at int, reason string) error { return reportError(f.data, at, reason) }

// maxDepth is more than a report nests.
const maxDepth = 32

// value holds the next value against t; member is the name that it stands
// under.
func (f *fitting) value(t reflect.Type, member string, depth int) error {
	tok, at := f.next()
	if depth > maxDepth {
		return f.fail(at, "it nests deeper than a report does")
	}
	if tok == nil {
		if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			return nil
		}
		return f.fail(at, place(member)+" is null")
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch _, named := words[t]; {
	case named || t.Kind() == reflect.String:
		return f.text(t, member, tok, at)
	case t.Kind() == reflect.Struct && tok == json.Delim('{'):
		return f.object(t, at, depth)
	case t.Kind() == reflect.Slice && tok == json.Delim('['):
		for f.dec.More() {
			if err := f.value(t.Elem(), member, depth+1); err != nil {
				return err
			}
		}
		_, _ = f.next()
		return nil
	}
	return f.scalar(t, member, tok, at)
}

// scalar holds a boolean or a whole number.
func (f *fitting) scalar(t reflect.Type, member string, tok json.Token, at int) error {
	switch v := tok.(type) {
	case bool:
		if t.Kind() == reflect.Bool {
			return nil
		}
	case float64:
		if t.Kind() == reflect.Int && v == float64(int32(v)) && v >= 0 {
			return nil
		}
	}
	return f.fail(at, place(member)+" is of another type than in a report")
}

func (f *fitting) text(t reflect.Type, member string, tok json.Token, at int) error {
	s, ok := tok.(string)
	allowed, named := words[t]
	switch {
	case !ok:
		return f.fail(at, place(member)+" is no text")
	case s == "" && (member == "file" || member == "argument"):
		return f.fail(at, place(member)+" is empty")
	case named && !slices.Contains(allowed, s):
		return f.fail(at, place(member)+" is none of the words that a report uses")
	case member == "schema" && s != Schema:
		return f.fail(at, "it is not a report: its schema is not "+Schema)
	case !slices.Contains(foreign, member) && Claim(s).String() != s:
		return f.fail(at, place(member)+" holds a character that does not show")
	}
	return nil
}

// object holds the members of t, each once.
func (f *fitting) object(t reflect.Type, at, depth int) error {
	missing := fields(t)
	seen := map[string]bool{}
	for f.dec.More() {
		tok, here := f.next()
		name, _ := tok.(string)
		field, known := missing[name]
		switch {
		case seen[name]:
			return f.fail(here, "the member "+Claim(name).Quote()+" stands twice")
		case !known:
			return f.fail(here, "a report has no member "+Claim(name).Quote()+" here")
		}
		seen[name] = true
		if err := f.value(field.Type, name, depth+1); err != nil {
			return err
		}
	}
	_, _ = f.next()
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !seen[name] && !missing[name].optional {
			return f.fail(at, "the member "+Claim(name).Quote()+" is missing")
		}
	}
	if t == reflect.TypeFor[Location]() && seen["file"] == seen["argument"] {
		return f.fail(at, "a location has either a file or an argument")
	}
	return nil
}

// field is one member of a type.
type field struct {
	reflect.Type
	optional bool
}

// fields lists what a type marshals, by member name.
func fields(t reflect.Type) map[string]field {
	out := map[string]field{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			out[name] = field{t.Field(i).Type, strings.Contains(options, "omitempty")}
		}
	}
	return out
}

func place(member string) string {
	if member == "" {
		return "it"
	}
	return Claim(member).Quote()
}
