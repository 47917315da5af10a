package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// ErrChanged says that a file is not what the caller read of it.
var ErrChanged = errors.New("somebody else changed it meanwhile")

// Swap is [Store.Write] for who decides by what a file says: same is asked about its
// bytes, nil where there is none, while no other Swap in the folder is at work. Of two
// decisions about one state of a file the second is refused, and not the first lost.
func (s *Store) Swap(name string, same func(now []byte) bool, data []byte) error {
	if err := s.mkdirs(path.Dir(name)); err != nil {
		return err
	}
	folder, err := s.root.Open(path.Dir(name))
	if err != nil {
		return fmt.Errorf("open the folder of %s: %w", name, err)
	}
	defer func() { _ = folder.Close() }()
	if !hold(folder) {
		return fmt.Errorf("write %s: %w", name, ErrChanged)
	}
	now, err := s.root.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if !same(now) {
		return fmt.Errorf("write %s: %w", name, ErrChanged)
	}
	return s.Write(name, data)
}
