package lockfile

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(name string) string { return pointerEscape.Replace(name) }

// read takes the surface of a lock apart; nil where the lock holds none.
func (p parser) read(top map[string]json.RawMessage) (*Read, error) {
	if top["surface"] == nil {
		for _, name := range append([]string{"probe", "server", "unserved", "observed"}, Lists...) {
			if top[name] != nil {
				return nil, p.fail("/"+name, "part of a surface, but the surface digest is missing")
			}
		}
		return nil, nil
	}
	r := &Read{Lists: map[string][]Item{}}
	for _, step := range []func(map[string]json.RawMessage, *Read) error{p.probe, p.server, p.lists, p.rest} {
		if err := step(top, r); err != nil {
			return nil, err
		}
	}
	if r.Seal().Surface != r.Surface {
		return nil, p.fail("/surface", "the surface does not have this digest: it was edited by hand")
	}
	return r, nil
}

func (p parser) probe(top map[string]json.RawMessage, r *Read) error {
	if _, err := p.members("/probe", top["probe"], "platform", "client", "capabilities", "realEnv"); err != nil {
		return err
	}
	return p.decode("/probe", top["probe"], &r.Probe)
}

func (p parser) server(top map[string]json.RawMessage, r *Read) error {
	members, err := p.members("/server", top["server"], "name", "version", "capabilities", "instructions")
	if err != nil {
		return err
	}
	for name, into := range map[string]any{"name": &r.Server.Name, "version": &r.Server.Version, "capabilities": &r.Server.Capabilities} {
		if err := p.decode("/server/"+name, members[name], into); err != nil {
			return err
		}
	}
	if members["instructions"] == nil {
		return nil
	}
	text, err := readText(members["instructions"])
	if err != nil {
		return p.fail("/server/instructions", "%v", err)
	}
	r.Server.Instructions = &text
	return nil
}

func (p parser) lists(top map[string]json.RawMessage, r *Read) error {
	for _, list := range Lists {
		if top[list] == nil {
			continue
		}
		var raw []json.RawMessage
		if err := p.decode("/"+list, top[list], &raw); err != nil {
			return err
		}
		items, err := p.items(list, raw)
		if err != nil {
			return err
		}
		r.Lists[list] = items
	}
	return nil
}

func (p parser) items(list string, raw []json.RawMessage) ([]Item, error) {
	items := make([]Item, 0, len(raw))
	for i, data := range raw {
		at := "/" + list + "/" + strconv.Itoa(i)
		item, err := readItem(list, data)
		if err != nil {
			return nil, p.fail(at, "%v", err)
		}
		if canon.Digest(domains[list], item.Raw) != item.Digest {
			return nil, p.fail(at+"/digest", "%s does not have this digest: it was edited by hand", list[:len(list)-1])
		}
		if i > 0 && items[i-1].Key >= item.Key {
			return nil, p.fail(at, "%s are not sorted, or one stands twice", list)
		}
		items = append(items, item)
	}
	return items, nil
}

func (p parser) rest(top map[string]json.RawMessage, r *Read) error {
	if err := p.decode("/unserved", top["unserved"], &r.Unserved); err != nil {
		return err
	}
	for i, list := range r.Unserved {
		if !slices.Contains(Lists, list) || i > 0 && r.Unserved[i-1] >= list {
			return p.fail("/unserved", "not a sorted set of list names")
		}
	}
	if _, err := p.members("/observed", top["observed"], "hosts"); err != nil {
		return err
	}
	var observed struct{ Hosts []string }
	if err := p.decode("/observed", top["observed"], &observed); err != nil {
		return err
	}
	r.ObservedHost = observed.Hosts
	return p.decode("/surface", top["surface"], &r.Surface)
}
