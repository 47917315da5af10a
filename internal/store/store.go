// Package store writes toolwarrant's own files: locks in .toolwarrant/ at a
// repository's root, and what this user approved in the user's state folder.
//
// Every write is atomic (a new file, synced, renamed over the old one) and goes
// through an os.Root, never through a link: a repository that makes
// .toolwarrant or a lock a link gets an error, not a file elsewhere.
package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Dir is the folder of the locks of servers, relative to the repository's root.
const Dir = ".toolwarrant/servers"

// Suffix ends the name of every lock file.
const Suffix = ".lock.json"

// LinkError says that a path of ours is a link or no plain file.
type LinkError struct{ Path string }

func (e *LinkError) Error() string {
	return e.Path + " is a link or not a plain file: nothing is written through it"
}

// Store writes below one folder.
type Store struct{ root *os.Root }

// Open opens a folder that exists.
func Open(dir string) (*Store, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder to write to: %w", err)
	}
	return &Store{root}, nil
}

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// FS reads below the folder, without following links out of it.
func (s *Store) FS() fs.FS { return s.root.FS() }

// Write puts data at a slash-separated path, making folders on the way. A file
// that holds these bytes already is left alone.
func (s *Store) Write(name string, data []byte) error {
	if err := s.mkdirs(path.Dir(name)); err != nil {
		return err
	}
	if info, err := s.root.Lstat(name); err == nil {
		if !info.Mode().IsRegular() {
			return &LinkError{name}
		}
		if old, err := s.root.ReadFile(name); err == nil && string(old) == string(data) && info.Mode().Perm()&0o111 == 0 {
			return nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at %s: %w", name, err)
	}
	return s.replace(name, data)
}

// Remove takes a file of ours away; one that is not there is gone already. A link
// is removed, not followed.
func (s *Store) Remove(name string) error {
	if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}

func (s *Store) replace(name string, data []byte) error {
	temp := path.Join(path.Dir(name), ".tmp-"+strings.ToLower(rand.Text()))
	if err := s.create(temp, data); err != nil {
		_ = s.root.Remove(temp)
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := s.root.Rename(temp, name); err != nil {
		_ = s.root.Remove(temp)
		return fmt.Errorf("put %s in place: %w", name, err)
	}
	return nil
}

func (s *Store) create(temp string, data []byte) error {
	f, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

func (s *Store) mkdirs(dir string) error {
	at := ""
	for _, part := range strings.Split(dir, "/") {
		at = path.Join(at, part)
		if err := s.root.Mkdir(at, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make %s: %w", at, err)
		}
		info, err := s.root.Lstat(at)
		if err != nil {
			return fmt.Errorf("look at %s: %w", at, err)
		}
		if !info.IsDir() {
			return &LinkError{at}
		}
	}
	return nil
}
