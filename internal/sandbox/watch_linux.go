package sandbox

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// sentry watches the decoys of one home by inotify(7). It cannot tell which
// process it was, which is why no two programs share a home.
type sentry struct {
	fd    int
	names map[int32]string // by watch
	stop  [2]int           // a pipe; its end tells the reader to finish
	done  sync.WaitGroup

	touched  map[string]bool // opened; true where it was read
	overflow bool
}

func watchDecoys(home string) (*sentry, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, err
	}
	s := &sentry{fd: fd, names: map[int32]string{}, touched: map[string]bool{}}
	for _, name := range decoyNames() {
		wd, err := unix.InotifyAddWatch(fd, filepath.Join(home, name), unix.IN_OPEN|unix.IN_ACCESS|unix.IN_MODIFY)
		if err != nil {
			return nil, err
		}
		s.names[int32(wd)] = "~/" + name
	}
	if err := unix.Pipe2(s.stop[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	s.done.Go(s.read)
	return s, nil
}

// read takes events until it is told to stop and none is left.
func (s *sentry) read() {
	buffer := make([]byte, 64<<10)
	until(s.fd, s.stop[0], func() bool {
		n, err := unix.Read(s.fd, buffer)
		if n <= 0 || err != nil {
			return false
		}
		s.take(buffer[:n])
		return true
	})
}

// until calls take whenever fd is readable, and once stop has ended until
// nothing is left: take reports whether there was something.
func until(fd, stop int, take func() bool) {
	for {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(stop), Events: unix.POLLIN}}
		if _, err := unix.Poll(polled, -1); err != nil && err != unix.EINTR {
			return
		}
		if polled[0].Revents != 0 && take() {
			continue
		}
		if polled[1].Revents != 0 {
			for take() {
			}
			return
		}
		if polled[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			return
		}
	}
}

// take reads events: watch, mask, cookie, and the length of a name that follows.
func (s *sentry) take(b []byte) {
	const size = 16
	for len(b) >= size {
		wd, mask := int32(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint32(b[4:])
		name, known := s.names[wd]
		switch {
		case mask&unix.IN_Q_OVERFLOW != 0:
			s.overflow = true
		case known && mask&(unix.IN_OPEN|unix.IN_ACCESS|unix.IN_MODIFY) != 0:
			s.touched[name] = s.touched[name] || mask&unix.IN_ACCESS != 0
		}
		b = b[min(len(b), size+int(binary.NativeEndian.Uint32(b[12:]))):]
	}
}

// end stops watching and tells what was seen. The descriptor goes with this
// process: closing an inotify instance waits for all readers in the kernel, up
// to 20 ms as measured, and nobody is to wait for that.
func (s *sentry) end() (list []Decoy, complete bool) {
	_ = unix.Close(s.stop[1])
	s.done.Wait()
	list = []Decoy{}
	for name, read := range s.touched {
		list = append(list, Decoy{name, read})
	}
	slices.SortFunc(list, func(a, b Decoy) int { return strings.Compare(a.File, b.File) })
	return list, !s.overflow
}
