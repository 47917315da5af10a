package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/toolwarrant/toolwarrant/internal/store"
)

// Archives keeps archives of plugins by the SHA-256 of their bytes. What lies there
// is believed only after it was hashed again; what cannot be read or kept is
// fetched anew.
type Archives struct{ dir string }

// OpenArchives uses an absolute folder, which is made when the first archive comes.
func OpenArchives(dir string) Archives { return Archives{dir} }

// Get returns the archive with a digest in lower-case hex, nil where it is not there.
func (a Archives) Get(sum string, most int64) []byte {
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(sum); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(sum)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || hexOf(data) != sum {
		return nil
	}
	return data
}

// Put keeps an archive.
func (a Archives) Put(data []byte) error {
	if err := os.MkdirAll(a.dir, 0o755); err != nil {
		return fmt.Errorf("make a folder of the cache: %w", withoutPath(err))
	}
	s, err := store.Open(a.dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	return s.Write(hexOf(data), data)
}

func hexOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
