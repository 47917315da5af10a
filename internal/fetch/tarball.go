package fetch

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of one tarball of a package (contract: archive).
const (
	maxArchive = 256 << 20 // compressed
	maxEntries = 20000
	maxRatio   = 200
	maxPath    = 1024
)

// ArchiveError says why a tarball is not unpacked.
type ArchiveError struct {
	Package string // name@version
	Reason  string
}

func (e *ArchiveError) Error() string { return e.Package + ": its tarball " + e.Reason }

// unpacked is one file that was written.
type unpacked struct {
	path string // below the package's folder, slash-separated
	mode fs.FileMode
	sum  string // SHA-256 in hex
}

// The modes of everything in a tree: nobody writes, and a file is executable
// where its tarball says so.
const (
	fileMode   = 0o444
	binaryMode = 0o555
	folderMode = 0o555
)

// unpack writes the files of a tarball below dir, which it makes, and returns
// them with the SHA-512 of the whole tarball. What it wrote is worth nothing
// until that digest was compared. As npm does, it takes the first element off
// each name and leaves links and devices out.
func unpack(r io.Reader, dir, pkg string) (files map[string]unpacked, sum []byte, err error) {
	hash := sha512.New()
	raw := &counted{r: io.LimitReader(io.TeeReader(r, hash), maxArchive+1)}
	u := &unpacker{dir: dir, pkg: pkg, raw: raw, files: map[string]unpacked{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("make a folder for %s: %w", pkg, err)
	}
	if err := u.all(); err != nil {
		return nil, nil, err
	}
	if _, err := io.Copy(io.Discard, raw); err != nil { // what lies behind the archive is part of its digest
		return nil, nil, err
	}
	if raw.n > maxArchive {
		return nil, nil, u.fail("is larger than an archive may be")
	}
	return u.files, hash.Sum(nil), nil
}

// counted counts what is read through it.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

type unpacker struct {
	dir, pkg string
	raw      *counted
	files    map[string]unpacked
	size     int64
}

func (u *unpacker) fail(reason string) error { return &ArchiveError{Package: u.pkg, Reason: reason} }

func (u *unpacker) all() error {
	gz, err := gzip.NewReader(u.raw)
	if err != nil {
		return u.broken(err)
	}
	tr := tar.NewReader(gz)
	for n := 0; ; n++ {
		h, err := tr.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return u.broken(err)
		case n >= maxEntries:
			return u.fail("has more entries than an archive may have")
		case h.Typeflag != tar.TypeReg:
			continue
		}
		if err := u.file(tr, h); err != nil {
			return err
		}
	}
}

// broken tells a failure of the connection from bytes that are no tarball.
func (u *unpacker) broken(err error) error {
	var net interface{ Timeout() bool }
	if errors.As(err, &net) {
		return err
	}
	return u.fail("cannot be read")
}

func (u *unpacker) file(tr *tar.Reader, h *tar.Header) error {
	name, ok := entryName(h.Name)
	if !ok {
		return u.fail("holds a name that leads out of it or cannot be shown")
	}
	if name == "" {
		return nil
	}
	f := unpacked{path: name, mode: fileMode}
	if h.Mode&0o100 != 0 {
		f.mode = binaryMode
	}
	sum, err := u.write(tr, f)
	if err != nil {
		return err
	}
	f.sum = sum
	u.files[name] = f
	return nil
}

func (u *unpacker) write(tr io.Reader, f unpacked) (string, error) {
	at := filepath.Join(u.dir, filepath.FromSlash(f.path))
	if _, twice := u.files[f.path]; twice { // the last one counts (agent-base 7.1.4 has two)
		_ = os.Remove(at)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return "", u.fail("holds a file where a folder belongs")
	}
	out, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode|0o200)
	if err != nil {
		return "", u.fail("holds names that this file system takes for one")
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), &ratio{r: tr, u: u})
	if err = errors.Join(err, out.Chmod(f.mode), out.Close()); err != nil {
		if archive := (*ArchiveError)(nil); errors.As(err, &archive) {
			return "", archive
		}
		return "", u.broken(err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// ratio bounds what comes out of a tarball by what went in.
type ratio struct {
	r io.Reader
	u *unpacker
}

const freeSize = 1 << 20 // small archives may be of zeros

func (r *ratio) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	r.u.size += int64(n)
	if r.u.size > freeSize && r.u.size > maxRatio*r.u.raw.n {
		return 0, r.u.fail("grows more than an archive may grow")
	}
	return n, err
}

// entryName is the name of an entry without its first element; ok is false for
// one that leads out of the folder, or that no list of files could hold.
func entryName(name string) (string, bool) {
	if len(name) > maxPath || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, `\:`) {
		return "", false
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	if rest == "" {
		return "", true
	}
	rest = path.Clean(rest)
	return rest, fs.ValidPath(rest) && rest != "."
}
