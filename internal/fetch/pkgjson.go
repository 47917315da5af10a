package fetch

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// packageJSON is what is read of a package's own manifest.
type packageJSON struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	Bin     json.RawMessage `json:"bin"`

	Dependencies         map[string]string `json:"dependencies"`
	OptionalDependencies map[string]string `json:"optionalDependencies"`
	PeerDependencies     map[string]string `json:"peerDependencies"`
}

// maxManifest is the most bytes of a package.json.
const maxManifest = 4 << 20

// readManifest reads the package.json of an unpacked package.
func readManifest(dir string) (packageJSON, bool) {
	var m packageJSON
	info, err := os.Stat(filepath.Join(dir, "package.json"))
	if err != nil || info.Size() > maxManifest {
		return m, false
	}
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return m, false
	}
	data = []byte(strings.TrimPrefix(string(data), "\ufeff")) // as npm reads it
	if canon.Guard(data, canon.MaxDepth) != nil {
		return m, false
	}
	loose := map[string]json.RawMessage{}
	if json.Unmarshal(data, &loose) != nil {
		return m, false
	}
	for name, into := range map[string]any{"name": &m.Name, "version": &m.Version, "dependencies": &m.Dependencies,
		"optionalDependencies": &m.OptionalDependencies, "peerDependencies": &m.PeerDependencies} {
		if raw, ok := loose[name]; ok {
			_ = json.Unmarshal(raw, into) // a member of another type asks for nothing
		}
	}
	m.Bin = loose["bin"]
	return m, true
}

// programs are the files that the package declares as programs, by name. Names
// and files are clamped to the package (npm-normalize-package-bin); what is no
// text is left out.
func (m packageJSON) programs() map[string]string {
	var one string
	all := map[string]any{}
	if json.Unmarshal(m.Bin, &one) == nil {
		all[m.Name] = one
	} else if json.Unmarshal(m.Bin, &all) != nil {
		return nil
	}
	out := map[string]string{}
	for name, v := range all {
		file, _ := v.(string)
		if name, file = path.Base(clamped(name)), clamped(file); file != "" && name != "." {
			out[name] = file
		}
	}
	return out
}

// clamped keeps a path in the folder that it is meant in.
func clamped(file string) string {
	return strings.TrimPrefix(path.Join("/", strings.NewReplacer(`\`, "/", ":", "/").Replace(file)), "/")
}

// permit makes the programs of an unpacked package executable, as npm does.
func permit(dir string, files map[string]unpacked) error {
	m, _ := readManifest(dir)
	for _, name := range m.programs() {
		f, ok := files[name]
		if !ok || f.mode == binaryMode {
			continue
		}
		if err := os.Chmod(filepath.Join(dir, filepath.FromSlash(name)), binaryMode); err != nil {
			return fmt.Errorf("make a program executable: %w", withoutPath(err))
		}
		f.mode = binaryMode
		files[name] = f
	}
	return nil
}

// checkManifest holds an unpacked package against its entry: the tarball is the
// package and version that the tree names, and asks for all that the tree says
// it asks for. A tree that invents a dependency could bring in a package under
// another's name.
func checkManifest(p Package, dir string, files map[string]unpacked) error {
	fail := func(reason string) error { return &LockError{Path: p.Path, Reason: reason} }
	if files["package.json"].sum == "" {
		return fail("its tarball holds no package.json")
	}
	m, ok := readManifest(dir)
	switch {
	case !ok:
		return fail("its package.json cannot be read")
	case m.Name != p.Name:
		return fail("its tarball is another package")
	case strings.TrimLeft(strings.TrimSpace(m.Version), "v=") != p.Version:
		return fail("its tarball is another version")
	}
	asks := maps.Clone(m.PeerDependencies)
	if asks == nil {
		asks = map[string]string{}
	}
	maps.Copy(asks, m.Dependencies)
	maps.Copy(asks, m.OptionalDependencies)
	for _, deps := range []map[string]string{p.needs.Dependencies, p.needs.OptionalDependencies, p.needs.PeerDependencies} {
		for name, selector := range deps {
			if has, ok := asks[name]; !ok || has != selector && m.PeerDependencies[name] != selector && m.Dependencies[name] != selector {
				return fail("the tree says that it asks for what its package.json does not ask for")
			}
		}
	}
	return nil
}
