package fetch

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// room is a fresh folder in which npm runs once: work (with package.json and
// nothing else), home, tmp, config and, unless the caller keeps one, cache.
type room struct {
	dir   string
	cache string
	uid   int
}

func (m *room) path(names ...string) string {
	return filepath.Join(append([]string{m.dir}, names...)...)
}
func (m *room) nothing() string { return m.path("config", "empty") } // a file that nobody can execute
func (m *room) work() string    { return m.path("work") }
func (m *room) own() []string   { return []string{m.work(), m.path("home"), m.path("tmp"), m.cache} }
func (m *room) remove()         { _ = os.RemoveAll(m.dir) }

func (r *Resolver) newRoom(manifest []byte) (*room, error) {
	dir, err := os.MkdirTemp(r.base(), "toolwarrant-npm-")
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Detail: "no folder for npm can be made", Hint: "check that the temporary directory can be written"}
	}
	uid, _ := r.uid()
	m := &room{dir: dir, uid: uid, cache: r.cache(uid)}
	if m.cache == "" {
		m.cache = m.path("cache")
	}
	if err := r.furnish(m, manifest); err != nil {
		m.remove()
		return nil, &ResolveError{Reason: Failed, Detail: "the folder for npm cannot be prepared", Hint: "check that the temporary directory and the cache can be written"}
	}
	return m, nil
}

func (r *Resolver) furnish(m *room, manifest []byte) error {
	for _, name := range []string{m.work(), m.path("home"), m.path("tmp"), m.path("config"), m.cache} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			return err
		}
	}
	files := map[string][]byte{m.path("work", "package.json"): manifest, m.nothing(): nil}
	r.config.files(m, files)
	for name, data := range files {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return err
		}
	}
	if m.uid == 0 {
		return nil
	}
	return m.handOver(slices.Sorted(maps.Keys(files)))
}

// handOver gives what npm needs to the user that it runs as.
func (m *room) handOver(files []string) error {
	for _, name := range append(files, m.work(), m.path("home"), m.path("tmp"), m.path("config"), m.cache, m.dir) {
		if err := os.Lchown(name, m.uid, m.uid); err != nil {
			return err
		}
	}
	return nil
}

// files writes the user's npmrc for npm, with registries, credentials of these
// and authorities alone, and the files that it names.
func (c Config) files(m *room, files map[string][]byte) {
	var rc bytes.Buffer
	if c.registry != nil {
		line(&rc, "registry", c.registry.String())
	}
	for _, scope := range slices.Sorted(maps.Keys(c.scopes)) {
		line(&rc, scope+":registry", c.scopes[scope].String())
	}
	if len(c.authorities) > 0 {
		files[m.path("config", "ca.pem")] = c.authorities
		line(&rc, "cafile", m.path("config", "ca.pem"))
	}
	if len(c.extra) > 0 {
		files[m.path("config", "extra.pem")] = c.extra
	}
	for i, dart := range slices.Sorted(maps.Keys(c.credentials)) {
		if c.ofRegistry(dart) {
			c.credentials[dart].write(m, &rc, files, dart, i)
		}
	}
	files[m.path("config", "npmrc")] = rc.Bytes()
}
