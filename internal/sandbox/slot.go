package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Slot is a directory that looks the same on every machine and in every run:
// toolwarrant-0001 below the system's temporary directory, or the next free
// number. It holds home, work and tmp, and is ours alone while we hold its lock.
type Slot struct {
	name string // "toolwarrant-0001"
	n    int
	path string
	lock *os.File
}

const slots = 9999

var slotFolders = []string{"home", "work", "tmp"}

// The place and name that stand for those of every slot.
const (
	neutralName = "toolwarrant-0000"
	neutralPath = "/tmp/" + neutralName
)

// Claim takes the first free slot. One that an earlier run left behind is
// emptied and taken if it is ours and nobody holds its lock; a link, or a
// directory of someone else, is skipped.
func Claim() (*Slot, error) {
	base, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("no temporary directory")
	}
	for n := 1; n <= slots; n++ {
		name := fmt.Sprintf("toolwarrant-%04d", n)
		s := &Slot{name: name, n: n, path: filepath.Join(base, name)}
		made := os.Mkdir(s.path, 0o700)
		if made != nil && !os.IsExist(made) {
			return nil, fmt.Errorf("the temporary directory cannot be written")
		}
		if !s.take(made == nil) {
			continue
		}
		if err := s.Reset(); err != nil {
			s.Release()
			continue
		}
		return s, nil
	}
	return nil, fmt.Errorf("all neutral directories are in use")
}

// Home is the directory for HOME.
func (s *Slot) Home() string { return filepath.Join(s.path, "home") }

// Work is the working directory.
func (s *Slot) Work() string { return filepath.Join(s.path, "work") }

// Temp is the directory for TMPDIR.
func (s *Slot) Temp() string { return filepath.Join(s.path, "tmp") }

// Reset empties the slot and makes its three directories anew.
func (s *Slot) Reset() error {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return fmt.Errorf("the neutral directory cannot be opened")
	}
	defer func() { _ = root.Close() }()
	if err := empty(root); err != nil {
		return fmt.Errorf("the neutral directory cannot be emptied")
	}
	for _, name := range slotFolders {
		if err := root.Mkdir(name, 0o700); err != nil {
			return fmt.Errorf("the neutral directory cannot be made")
		}
	}
	return nil
}

// empty removes everything below root, which is not followed out of: a server
// may have left links and directories without permissions.
func empty(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	names, err := dir.Readdirnames(-1)
	_ = dir.Close()
	for _, name := range names {
		if root.RemoveAll(name) == nil {
			continue
		}
		unlock(root, name)
		if e := root.RemoveAll(name); e != nil {
			err = e
		}
	}
	return err
}

// unlock gives the directories at and below name back to us.
func unlock(root *os.Root, name string) {
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() || root.Chmod(name, 0o700) != nil {
		return
	}
	dir, err := root.Open(name)
	if err != nil {
		return
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, n := range names {
		unlock(root, filepath.Join(name, n))
	}
}

// Release removes the slot. Use it when no process that used it is left.
func (s *Slot) Release() {
	if root, err := os.OpenRoot(s.path); err == nil {
		_ = empty(root)
		_ = root.Close()
	}
	_ = os.Remove(s.path)
	if s.lock != nil {
		_ = s.lock.Close()
	}
}

// Neutral replaces the slot's path, and its name where it stands alone, by
// constants, so that texts which name a directory of the slot are equal in all
// slots and under every profile. In the usual temporary directory of a UNIX
// system the length stays equal too.
func (s *Slot) Neutral(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte(s.path), []byte(neutralPath))
	return bytes.ReplaceAll(b, []byte(s.name), []byte(neutralName))
}
