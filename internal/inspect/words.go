package inspect

import (
	"bytes"
	"io"
	"strings"
)

// lastWords keeps the end of a server's standard error.
type lastWords struct {
	limit int
	text  []byte
	cut   bool
	done  chan struct{}
}

func newLastWords(limit int) *lastWords { return &lastWords{limit: limit, done: make(chan struct{})} }

// read drains from to its end, however much it is.
func (l *lastWords) read(from io.Reader) {
	defer close(l.done)
	buf := make([]byte, 8<<10)
	for {
		n, err := from.Read(buf)
		l.text = append(l.text, buf[:n]...)
		if over := len(l.text) - l.limit; over > 0 {
			l.text, l.cut = append(l.text[:0], l.text[over:]...), true
		}
		if err != nil {
			return
		}
	}
}

// String waits for the end and returns whole lines where there are any.
func (l *lastWords) String() string {
	<-l.done
	text := l.text
	if i := bytes.IndexByte(text, '\n'); l.cut && i >= 0 && i+1 < len(text) {
		text = text[i+1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
}
