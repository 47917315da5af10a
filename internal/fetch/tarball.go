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
	"slices"
	"strconv"
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

// Hint says what to do.
func (e *ArchiveError) Hint() string {
	return "choose another version of the package; toolwarrant seal --launch-only locks the launch as it is, without its bytes"
}

// unpacked is one file that was written.
type unpacked struct {
	path string // below the package's folder, slash-separated
	mode fs.FileMode
	sum  string // SHA-256 in hex
}

// The modes of everything in a tree: nobody writes, and a file is executable
// where its tarball says so or its package declares it as a program.
const (
	fileMode   = 0o444
	binaryMode = 0o555
	folderMode = 0o555
)

// unpack writes the files of a tarball below dir, which it makes, and returns
// them with the SHA-512 of the whole tarball. What it wrote is worth nothing
// until that digest was compared. As npm does, it takes the first element off
// each name. What npm and this reader could take differently is refused: links,
// devices, names that are cleaned, extended headers that move a file.
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
	heads := &headers{r: gz, refuse: u.fail}
	tr := tar.NewReader(heads)
	for n := 0; ; n++ {
		h, err := tr.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return u.broken(err)
		case n >= maxEntries:
			return u.fail("has more entries than an archive may have")
		}
		if err := u.entry(tr, h, heads); err != nil {
			return err
		}
	}
}

// entry takes one entry, whose header was the last of heads.
func (u *unpacker) entry(tr *tar.Reader, h *tar.Header, heads *headers) error {
	if reason := extended(h, heads.size); reason != "" {
		return u.fail(reason)
	}
	folder := h.Typeflag == tar.TypeDir
	switch {
	case h.Typeflag == tar.TypeXGlobalHeader:
		return nil
	case h.Typeflag != tar.TypeReg && !folder:
		return u.fail("holds something else than files and folders")
	case h.Linkname != "":
		return u.fail("holds a file that names another one")
	case folder && heads.flag != tar.TypeDir && h.Size > 0, !folder && strings.HasSuffix(h.Name, "/"):
		return u.fail("holds a file with the name of a folder")
	case folder:
		_, err := u.name(h)
		return err
	}
	return u.file(tr, h)
}

// extended says what is wrong with the extended headers of an entry. npm reads
// them by lines; those that hold for all files must not say which files they are,
// and a size may only repeat that of the header.
func extended(h *tar.Header, size int64) string {
	for key, value := range h.PAXRecords {
		switch {
		case strings.HasPrefix(key, "GNU.sparse."):
			return "holds a file with holes"
		case recordWithin(key + "=" + value), key == "linkpath", key == "mode", key == "type",
			key == "size" && (value != strconv.FormatInt(size, 10) || h.Typeflag == tar.TypeXGlobalHeader),
			key == "path" && (value == "" || h.Typeflag == tar.TypeXGlobalHeader):
			return "has an extended header that is not read alike by all"
		}
	}
	return ""
}

// recordWithin reports whether a line behind the first of a record is one by itself
// for a reader that goes by lines: npm's takes each that begins with its length.
// Old packages carry whole texts in records, so a line break alone is nothing.
func recordWithin(record string) bool {
	for _, line := range strings.Split(record, "\n")[1:] {
		text := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '+' || r == '\ufeff' })
		digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
		if n, err := strconv.Atoi(digits); err == nil && n == len(line)+1 {
			return true
		}
	}
	return false
}

// broken tells a failure of the connection, and a refusal, from bytes that are
// no tarball.
func (u *unpacker) broken(err error) error {
	if refused := (*ArchiveError)(nil); errors.As(err, &refused) {
		return refused
	}
	var net interface{ Timeout() bool }
	if errors.As(err, &net) {
		return err
	}
	return u.fail("cannot be read")
}

// name is the name of an entry below the package's folder, empty for that folder.
func (u *unpacker) name(h *tar.Header) (string, error) {
	name, reason := entryName(h.Name)
	if reason != "" {
		return "", u.fail(reason)
	}
	return name, nil
}

func (u *unpacker) file(tr *tar.Reader, h *tar.Header) error {
	name, err := u.name(h)
	if name == "" || err != nil {
		return err
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

// What is wrong with names.
const (
	leadsOut  = "holds a name that leads out of it"
	notAName  = "holds a sign that this program does not take in file names"
	tooLong   = "holds a name that is too long"
	notSimple = "holds a name that begins with / or ./, which not all read alike"
)

// entryName is the name of an entry without its first element, or what is wrong
// with it.
func entryName(name string) (rest, reason string) {
	switch {
	case len(name) > maxPath:
		return "", tooLong
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, `\:`):
		return "", notAName
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", leadsOut
	case strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./"):
		return "", notSimple
	}
	_, rest, _ = strings.Cut(name, "/")
	if rest = strings.TrimPrefix(path.Clean("/"+rest), "/"); rest != "" && !fs.ValidPath(rest) {
		return "", leadsOut
	}
	return rest, ""
}
