package lockfile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// diffLaunch gives one change for each member of the launch that differs.
func diffLaunch(old, new Launch) []Change {
	if old.Digest == new.Digest {
		return nil
	}
	o, n := launchMembers(old), launchMembers(new)
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(union(o, n))) {
		if !bytes.Equal(o[name], n[name]) {
			changes = append(changes, Change{Event: LaunchChanged, Path: name, Old: o[name], New: n[name]})
		}
	}
	return changes
}

// launchMembers flattens a launch: env and headers by name, the rest whole.
func launchMembers(l Launch) map[string]json.RawMessage {
	l.Digest = ""
	env, headers := l.Env, l.Headers
	l.Env, l.Headers = nil, nil
	out := map[string]json.RawMessage{}
	_ = json.Unmarshal(mustCanonical(l), &out) // our own bytes
	for name, v := range env {
		out["env."+name] = mustCanonical(v)
	}
	for name, v := range headers {
		out["headers."+name] = mustCanonical(v)
	}
	return out
}

func union[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, b)
	return out
}
