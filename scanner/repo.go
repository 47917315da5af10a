package scanner

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// LockDir holds the locks of servers, relative to a repository's root.
const LockDir = ".toolwarrant/servers"

// LockSuffix ends the name of a lock file.
const LockSuffix = ".lock.json"

// Lock is one lock file: an entry that is believed, or the reason why not.
type Lock struct {
	File    string // slash-separated, from the repository's root
	Entry   lockfile.Entry
	Invalid *lockfile.InvalidError
	data    []byte
}

// At is the place of a JSON pointer in the lock.
func (l Lock) At(pointer string) finding.Location {
	if l.Invalid != nil {
		return finding.At(l.File, l.Invalid.Line, l.Invalid.Column)
	}
	line, column := lockfile.Position(l.data, pointer)
	return finding.At(l.File, line, column)
}

// Repo is what a tree declares and what its locks hold.
type Repo struct {
	Files    []string // configuration files found
	Targets  []Target
	Locks    []Lock            // believed or not, by file name
	Problems []finding.Finding // about files as a whole
}

// Load reads every declaration and lock of a tree. fsys must not lead out of
// it: os.Root on disk, or git objects.
func Load(fsys fs.FS) (Repo, error) {
	var r Repo
	found, problems := manifest.Find(fsys)
	r.Problems = problems
	var entries []manifest.Entry
	for _, f := range found {
		file := manifest.Read(fsys, f.Path)
		r.Files = append(r.Files, f.Path)
		r.Problems = append(r.Problems, file.Problems...)
		entries = append(entries, file.Entries...)
	}
	locks, err := LoadLocks(fsys, LockDir)
	if err != nil {
		return r, err
	}
	r.Locks = locks
	if r.Targets, err = group(entries, locks); err != nil {
		return r, err
	}
	sortTargets(r.Targets)
	return r, nil
}

// LoadLocks reads the locks of one folder; a folder that is not there holds
// none.
func LoadLocks(fsys fs.FS, dir string) ([]Lock, error) {
	names, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read the locks in %s: %w", dir, err)
	}
	var locks []Lock
	for _, n := range names {
		if strings.HasSuffix(n.Name(), LockSuffix) {
			locks = append(locks, LoadLock(fsys, path.Join(dir, n.Name())))
		}
	}
	return locks, nil
}

// LoadLock reads one lock file. A link, a folder or an executable file is no
// lock, whatever it holds.
func LoadLock(fsys fs.FS, file string) Lock {
	l := Lock{File: file}
	refuse := func(reason string) Lock {
		l.Invalid = &lockfile.InvalidError{Line: 1, Column: 1, Reason: reason}
		return l
	}
	info, err := fs.Lstat(fsys, file)
	switch {
	case err != nil:
		return refuse("the file cannot be looked at")
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("the file is a link")
	case !info.Mode().IsRegular():
		return refuse("not a plain file")
	case info.Mode().Perm()&0o111 != 0:
		return refuse("the file is executable; a lock has mode 100644")
	case info.Size() > lockfile.MaxSize:
		return refuse("larger than a lock can be")
	}
	if l.data, err = fs.ReadFile(fsys, file); err != nil {
		return refuse("the file cannot be read")
	}
	l.Entry, err = lockfile.Parse(l.data)
	if invalid := (*lockfile.InvalidError)(nil); errors.As(err, &invalid) {
		l.Invalid = invalid
	}
	return l
}
