package lockfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// shape is the JSON type that a known member must have to stand beside the
// item's digest; anything else of the item stands under "rest".
var shape = map[string]map[string]byte{
	"tools":             {"name": '"', "title": '"', "description": '"', "inputSchema": '{', "outputSchema": '{', "annotations": '{'},
	"resources":         {"uri": '"', "name": '"', "title": '"', "description": '"', "mimeType": '"', "annotations": '{'},
	"resourceTemplates": {"uriTemplate": '"', "name": '"', "title": '"', "description": '"', "mimeType": '"', "annotations": '{'},
	"prompts":           {"name": '"', "title": '"', "description": '"', "arguments": '['},
}

// NewItem makes an item of a list from canonical members.
func NewItem(list string, raw json.RawMessage, capabilities []string) (Item, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return Item{}, err
	}
	var k string
	if err := json.Unmarshal(members[key(list)], &k); err != nil || k == "" {
		return Item{}, fmt.Errorf("an item of %s has no %s", list, key(list))
	}
	return Item{k, raw, capabilities, canon.Digest(domains[list], raw)}, nil
}

// wire is the item as it stands in a lock.
func (i Item) wire(list string) (map[string]any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(i.Raw, &members); err != nil {
		return nil, err
	}
	out, rest := map[string]any{"digest": i.Digest}, map[string]any{}
	for name, value := range members {
		if shape[list][name] != value[0] {
			rest[name] = value
		} else if name == "description" {
			out[name] = lines(value)
		} else {
			out[name] = value
		}
	}
	if len(rest) > 0 {
		out["rest"] = rest
	}
	if list == "tools" {
		out["capabilities"] = append([]string{}, i.Capabilities...)
	}
	return out, nil
}

func lines(value json.RawMessage) []string {
	var text string
	_ = json.Unmarshal(value, &text) // shape has seen that it is a string
	return strings.Split(text, "\n")
}

// readItem takes an item of a lock apart. The digest is the caller's to check.
func readItem(list string, data json.RawMessage) (Item, error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil || in == nil {
		return Item{}, fmt.Errorf("an item of %s is not an object", list)
	}
	members := map[string]json.RawMessage{}
	item := Item{}
	for name, value := range in {
		var err error
		switch {
		case name == "digest":
			err = json.Unmarshal(value, &item.Digest)
		case name == "capabilities" && list == "tools":
			err = json.Unmarshal(value, &item.Capabilities)
		case name == "rest":
			err = addRest(members, value)
		case name == "description":
			err = addText(members, value)
		case shape[list][name] == 0:
			err = fmt.Errorf("unknown member %q", name)
		default:
			err = add(members, name, value)
		}
		if err != nil {
			return Item{}, fmt.Errorf("an item of %s: %w", list, err)
		}
	}
	return assemble(list, members, item)
}

func assemble(list string, members map[string]json.RawMessage, item Item) (Item, error) {
	b, err := json.Marshal(members)
	if err != nil {
		return Item{}, err
	}
	raw, err := canon.Canonical(b)
	if err != nil {
		return Item{}, err
	}
	whole, err := NewItem(list, raw, item.Capabilities)
	item.Key, item.Raw = whole.Key, raw
	return item, err
}

func addRest(members map[string]json.RawMessage, value json.RawMessage) error {
	var rest map[string]json.RawMessage
	if err := json.Unmarshal(value, &rest); err != nil {
		return fmt.Errorf("rest is not an object")
	}
	for name, v := range rest {
		if err := add(members, name, v); err != nil {
			return err
		}
	}
	return nil
}

func addText(members map[string]json.RawMessage, value json.RawMessage) error {
	text, err := readText(value)
	if err != nil {
		return err
	}
	b, err := json.Marshal(text)
	if err != nil {
		return err
	}
	return add(members, "description", b)
}

// readText joins an array of lines; a line break inside one would give two
// locks for one text.
func readText(value json.RawMessage) (string, error) {
	var ls []string
	if err := json.Unmarshal(value, &ls); err != nil || len(ls) == 0 {
		return "", fmt.Errorf("a text is not an array of lines")
	}
	for _, l := range ls {
		if strings.Contains(l, "\n") {
			return "", fmt.Errorf("a line of a text holds a line break")
		}
	}
	return strings.Join(ls, "\n"), nil
}

func add(members map[string]json.RawMessage, name string, value json.RawMessage) error {
	if _, twice := members[name]; twice {
		return fmt.Errorf("member %q stands twice", name)
	}
	members[name] = value
	return nil
}
