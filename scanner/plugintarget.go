package scanner

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// PluginDir holds the locks of plugins, relative to a repository's root.
const PluginDir = ".toolwarrant/plugins"

// PluginLock is one lock file of a plugin: believed, or the reason why not.
type PluginLock struct {
	File    string // slash-separated, from the repository's root
	Plugin  lockfile.Plugin
	Invalid *lockfile.InvalidError
	data    []byte
}

// At is the place of a JSON pointer in the lock.
func (l PluginLock) At(pointer string) finding.Location {
	return l.Shown().At(pointer)
}

// Digest identifies the file as it is.
func (l PluginLock) Digest() string { return PluginApproval(l.data) }

// LoadPluginLocks reads the locks of one folder; a folder that is not there holds
// none. Of two locks of one plugin nobody could tell which one was approved.
func LoadPluginLocks(fsys fs.FS, dir string) ([]PluginLock, error) {
	if at := crooked(fsys, dir); at != "" {
		return []PluginLock{{File: at, Invalid: &lockfile.InvalidError{Line: 1, Column: 1, Reason: "a link or a file where the folder of the locks belongs"}}}, nil
	}
	names, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read the locks in %s: %w", dir, err)
	}
	var locks []PluginLock
	first := map[string]string{}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), LockSuffix) {
			continue
		}
		l := LoadPluginLock(fsys, path.Join(dir, n.Name()))
		if other, twice := first[l.Plugin.Name]; twice && l.Invalid == nil {
			l.Invalid = &lockfile.InvalidError{Line: 1, Column: 1, Reason: "a second lock of one plugin: " + path.Base(other) + " has it too"}
		} else if l.Invalid == nil {
			first[l.Plugin.Name] = l.File
		}
		locks = append(locks, l)
	}
	return locks, nil
}

// LoadPluginLock reads one lock file of a plugin.
func LoadPluginLock(fsys fs.FS, file string) PluginLock {
	l := PluginLock{File: file}
	var odd string
	if l.data, odd = lockBytes(fsys, file); odd != "" {
		l.Invalid = &lockfile.InvalidError{Line: 1, Column: 1, Reason: odd}
		return l
	}
	var err error
	if l.Plugin, err = lockfile.ParsePlugin(l.data); err != nil {
		l.Invalid, _ = errors.AsType[*lockfile.InvalidError](err)
	}
	return l
}

// badPluginLocks tells of the locks that are not believed.
func (r Repo) badPluginLocks() []finding.Finding {
	var out []finding.Finding
	for _, l := range r.PluginLocks {
		if l.Invalid != nil {
			out = append(out, judge(lockSubject(l.Shown()))...)
		}
	}
	return out
}

// PluginTarget is one plugin that the policy declares with the lock that holds it,
// or one of these alone.
type PluginTarget struct {
	Name     string
	Declared *policy.Plugin // nil where only a lock is there
	Lock     *PluginLock    // nil where none holds the source or lists its place
	unread   bool           // the policy that would declare it cannot be read in full
}

// loadPlugins brings what the policy of a tree declares and the locks together.
func (r *Repo) loadPlugins(fsys fs.FS) error {
	locks, err := LoadPluginLocks(fsys, PluginDir)
	if err != nil {
		return err
	}
	r.PluginLocks = locks
	p, _ := readPolicy(fsys)
	used := map[string]bool{}
	for i := range p.Plugins {
		t := PluginTarget{Name: p.Plugins[i].Name, Declared: &p.Plugins[i]}
		if t.Lock = pluginLockOf(p.Plugins[i], locks); t.Lock != nil {
			used[t.Lock.File] = true
		}
		r.Plugins = append(r.Plugins, t)
	}
	for i := range locks {
		if l := &locks[i]; l.Invalid == nil && !used[l.File] {
			r.Plugins = append(r.Plugins, PluginTarget{Name: l.Plugin.Name, Lock: l, unread: p.Broken()})
		}
	}
	slices.SortStableFunc(r.Plugins, func(a, b PluginTarget) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// pluginLockOf is the lock with a version from the declared source, else the one
// that lists the declaration's place.
func pluginLockOf(p policy.Plugin, locks []PluginLock) *PluginLock {
	source, pin := pluginSource(p)
	for i := range locks {
		if locks[i].Invalid == nil && locks[i].Plugin.From(source, pin) != nil {
			return &locks[i]
		}
	}
	for i := range locks {
		if locks[i].Invalid == nil && slices.Contains(locks[i].Plugin.Places, pluginPlace(p.Name)) {
			return &locks[i]
		}
	}
	return nil
}

// pluginSource is a declared source as a lock has it.
func pluginSource(p policy.Plugin) (source, pin string) {
	if p.URL != "" {
		return p.URL, "sha256:" + p.SHA256
	}
	return "git+" + p.Git + "#" + p.Path, "commit:" + p.Commit
}

func pluginPlace(name string) string {
	return PolicyFile + "#/plugins/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// At is where the plugin is declared, or its lock.
func (t PluginTarget) At() finding.Location {
	if t.Declared != nil {
		return t.Declared.At
	}
	return t.Lock.At("/name")
}

// version is what the lock holds of the declared source, nil where it holds nothing.
func (t PluginTarget) version() *lockfile.PluginVersion {
	if t.Declared == nil || t.Lock == nil {
		return nil
	}
	return t.Lock.Plugin.From(pluginSource(*t.Declared))
}

// versionAt is the pointer to a version in the lock.
func (t PluginTarget) versionAt(v *lockfile.PluginVersion) string {
	i := slices.IndexFunc(t.Lock.Plugin.Versions, func(o lockfile.PluginVersion) bool { return o.Source == v.Source && o.Pin == v.Pin })
	return fmt.Sprintf("/versions/%d", i)
}

// PluginLockFile is where the lock of a plugin goes: a new one is named as the
// plugin is declared.
func PluginLockFile(r Repo, t PluginTarget, id string) string {
	if t.Lock != nil {
		return t.Lock.File
	}
	for _, l := range r.PluginLocks {
		if l.Invalid == nil && l.Plugin.Name == id {
			return l.File
		}
	}
	file := path.Join(PluginDir, lockfile.FileName(t.Name)+LockSuffix)
	if slices.ContainsFunc(r.PluginLocks, func(l PluginLock) bool { return l.File == file && l.Invalid == nil }) {
		return path.Join(PluginDir, lockfile.FileNameAt(t.Name, id)+LockSuffix)
	}
	return file
}

// brought are the servers of the declared plugins, as their locks list them. Each is
// a target of its own: approving a plugin approves none of its servers.
func (r Repo) brought() []manifest.Entry {
	var out []manifest.Entry
	for _, t := range r.Plugins {
		v := t.version()
		if v == nil {
			continue
		}
		for _, i := range v.Inventory {
			if i.Kind == "mcp-server" || i.Kind == "mcp-remote" {
				out = append(out, broughtServer(t, i))
			}
		}
	}
	return out
}

// broughtServer reads the lines that a lock has of a server.
func broughtServer(t PluginTarget, i lockfile.PluginItem) manifest.Entry {
	name, url := t.Name, ""
	var command []string
	for _, line := range i.Text {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "id":
			name = t.Name + "/" + rest
		case "command", "argument":
			command = append(command, rest)
		case "url":
			url = rest
		}
	}
	_, pointer, _ := strings.Cut(i.Place, "#")
	whole := !strings.Contains(strings.Join(append(command, url), "\n"), secret.Mark)
	return manifest.Brought(name, pluginPlace(t.Name)+pointer, t.At(), command, url, whole)
}
