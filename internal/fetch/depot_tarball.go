package fetch

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// tarballFile is where the tarball of a package lies: named by the package and
// its digest, so that bytes which came as one package never stand for another.
func (d *Depot) tarballFile(p Package) string {
	who := sha256.Sum256([]byte(p.Name + "@" + p.Version))
	sum, _ := sha512Of(p.Integrity)
	return filepath.Join(d.tarballs, hex.EncodeToString(who[:8])+"-"+hex.EncodeToString(sum)+".tgz")
}

// extract unpacks a package below dir and returns its files. The bytes have the
// digest that the tree says, or the error is a *BytesError and what was written
// is to be thrown away.
func (d *Depot) extract(ctx context.Context, p Package, dir string) (map[string]unpacked, error) {
	file := d.tarballFile(p)
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		if err := d.download(ctx, p, file); err != nil {
			return nil, err
		}
		f, err = os.Open(file)
	}
	if err != nil {
		return nil, fmt.Errorf("open a tarball of the cache: %w", withoutPath(err))
	}
	defer func() { _ = f.Close() }()
	files, sum, err := unpack(f, dir, p.Name+"@"+p.Version)
	if want, _ := sha512Of(p.Integrity); sum == nil || subtle.ConstantTimeCompare(sum, want) == 0 {
		if sum != nil || !d.same(file, want) {
			_ = os.Remove(file)
			return nil, &BytesError{File: "tarballs/" + filepath.Base(file), Reason: "the tarball in the cache is not the one that was locked"}
		}
	}
	if err != nil {
		return nil, err
	}
	if err := checkManifest(p, dir, files); err != nil {
		return nil, err
	}
	return files, permit(dir, files)
}

// same reports whether a file has a SHA-512: one that cannot be unpacked may
// still be what was locked.
func (d *Depot) same(file string, want []byte) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	hash := sha512.New()
	_, err = io.Copy(hash, f)
	return err == nil && subtle.ConstantTimeCompare(hash.Sum(nil), want) == 1
}

// download puts the tarball of a package into the cache, if it is the right one.
func (d *Depot) download(ctx context.Context, p Package, file string) error {
	body, err := d.from.Tarball(ctx, p.Name, p.Version, p.resolved)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	temp, err := os.CreateTemp(d.tarballs, tempPrefix)
	if err != nil {
		return fmt.Errorf("write to the cache: %w", withoutPath(err))
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	hash := sha512.New()
	n, err := io.Copy(io.MultiWriter(temp, hash), io.LimitReader(body, maxArchive+1))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("fetch %s@%s: %w", p.Name, p.Version, withoutPath(err))
	}
	if n > maxArchive {
		return &ArchiveError{Package: p.Name + "@" + p.Version, Reason: "is larger than an archive may be"}
	}
	if want, _ := sha512Of(p.Integrity); subtle.ConstantTimeCompare(hash.Sum(nil), want) == 0 {
		return &BytesError{File: p.Name + "@" + p.Version, Reason: "the registry served other bytes than were locked"}
	}
	if err := os.Rename(temp.Name(), file); err != nil {
		return fmt.Errorf("put a tarball into the cache: %w", withoutPath(err))
	}
	return nil
}
