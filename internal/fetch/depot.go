package fetch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Source hands out tarballs; what comes from it is believed only by its digest.
type Source interface {
	// Tarball opens the tarball of one version of a package. resolved is the
	// address that the registry gave, empty where it is not known.
	Tarball(ctx context.Context, name, version, resolved string) (io.ReadCloser, error)
}

// Depot keeps tarballs by their digest, and the trees that were unpacked from
// them. Both are believed only after they were hashed again. It may be used by
// several goroutines and processes at once: everything is made beside its place
// and moved there whole.
type Depot struct {
	tarballs, trees string
	from            Source

	mu   sync.Mutex
	busy map[string]*sync.Mutex // by tree

	hashing sync.Mutex // of one tree at a time
	hashed  *hashed
}

// OpenDepot makes the two folders, which are absolute. Programs are started from
// the second: no folder above it may hold a node_modules, which Node would
// search too.
func OpenDepot(tarballs, trees string, from Source) (*Depot, error) {
	for _, dir := range []string{tarballs, trees} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("make a folder of the cache: %w", withoutPath(err))
		}
	}
	real, err := filepath.EvalSymlinks(trees)
	if err != nil {
		return nil, fmt.Errorf("find the folder of the cache: %w", withoutPath(err))
	}
	for at := real; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, "node_modules")) {
			return nil, &ShadowError{Dir: at}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return &Depot{tarballs: tarballs, trees: real, from: from, busy: map[string]*sync.Mutex{}, hashed: &hashed{known: map[identity]content{}}}, nil
}

// ShadowError says that Node would load packages from outside of a tree.
type ShadowError struct{ Dir string }

func (e *ShadowError) Error() string {
	return fmt.Sprintf("%s holds a node_modules, from which a server in the cache below it could load code", e.Dir)
}

// Hint says what to do.
func (e *ShadowError) Hint() string { return "set XDG_CACHE_HOME to a folder elsewhere" }

// withoutPath is the cause of an error of the file system: the path is ours and
// told by the caller where it helps.
func withoutPath(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// BytesError says that bytes are not those that were approved. File is where
// they lie in the cache, slash-separated, or the package that a registry served.
type BytesError struct{ File, Reason string }

func (e *BytesError) Error() string { return e.File + ": " + e.Reason }

// alone makes work on one tree wait for other work on it in this process.
func (d *Depot) alone(key string) func() {
	d.mu.Lock()
	m := d.busy[key]
	if m == nil {
		m = &sync.Mutex{}
		d.busy[key] = m
	}
	d.mu.Unlock()
	m.Lock()
	return m.Unlock
}

// tempPrefix marks what a process that was killed may have left.
const tempPrefix = ".tmp-"

// stale is the age from which a leftover is nobody's work.
const stale = 24 * time.Hour

// tempDir makes a folder beside the places of dir, and clears old leftovers.
func tempDir(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("look into the cache: %w", withoutPath(err))
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), tempPrefix) && time.Since(info.ModTime()) > stale {
			discard(filepath.Join(dir, e.Name()))
		}
	}
	at := filepath.Join(dir, tempPrefix+strings.ToLower(rand.Text()))
	if err := os.Mkdir(at, 0o700); err != nil {
		return "", fmt.Errorf("make a folder in the cache: %w", withoutPath(err))
	}
	return at, nil
}

// Discard removes a folder of ours with all that was unpacked in it.
func Discard(dir string) { discard(dir) }

// discard removes a file or folder of ours, read-only ones too. What is left of
// it is never believed.
func discard(path string) {
	_ = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(path)
}
