package canon

import (
	"encoding/json"

	"github.com/tailscale/hujson"
)

// Member is one member of an object, its value as the bytes that were read.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members splits an object into its members in order, without looking into
// them: only the object's own duplicates are refused, so that one unreadable
// member does not hide the others.
func Members(data []byte) ([]Member, error) {
	tree, err := shallow(data)
	if err != nil {
		return nil, err
	}
	o, ok := tree.Value.(*hujson.Object)
	if !ok {
		return nil, &Error{Reason: WrongType}
	}
	seen := make(map[string]bool, len(o.Members))
	out := make([]Member, 0, len(o.Members))
	for _, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		if seen[name] {
			return nil, &Error{Offset: m.Name.StartOffset, Reason: Duplicate, Name: name}
		}
		seen[name] = true
		out = append(out, Member{name, data[m.Value.StartOffset:m.Value.EndOffset]})
	}
	return out, nil
}

// Elements splits an array into the bytes of its elements.
func Elements(data []byte) ([]json.RawMessage, error) {
	tree, err := shallow(data)
	if err != nil {
		return nil, err
	}
	a, ok := tree.Value.(*hujson.Array)
	if !ok {
		return nil, &Error{Reason: WrongType}
	}
	out := make([]json.RawMessage, 0, len(a.Elements))
	for _, e := range a.Elements {
		out = append(out, data[e.StartOffset:e.EndOffset])
	}
	return out, nil
}

func shallow(data []byte) (hujson.Value, error) {
	if err := Guard(data, LockDepth); err != nil {
		return hujson.Value{}, err
	}
	tree, err := hujson.Parse(data)
	if err != nil || !tree.IsStandard() {
		return hujson.Value{}, &Error{Offset: syntaxOffset(data), Reason: Syntax}
	}
	return tree, nil
}
