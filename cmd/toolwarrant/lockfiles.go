package main

import "github.com/toolwarrant/toolwarrant/internal/store"

// sealedFiles are a lock and the tree of packages that lies beside it. A tree is
// there before the lock that names it and goes after it: whenever a run is killed,
// the lock that is there has its tree.
type sealedFiles struct {
	lock     string
	data     []byte
	tree     string // empty where the lock fixes no packages
	treeData []byte // nil where the file is there already
	old      string // the tree of the lock that is replaced
}

func (f sealedFiles) write(s *store.Store) error {
	if f.tree != "" && f.treeData != nil {
		if err := s.Write(f.tree, f.treeData); err != nil {
			return err
		}
	}
	if err := s.Write(f.lock, f.data); err != nil {
		return err
	}
	if f.old != "" && f.old != f.tree {
		return s.Remove(f.old)
	}
	return nil
}
