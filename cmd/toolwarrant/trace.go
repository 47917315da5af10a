package main

import (
	"bytes"
	"sync"
)

// trace gathers the lines of --trace, which several servers write at once.
type trace struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *trace) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.Write(p)
}

func (t *trace) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.buf.Bytes())
}
