//go:build !unix

package fetch

import (
	"crypto/sha256"
	"io"
	"os"
)

// hashFile reads one regular file.
func hashFile(name string, buf []byte) (c content, id identity, err error) {
	in, err := os.Open(name)
	if err != nil {
		return c, id, err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return c, id, err
	}
	hash := sha256.New()
	if _, err := io.CopyBuffer(onlyWriter{hash}, onlyReader{in}, buf); err != nil {
		return c, id, err
	}
	hash.Sum(c.sum[:0])
	c.mode = info.Mode().Perm()
	return c, id, nil
}

// onlyReader and onlyWriter keep io.CopyBuffer to its buffer.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)
