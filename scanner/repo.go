package scanner

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
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
	Tree    fetch.Closure // of the packages that it fixes; nil where it fixes none
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
	Excluded []string          // configuration files that the policy excludes

	found         []manifest.Found
	foundProblems []finding.Finding
}

// Load reads every declaration and lock of a tree. fsys must not lead out of
// it: os.Root on disk, or git objects.
func Load(fsys fs.FS) (Repo, error) {
	return LoadExcept(fsys, func(string) bool { return false })
}

// LoadExcept is Load without the configuration files that excluded names.
func LoadExcept(fsys fs.FS, excluded func(string) bool) (Repo, error) {
	return loadTracked(fsys, excluded, tracked{})
}

// loadTracked is LoadExcept where it is known which names of a work tree are the
// repository's.
func loadTracked(fsys fs.FS, excluded func(string) bool, by tracked) (Repo, error) {
	found, problems := manifest.Find(fsys)
	return load(fsys, excluded, by, found, problems)
}

// LoadLike is LoadExcept for a tree that resembles one that was read already:
// folders that git knows to be equal are not walked again.
func LoadLike(fsys, other fs.FS, r Repo, excluded func(string) bool) (Repo, error) {
	same := func(dir string) bool { return sameID(fsys, other, dir) }
	found, problems := manifest.FindLike(fsys, same, r.found, r.foundProblems)
	return load(fsys, excluded, tracked{}, found, problems)
}

func load(fsys fs.FS, excluded func(string) bool, by tracked, found []manifest.Found, problems []finding.Finding) (Repo, error) {
	r := Repo{found: found, foundProblems: problems}
	r.Problems = slices.DeleteFunc(slices.Clone(problems), func(f finding.Finding) bool { return excluded(f.Location.File) })
	var entries []manifest.Entry
	around := manifest.NewTree(fsys, by.committed(fsys))
	for _, f := range found {
		if excluded(f.Path) {
			r.Excluded = append(r.Excluded, f.Path)
			continue
		}
		file := manifest.Read(fsys, f.Path)
		r.Files = append(r.Files, f.Path)
		r.Problems = append(r.Problems, file.Problems...)
		entries = append(entries, settle(around, file.Entries)...)
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

// Settle adds to declarations of a tree what the files around them say.
func Settle(fsys fs.FS, entries []manifest.Entry) []manifest.Entry {
	return settle(manifest.NewTree(fsys, tracked{}.committed(fsys)), entries)
}

func settle(around *manifest.Tree, entries []manifest.Entry) []manifest.Entry {
	for i, e := range entries {
		entries[i] = around.Entry(baseOf(e), e)
	}
	return entries
}

// LoadLocks reads the locks of one folder; a folder that is not there holds
// none.
func LoadLocks(fsys fs.FS, dir string) ([]Lock, error) {
	if at := crooked(fsys, dir); at != "" {
		return []Lock{{File: at, Invalid: &lockfile.InvalidError{Line: 1, Column: 1, Reason: "a link or a file where the folder of the locks belongs"}}}, nil
	}
	names, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read the locks in %s: %w", dir, err)
	}
	names = slices.DeleteFunc(names, func(n fs.DirEntry) bool { return !strings.HasSuffix(n.Name(), LockSuffix) })
	locks := make([]Lock, len(names))
	forEach(runtime.GOMAXPROCS(0), len(names), func(i int) {
		locks[i] = LoadLock(fsys, path.Join(dir, names[i].Name())).complete()
	})
	return onePerLaunch(locks), nil
}

// crooked is the first element of a path that is there and is no plain folder:
// a link would bring locks from where nobody guards them.
func crooked(fsys fs.FS, dir string) string {
	at := "."
	for _, part := range strings.Split(dir, "/") {
		at = path.Join(at, part)
		if info, err := fs.Lstat(fsys, at); err == nil && !info.IsDir() {
			return at
		}
	}
	return ""
}

// onePerLaunch takes the belief from a second lock of a launch: of two records
// nobody could tell which one was approved.
func onePerLaunch(locks []Lock) []Lock {
	first := map[string]string{}
	for i := range locks {
		l := &locks[i]
		if l.Invalid != nil {
			continue
		}
		if other, twice := first[l.Entry.Launch.Digest]; twice {
			l.Invalid = &lockfile.InvalidError{Line: 1, Column: 1, Reason: "a second lock of one launch: " + path.Base(other) + " has it too"}
			continue
		}
		first[l.Entry.Launch.Digest] = l.File
	}
	return locks
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
		return l
	}
	return l.withTree(fsys)
}
