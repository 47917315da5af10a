package scanner

import (
	"fmt"
	"maps"
	"slices"

	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// newEntry is the lock of a launch whose surface was read in full.
func newEntry(name string, places []string, launch lockfile.Launch, s surface.Surface, probe lockfile.Probe) (lockfile.Entry, error) {
	e := lockfile.Entry{Kind: "server", Name: name, Places: places, Launch: launch}
	read, err := newRead(s, probe)
	if err != nil {
		return e, err
	}
	e.Read = &read
	e.Review = lockfile.Review{State: lockfile.Approved, Launch: launch.Digest, Surface: read.Surface}
	return e, nil
}

func newRead(s surface.Surface, probe lockfile.Probe) (lockfile.Read, error) {
	caps, err := lockfile.Capabilities(s.Server.Capabilities)
	if err != nil {
		return lockfile.Read{}, err
	}
	r := lockfile.Read{
		Probe:  probe,
		Server: lockfile.Server{Name: s.Server.Name, Version: s.Server.Version, Capabilities: caps, Instructions: s.Instructions},
		Lists:  map[string][]lockfile.Item{},
	}
	for _, kind := range surface.Kinds {
		list := s.Lists[kind]
		switch list.State {
		case surface.Unread:
			return r, fmt.Errorf("%s were not read", kind)
		case surface.Unserved:
			r.Unserved = append(r.Unserved, string(kind))
		case surface.Read:
			if r.Lists[string(kind)], err = lockItems(kind, list.Items); err != nil {
				return r, err
			}
		}
	}
	slices.Sort(r.Unserved)
	return r.Seal(), nil
}

func lockItems(kind surface.Kind, items []surface.Item) ([]lockfile.Item, error) {
	out := make([]lockfile.Item, 0, len(items))
	for _, i := range items {
		item, err := lockfile.NewItem(string(kind), i.Raw, nil)
		if err != nil {
			return nil, err
		}
		if kind == surface.Tools {
			item.Capabilities = capabilities(i.Raw)
		}
		out = append(out, item)
	}
	return out, nil
}

func capabilities(tool []byte) []string {
	var out []string
	for _, c := range surface.Classify(tool).Capabilities() {
		out = append(out, string(c))
	}
	return out
}

// inferred is e with the capabilities that this program infers: those that the
// file lists are a reading aid and decide nothing.
func inferred(e lockfile.Entry) lockfile.Entry {
	if e.Read == nil {
		return e
	}
	read := *e.Read
	read.Lists = maps.Clone(read.Lists)
	tools := slices.Clone(read.Lists["tools"])
	for i := range tools {
		tools[i].Capabilities = capabilities(tools[i].Raw)
	}
	if tools != nil {
		read.Lists["tools"] = tools
	}
	e.Read = &read
	return e
}
