package scanner

import (
	"encoding/json"
	"slices"

	"github.com/toolwarrant/toolwarrant/lockfile"
)

// beside are the differences of two locks in what no digest covers: a change of
// them changes how the next readings are judged.
func beside(old, new lockfile.Entry) []lockfile.Change {
	var out []lockfile.Change
	tell := func(path string, a, b any) {
		x, errA := json.Marshal(a)
		y, errB := json.Marshal(b)
		if errA == nil && errB == nil && string(x) != string(y) {
			out = append(out, lockfile.Change{Event: lockfile.OtherChanged, Path: path, Old: x, New: y})
		}
	}
	tell("name", old.Name, new.Name)
	if (old.Artifact == nil) != (new.Artifact == nil) {
		tell("artifact", old.Artifact, new.Artifact)
	}
	if old.Read != nil && new.Read != nil && old.Read.Surface == new.Read.Surface {
		tell("probe", old.Read.Probe, new.Read.Probe)
		tell("observed", old.Read.ObservedHost, new.Read.ObservedHost)
	}
	return slices.Clip(out)
}
