// Package surface is what a target declares: tools, resources, templates,
// prompts, instructions and server capabilities, each item as the canonical
// JSON of its raw members, and the capabilities inferred from them.
package surface

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// State says how far a list was read. The zero value is Unread: what was not
// read is not empty.
type State uint8

// The states of a list.
const (
	Unread     State = iota // asked for and not read in full, or never asked for
	Read                    // every page to the end, every item understood
	Undeclared              // the server does not declare it; it was not asked for
	Unserved                // declared, answered with "method not found"
)

// Kind is one of the four lists.
type Kind string

// The kinds, named as the lock's members.
const (
	Tools     Kind = "tools"
	Resources Kind = "resources"
	Templates Kind = "resourceTemplates"
	Prompts   Kind = "prompts"
)

// Kinds lists the four in the order in which they are read and shown.
var Kinds = []Kind{Tools, Resources, Templates, Prompts}

// Key is the member that identifies an item of the kind.
func (k Kind) Key() string {
	switch k {
	case Resources:
		return "uri"
	case Templates:
		return "uriTemplate"
	}
	return "name"
}

// Domain is the digest domain of an item of the kind.
func (k Kind) Domain() canon.Domain {
	switch k {
	case Resources:
		return canon.Resource
	case Templates:
		return canon.Template
	case Prompts:
		return canon.Prompt
	}
	return canon.Tool
}

// Item is one tool, resource, template or prompt.
type Item struct {
	Key    string          // its name, uri or uriTemplate; unique in its list
	Raw    json.RawMessage // canonical JSON of every member, unknown ones included
	Digest string
}

// NewItem reads one element of a list result. An element that is no object, has
// no usable key or cannot be made canonical is an error, never a repair.
func NewItem(k Kind, raw []byte) (Item, error) {
	canonical, err := canon.Canonical(raw)
	if err != nil {
		return Item{}, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(canonical, &members); err != nil || members == nil {
		return Item{}, fmt.Errorf("not an object")
	}
	var key string
	if err := json.Unmarshal(members[k.Key()], &key); err != nil || key == "" {
		return Item{}, fmt.Errorf("its %s is missing, empty or no string", k.Key())
	}
	return Item{key, canonical, canon.Digest(k.Domain(), canonical)}, nil
}

// List is one of a server's lists. Items are sorted by key.
type List struct {
	State State
	Items []Item
	Why   string // where State is Unread: what stopped the reading
}

// Server is what a server says of itself.
type Server struct {
	Name, Version string
	Capabilities  json.RawMessage // canonical JSON of the declared object
}

// Surface is everything that a server declares.
type Surface struct {
	Server       Server
	Instructions *string // nil where the server gives none
	Lists        map[Kind]List
}

// Complete reports whether every list was read, is undeclared or is unserved.
func (s Surface) Complete() bool {
	return len(s.Unread()) == 0
}

// Unread lists the kinds that could not be read.
func (s Surface) Unread() []Kind {
	return slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool {
		return s.Lists[k].State != Unread
	})
}

// Sort orders items by key, so that the order of an answer does not matter.
func Sort(items []Item) {
	slices.SortFunc(items, func(a, b Item) int {
		if a.Key < b.Key {
			return -1
		}
		if a.Key > b.Key {
			return 1
		}
		return 0
	})
}
