package tree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// maxIndex is the most bytes of an index that is read: about a million names.
const maxIndex = 128 << 20

// Staged lists the names in the index of the work tree, sorted: what the next
// commit would hold (gitformat-index(5)). A repository without an index has none.
// The error tells of an index that cannot be read, as of one with SHA-256 ids.
func (r *Repository) Staged() (names []string, err error) {
	defer recovered(&err)
	name := filepath.Join(r.dirs.own, "index")
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, ok := readSmall(name, maxIndex)
	if !ok || r.conf.sha256 { // the decoder expects ids of 20 bytes
		return nil, unreadable("index")
	}
	var ix index.Index
	if err := index.NewDecoder(bytes.NewReader(data)).Decode(&ix); err != nil {
		return nil, unreadable("index")
	}
	for _, e := range ix.Entries {
		if fs.ValidPath(e.Name) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
