package store

import (
	"errors"
	"strconv"
	"sync"
	"testing"
)

// TestSwap lets many decide by one state of a file at once: one of them is heard.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	const name = ".toolwarrant/plugins/a.lock.json"
	var heard [20]error
	var all sync.WaitGroup
	for i := range heard {
		all.Go(func() {
			s, err := Open(dir)
			if err != nil {
				heard[i] = err
				return
			}
			defer func() { _ = s.Close() }()
			heard[i] = s.Swap(name, func(now []byte) bool { return now == nil }, []byte(strconv.Itoa(i)))
		})
	}
	all.Wait()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	winners := 0
	for i, err := range heard {
		if err == nil {
			winners++
			if got, err := s.root.ReadFile(name); err != nil || string(got) != strconv.Itoa(i) {
				t.Errorf("%d was told that it wrote; the file says %q, %v", i, got, err)
			}
		} else if !errors.Is(err, ErrChanged) {
			t.Error(err)
		}
	}
	if winners != 1 {
		t.Errorf("%d were heard", winners)
	}
	if err := s.Swap(name, func(now []byte) bool { return len(now) == 0 }, nil); !errors.Is(err, ErrChanged) {
		t.Errorf("a decision about another file is written: %v", err)
	}
}
