package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Trees have most of their files in common: of 11,684 files in those of three
// servers 3,667 differ. Equal files of two trees are one file with two names, so
// that the cache stays small and a run that starts both servers reads it once.

// identity names one file and its state: whoever writes to it changes the time.
type identity struct {
	device, inode     uint64
	size              int64
	seconds, fraction int64
}

// hashed remembers the files that this process has read, for as long as nobody
// touches them.
type hashed struct {
	mu    sync.Mutex
	known map[identity]content
}

type content struct {
	sum  [sha256.Size]byte
	mode fs.FileMode
}

// read hashes a file, unless it did under another name.
func (h *hashed) read(name string, buf []byte) (content, error) {
	id, ok := stateOf(name)
	if ok {
		h.mu.Lock()
		c, known := h.known[id]
		h.mu.Unlock()
		if known {
			return c, nil
		}
	}
	sum, mode, err := hashFile(name, buf)
	c := content{sum, mode}
	if again, same := stateOf(name); err == nil && ok && same && again == id {
		h.mu.Lock()
		h.known[id] = c
		h.mu.Unlock()
	}
	return c, err
}

// share makes files of a new tree, which nobody uses yet, other names of files in
// the trees that are there. A file that cannot be shared stays a copy.
func (d *Depot) share(l listing, root string) {
	others, err := filepath.Glob(filepath.Join(d.trees, "*"+listSuffix))
	if err != nil {
		return
	}
	twins := map[string]string{}
	for _, other := range others {
		dir := strings.TrimSuffix(other, listSuffix)
		list, there := d.listed(dir)
		if !there {
			continue
		}
		for _, f := range list {
			twins[f.mode.String()+f.sum] = filepath.Join(dir, filepath.FromSlash(f.path))
		}
	}
	buf := make([]byte, 64<<10)
	for _, f := range l {
		if twin := twins[f.mode.String()+f.sum]; twin != "" && f.mode != linkMode {
			d.become(filepath.Join(root, filepath.FromSlash(f.path)), twin, f, buf)
		}
	}
}

// become replaces a file by its twin, if that has the bytes that its list says.
func (d *Depot) become(name, twin string, f unpacked, buf []byte) {
	c, err := d.hashed.read(twin, buf)
	if err != nil || hex.EncodeToString(c.sum[:]) != f.sum || c.mode&^0o222 != f.mode {
		return
	}
	beside := name + tempPrefix
	if os.Link(twin, beside) == nil && os.Rename(beside, name) != nil {
		_ = os.Remove(beside)
	}
}
