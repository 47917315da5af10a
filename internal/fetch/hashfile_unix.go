//go:build unix

package fetch

import (
	"crypto/sha256"
	"io/fs"
	"syscall"
)

// hashFile reads one regular file. It speaks to the system without os.File,
// which costs as much as the hashing where files are small: a tree has
// thousands of them, and each is read before each start. The identity is that
// of the file behind its last byte.
func hashFile(name string, buf []byte) (c content, id identity, err error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return c, id, err
	}
	defer func() { _ = syscall.Close(fd) }()
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil {
		return c, id, err
	}
	if s.Mode&syscall.S_IFMT != syscall.S_IFREG { // a device may have no end
		return c, id, fs.ErrInvalid
	}
	hash := sha256.New()
	for {
		n, err := again(func() (int, error) { return syscall.Read(fd, buf) })
		if err != nil {
			return c, id, err
		}
		hash.Write(buf[:n])
		if n < len(buf) { // of a regular file: its end
			break
		}
	}
	hash.Sum(c.sum[:0])
	if err := syscall.Fstat(fd, &s); err != nil {
		return c, id, err
	}
	c.mode = fs.FileMode(s.Mode & 0o777)
	return c, identityOf(&s), nil
}

// again repeats a call that a signal has interrupted.
func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != syscall.EINTR {
			return n, err
		}
	}
}
