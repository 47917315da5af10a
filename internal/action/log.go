package action

import (
	"bytes"
	"io"
	"sync"
)

// Log keeps what is written to a job's log from being a command: a runner takes a
// line that begins with "::", and one that holds "##[" anywhere (actions/runner,
// ActionCommand).
type Log struct {
	W  io.Writer
	mu sync.Mutex
	b  []byte // a line that has no end yet
}

// Write passes whole lines on.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	for {
		i := bytes.IndexByte(l.b, '\n')
		if i < 0 && len(l.b) < maxLine {
			return len(p), nil
		}
		var line []byte
		if i < 0 { // an end of ours: what follows must not join it to a command
			line, l.b = append(harmless(l.b), '\n'), nil
		} else {
			line, l.b = harmless(l.b[:i+1]), l.b[i+1:]
		}
		if _, err := l.W.Write(line); err != nil {
			return len(p), err
		}
	}
}

// Close writes what is left.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.W.Write(harmless(l.b))
	l.b = nil
	return err
}

const maxLine = 64 << 10

func harmless(line []byte) []byte {
	line = bytes.ReplaceAll(line, []byte("##["), []byte("# #["))
	line = bytes.ReplaceAll(line, []byte("\r"), []byte(" "))
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("::")) {
		return append([]byte("| "), line...)
	}
	return line
}
