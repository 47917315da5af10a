package sandbox

import (
	"encoding/binary"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func event(wd int32, mask uint32) []byte {
	b := make([]byte, 16)
	binary.NativeEndian.PutUint32(b, uint32(wd))
	binary.NativeEndian.PutUint32(b[4:], mask)
	return b
}

func TestSentryReadsEvents(t *testing.T) {
	s := &sentry{names: map[int32]string{1: "~/.netrc", 2: "~/.env"}, touched: map[string]bool{}}
	s.take(slices.Concat(event(1, unix.IN_OPEN), event(1, unix.IN_ACCESS), event(2, unix.IN_OPEN), event(9, unix.IN_OPEN), []byte{1}))
	if !s.touched["~/.netrc"] || s.touched["~/.env"] || len(s.touched) != 2 || s.overflow {
		t.Errorf("%+v", s)
	}
	s.take(event(-1, unix.IN_Q_OVERFLOW))
	if !s.overflow {
		t.Error("an overflow was not noticed")
	}
}

// FuzzSentry: whatever length an event claims, reading ends.
func FuzzSentry(f *testing.F) {
	f.Add(event(1, unix.IN_OPEN))
	f.Fuzz(func(_ *testing.T, b []byte) {
		s := &sentry{names: map[int32]string{1: "x"}, touched: map[string]bool{}}
		s.take(b)
	})
}
