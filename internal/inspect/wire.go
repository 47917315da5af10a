package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// envelopeDepth is the nesting that a message adds to an item.
const envelopeDepth = 8

// message is one JSON-RPC message of the server. Members that are absent are nil.
type message struct {
	id     json.RawMessage
	method string
	result json.RawMessage
	fault  *fault
	bytes  int
}

// fault is an error answer; its message is foreign text.
type fault struct {
	code    int
	message string
	data    json.RawMessage
}

// methodNotFound is JSON-RPC's code for a method that is not served.
const methodNotFound = -32601

// event is a message, or why no more will come.
type event struct {
	message
	stop *failure
}

// wire reads a server's standard output.
type wire struct {
	limits Limits
	events chan event
	quit   chan struct{} // closed when nobody wants events any more
	done   chan struct{} // closed at the end of the output
	lines  atomic.Int64  // of noise
	bytes  atomic.Int64
}

func newWire(l Limits) *wire {
	return &wire{limits: l, events: make(chan event), quit: make(chan struct{}), done: make(chan struct{})}
}

// read sends events until the output ends or breaks a rule, and then throws
// away what still comes, so that the server is not held up while it ends.
func (w *wire) read(from io.Reader) {
	defer close(w.done)
	in := bufio.NewReaderSize(from, 64<<10)
	rest := w.limits.Output
	for {
		line, err := readLine(in, min(rest, w.limits.Line))
		rest -= len(line)
		stop := w.overflow(err, rest)
		if stop == nil {
			stop = w.emit(line)
		}
		if err != nil && stop == nil {
			stop = fatal(Died, "it closed its standard output")
		} else if errors.Is(err, io.EOF) && stop.reason == Protocol {
			stop = fatal(Died, "it closed its standard output in the middle of a message")
		}
		if stop != nil {
			w.post(event{stop: stop})
			_, _ = io.Copy(io.Discard, in)
			return
		}
	}
}

var errTooLong = errors.New("line too long")

// readLine reads up to a newline, or limit bytes and one.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return line, errTooLong
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

func (w *wire) overflow(err error, rest int) *failure {
	switch {
	case !errors.Is(err, errTooLong):
		return nil
	case rest < 0:
		return fatal(Limit, "its output exceeds %d bytes", w.limits.Output)
	}
	return fatal(Limit, "a line of its output exceeds %d bytes", w.limits.Line)
}

// emit posts the messages of one line.
func (w *wire) emit(line []byte) *failure {
	messages, stop := decode(line)
	if stop != nil {
		return stop
	}
	if len(messages) == 0 && len(bytes.TrimSpace(line)) > 0 {
		w.lines.Add(1)
		w.bytes.Add(int64(len(line)))
	}
	for _, m := range messages {
		w.post(event{message: m})
	}
	return nil
}

func (w *wire) post(e event) {
	select {
	case w.events <- e:
	case <-w.quit:
	}
}

// noise waits for the end of the output and returns what was no protocol.
func (w *wire) noise() Noise {
	<-w.done
	return Noise{int(w.lines.Load()), int(w.bytes.Load())}
}

// decode reads one line: a message, a batch of them (JSON-RPC 2.0, section 6),
// or noise, which is no message. A line that looks like protocol and is broken
// ends the session: what it was meant to say cannot be known.
func decode(line []byte) ([]message, *failure) {
	raw := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	if !looksLikeProtocol(raw) {
		return nil, nil
	}
	if err := canon.Guard(raw, canon.MaxDepth+envelopeDepth); err != nil {
		return nil, broken(err)
	}
	if raw[0] == '{' {
		m, err := decodeOne(raw)
		if m == nil || err != nil {
			return nil, err
		}
		return []message{*m}, nil
	}
	elements, err := canon.Elements(raw)
	if err != nil {
		return nil, broken(err)
	}
	var out []message
	for _, e := range elements {
		m, err := decodeOne(e)
		if err != nil {
			return nil, err
		}
		if m != nil {
			out = append(out, *m)
		}
	}
	return out, nil
}

func looksLikeProtocol(raw []byte) bool {
	if len(raw) > 0 && raw[0] == '[' {
		raw = bytes.TrimSpace(raw[1:])
	}
	return len(raw) > 0 && raw[0] == '{' && bytes.Contains(raw, []byte(`"jsonrpc"`))
}

// decodeOne reads one object; nil means that it is no message at all.
func decodeOne(raw []byte) (*message, *failure) {
	by, err := object(raw)
	if err != nil {
		return nil, broken(err)
	}
	if by["jsonrpc"] == nil {
		return nil, nil
	}
	m := &message{id: by["id"], result: by["result"], bytes: len(raw)}
	if string(by["jsonrpc"]) != `"2.0"` {
		return nil, fatal(Protocol, "a message is not JSON-RPC 2.0")
	}
	if by["method"] != nil {
		if m.method, _ = text(by["method"]); m.method == "" {
			return nil, fatal(Protocol, "a message has a method that is no name")
		}
	}
	if err := m.readFault(by["error"]); err != nil {
		return nil, err
	}
	if answers := (m.result != nil) != (m.fault != nil); (m.method == "") != answers {
		return nil, fatal(Protocol, "a message is neither a request nor an answer")
	}
	return m, nil
}

// object splits an object by the exact names of its members; encoding/json would
// take a name in another case for the same.
func object(raw []byte) (map[string]json.RawMessage, error) {
	members, err := canon.Members(raw)
	if err != nil {
		return nil, err
	}
	by := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		by[m.Name] = m.Value
	}
	return by, nil
}

// text reads a JSON string; false for any other value and for none.
func text(raw json.RawMessage) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

func (m *message) readFault(raw json.RawMessage) *failure {
	if raw == nil || string(raw) == "null" && m.result != nil {
		return nil
	}
	by, err := object(raw)
	m.fault = &fault{data: by["data"]}
	if err != nil || json.Unmarshal(by["code"], &m.fault.code) != nil {
		return fatal(Protocol, "an error answer has no code")
	}
	m.fault.message, _ = text(by["message"])
	if string(m.result) == "null" {
		m.result = nil // JSON-RPC 1.0 says null where 2.0 says nothing
	}
	return nil
}

func broken(err error) *failure {
	var e *canon.Error
	if !errors.As(err, &e) {
		return fatal(Protocol, "a message cannot be read")
	}
	if e.Reason == canon.TooDeep {
		return fatal(Limit, "a message is nested deeper than %d", canon.MaxDepth)
	}
	return fatal(Protocol, "a message cannot be read: %s", where(e))
}

// where words a refusal of canon without quoting the data.
func where(e *canon.Error) string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }
