package fetch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// listing is the list of every file of an unpacked tree. On disk it is one line
// a file, sorted: "r", "x" or, for a link, "l", the SHA-256 in hex, the path.
type listing []unpacked

func (l listing) bytes() []byte {
	var b bytes.Buffer
	for _, f := range l {
		kind := "r"
		if f.mode == binaryMode {
			kind = "x"
		}
		if f.mode == linkMode {
			kind = "l"
		}
		fmt.Fprintf(&b, "%s %s %s\n", kind, f.sum, f.path)
	}
	return b.Bytes()
}

// parseListing reads a listing; ok is false for anything but its exact form.
func parseListing(data []byte) (l listing, ok bool) {
	const hexLen = 2 * sha256.Size
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := lines.Text()
		if len(line) < hexLen+4 || line[1] != ' ' || line[hexLen+2] != ' ' {
			return nil, false
		}
		f := unpacked{mode: fileMode, sum: line[2 : hexLen+2], path: line[hexLen+3:]}
		switch line[0] {
		case 'x':
			f.mode = binaryMode
		case 'l':
			f.mode = linkMode
		case 'r':
		default:
			return nil, false
		}
		if !fs.ValidPath(f.path) || f.path == "." || len(l) > 0 && l[len(l)-1].path >= f.path {
			return nil, false
		}
		l = append(l, f)
	}
	return l, lines.Err() == nil && len(l) > 0 && bytes.Equal(l.bytes(), data)
}

func (l listing) sort() {
	slices.SortFunc(l, func(a, b unpacked) int { return strings.Compare(a.path, b.path) })
}

// verify holds a folder against the listing: each file is there with its bytes
// and its mode, and nothing else is. The error is a *BytesError that names the
// file from the folder on.
func (l listing) verify(dir string, seen *hashed) error {
	var wg sync.WaitGroup
	var other error
	wg.Go(func() { other = l.nothingElse(dir, ".") })
	failed := make(chan error, 1)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			buf := make([]byte, 64<<10)
			for i := w; i < len(l) && len(failed) == 0; i += workers {
				if err := l[i].verify(dir, seen, buf); err != nil {
					select {
					case failed <- err:
					default:
					}
					return
				}
			}
		})
	}
	wg.Wait()
	if other != nil {
		return other
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// verify hashes one file.
func (f unpacked) verify(dir string, seen *hashed, buf []byte) error {
	at := filepath.Join(dir, filepath.FromSlash(f.path))
	bad := func(reason string) error { return &BytesError{File: f.path, Reason: reason} }
	if f.mode == linkMode {
		if to, err := os.Readlink(at); err != nil || linkSum(to) != f.sum {
			return bad("a link of the unpacked tree has changed")
		}
		return nil
	}
	c, err := seen.read(at, buf)
	switch {
	case err != nil:
		return bad("a file of the unpacked tree cannot be read")
	case runtime.GOOS != "windows" && c.mode&^0o222 != f.mode:
		return bad("a file of the unpacked tree has another mode")
	case hex.EncodeToString(c.sum[:]) != f.sum:
		return bad("a file of the unpacked tree has changed")
	}
	return nil
}

// nothingElse walks a folder beside the sorted listing.
func (l listing) nothingElse(dir, at string) error {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(at)))
	if err != nil {
		return &BytesError{File: at, Reason: "a folder of the unpacked tree cannot be read"}
	}
	for _, e := range entries {
		name := path.Join(at, e.Name())
		switch {
		case e.Type().IsRegular() && l.has(name, false), e.Type() == linkMode && l.has(name, true):
		case e.IsDir() && l.below(name):
			if err := l.nothingElse(dir, name); err != nil {
				return err
			}
		default:
			return &BytesError{File: name, Reason: "it lies in the unpacked tree and came with no package"}
		}
	}
	return nil
}

// has reports whether the listing has a file, or a link, of a name.
func (l listing) has(name string, link bool) bool {
	i, ok := l.search(name)
	return ok && (l[i].mode == linkMode) == link
}

// below reports whether the listing has a file in a folder.
func (l listing) below(folder string) bool {
	i, _ := l.search(folder + "/")
	return i < len(l) && strings.HasPrefix(l[i].path, folder+"/")
}

func (l listing) search(name string) (int, bool) {
	return slices.BinarySearchFunc(l, name, func(f unpacked, name string) int { return strings.Compare(f.path, name) })
}
