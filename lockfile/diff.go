package lockfile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Diff lists every difference between two locks, in a fixed order. It is pure
// and total: two locks with different launch or surface digests always differ
// in at least one Change. The capabilities of both sides are those that the
// items carry: infer them anew before, with one classifier for both.
func Diff(old, new Entry) []Change {
	changes := diffLaunch(old.Launch, new.Launch)
	if old.Artifact != nil && new.Artifact != nil {
		changes = append(changes, diffArtifact(*old.Artifact, new.artifactFor(old))...)
	}
	if old.Read != nil && new.Read != nil {
		changes = append(changes, diffRead(*old.Read, *new.Read)...)
	}
	slices.SortStableFunc(changes, compare)
	return changes
}

func diffRead(old, new Read) []Change {
	changes := diffServer(old.Server, new.Server)
	if !slices.Equal(old.Unserved, new.Unserved) {
		changes = append(changes, Change{Event: UnservedChanged, Path: "unserved", Old: jsonOf(old.Unserved), New: jsonOf(new.Unserved)})
	}
	for _, list := range Lists {
		changes = append(changes, diffList(list, old.Lists[list], new.Lists[list])...)
	}
	return changes
}

func diffServer(old, new Server) []Change {
	var changes []Change
	if old.Name != new.Name {
		changes = append(changes, Change{Event: ServerInfoChanged, Path: "server.name", Old: jsonOf(old.Name), New: jsonOf(new.Name)})
	}
	if old.Version != new.Version {
		changes = append(changes, Change{Event: ServerInfoChanged, Path: "server.version", Old: jsonOf(old.Version), New: jsonOf(new.Version)})
	}
	if o, n := text(old.Instructions), text(new.Instructions); !bytes.Equal(o, n) {
		changes = append(changes, Change{Event: Instructions, Path: instructionsPath, Old: o, New: n})
	}
	return append(changes, diffCapabilities(old.Capabilities, new.Capabilities)...)
}

func text(s *string) json.RawMessage {
	if s == nil {
		return nil
	}
	return jsonOf(*s)
}

func diffCapabilities(old, new []string) []Change {
	var changes []Change
	for _, c := range minus(new, old) {
		changes = append(changes, Change{Event: noiseIf(listChanged(c), CapabilityServer), Path: capabilitiesPath, New: jsonOf(c)})
	}
	for _, c := range minus(old, new) {
		changes = append(changes, Change{Event: noiseIf(listChanged(c), CapabilityLost), Path: capabilitiesPath, Old: jsonOf(c)})
	}
	return changes
}

// listChanged says whether a flattened capability is the flag by which SDKs
// announce that they may send a notification.
func listChanged(capability string) bool {
	name, _, _ := strings.Cut(capability, "=")
	return strings.HasSuffix(name, "/listChanged")
}

func noiseIf(noise bool, e Event) Event {
	if noise {
		return SerializerNoise
	}
	return e
}

// minus returns the members of a that b lacks, in a's order.
func minus(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func jsonOf(v any) json.RawMessage {
	return mustCanonical(v)
}
