//go:build !unix

package fetch

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
)

// hashFile reads one regular file.
func hashFile(name string, buf []byte) (sum [sha256.Size]byte, mode fs.FileMode, err error) {
	in, err := os.Open(name)
	if err != nil {
		return sum, 0, err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return sum, 0, err
	}
	hash := sha256.New()
	if _, err := io.CopyBuffer(onlyWriter{hash}, onlyReader{in}, buf); err != nil {
		return sum, 0, err
	}
	hash.Sum(sum[:0])
	return sum, info.Mode().Perm(), nil
}

// onlyReader and onlyWriter keep io.CopyBuffer to its buffer.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)
