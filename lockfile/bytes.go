package lockfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// Bytes is the lock as a file. It does not change digests: fill them with
// [Launch.Seal] and [Read.Seal] first. Bytes of a parsed lock parse to the same.
func (e Entry) Bytes() ([]byte, error) {
	top := map[string]any{
		"lockVersion": Version, "notice": Notice, "kind": e.Kind, "name": e.Name,
		"places": append([]string{}, e.Places...), "launch": e.Launch, "review": e.Review,
	}
	if e.Artifact != nil {
		top["artifact"] = *e.Artifact
	}
	if e.Read != nil {
		if err := e.Read.wire(top); err != nil {
			return nil, fmt.Errorf("write the lock of %q: %w", e.Name, err)
		}
	}
	raw, err := json.Marshal(top)
	if err != nil {
		return nil, fmt.Errorf("write the lock of %q: %w", e.Name, err)
	}
	canonical, err := canon.CanonicalTo(raw, canon.LockDepth)
	if err != nil {
		return nil, fmt.Errorf("write the lock of %q: %w", e.Name, err)
	}
	return canon.Indent(canonical)
}

func (r Read) wire(top map[string]any) error {
	server := map[string]any{
		"name": r.Server.Name, "version": r.Server.Version,
		"capabilities": append([]string{}, r.Server.Capabilities...),
	}
	if r.Server.Instructions != nil {
		server["instructions"] = strings.Split(*r.Server.Instructions, "\n")
	}
	probe := r.Probe
	probe.RealEnv = append([]string{}, probe.RealEnv...)
	top["probe"], top["server"], top["surface"] = probe, server, r.Surface
	top["unserved"] = append([]string{}, r.Unserved...)
	top["observed"] = map[string]any{"hosts": r.ObservedHost}
	for list, items := range r.Lists {
		out := make([]map[string]any, 0, len(items))
		for _, item := range items {
			w, err := item.wire(list)
			if err != nil {
				return err
			}
			out = append(out, w)
		}
		top[list] = out
	}
	return nil
}
