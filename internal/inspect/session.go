package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// session is one conversation with one process.
type session struct {
	ctx    context.Context
	limits Limits
	slot   *sandbox.Slot
	proc   *sandbox.Process
	trace  *tracer
	out    connection
	wire   *wire
	words  *lastWords

	id      int    // of our latest request
	stage   string // its method
	probe   int    // id of server/discover, while its answer may still come
	late    *message
	meta    *meta // on every request of the modern era
	opened  bool
	asked   []string
	count   int // requests of the server
	changed int // list_changed notifications
	items   map[surface.Kind]map[string]surface.Item
}

func newSession(a *attempt, p *sandbox.Process) *session {
	l := a.order.Limits
	s := &session{
		ctx: a.ctx, limits: l, slot: a.slot, proc: p, trace: a.trace,
		out: connection{p.Stdin, a.trace}, wire: newWire(l), words: newLastWords(l.Words),
		items: map[surface.Kind]map[string]surface.Item{},
	}
	go s.wire.read(p.Stdout)
	go s.words.read(p.Stderr)
	return s
}

// read opens the session and reads everything, twice.
func (s *session) read(r *Result, probe bool) *failure {
	defer close(s.wire.quit)
	h, f := s.open(probe)
	if f != nil {
		return f
	}
	s.opened = true
	r.Era, r.Protocol = h.era, h.protocol
	r.Surface.Server, r.Surface.Instructions = h.server, h.instructions
	return s.readStable(h, &r.Surface)
}

// finish notes what was seen beside the protocol, once the process is gone.
func (s *session) finish(r *Result) {
	r.Noise = s.wire.noise()
	r.Requests = s.asked
	r.LastWords = string(s.slot.Neutral([]byte(s.words.String())))
}

// ask sends a request and waits for its answer.
func (s *session) ask(m method, p params, limit time.Duration) (message, *failure) {
	s.id++
	s.stage = m.name
	p.Meta = s.meta
	if err := s.out.send(m, number(s.id), &p, limit); err != nil {
		return message{}, deaf(err)
	}
	return s.await(s.id, limit)
}

func number(n int) json.RawMessage { return json.RawMessage(strconv.Itoa(n)) }

// deaf words a failed write.
func deaf(err error) *failure {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fatal(Timeout, "it does not read its standard input")
	}
	return fatal(Died, "it closed its standard input")
}

// afterlife is how long output may still come once the process that we started
// is gone: a launcher may have left the server to a child.
const afterlife = time.Second

// awaitEnd gives a server whose streams are closed a moment to end by itself, so
// that its exit code can be told.
func (s *session) awaitEnd() {
	timer := time.NewTimer(afterlife)
	defer timer.Stop()
	select {
	case <-s.proc.Gone():
	case <-timer.C:
	}
}

// await waits for the answer to id and serves what else comes.
func (s *session) await(id int, limit time.Duration) (message, *failure) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	gone := s.proc.Gone()
	for {
		select {
		case e := <-s.wire.events:
			if e.stop != nil {
				return message{}, e.stop
			}
			if done, f := s.take(e.message, id); done || f != nil {
				return e.message, f
			}
		case <-gone:
			gone = nil
			limit = min(limit, afterlife)
			timer.Reset(limit)
		case <-s.ctx.Done():
			return message{}, fatal(Timeout, "the time for the server is over")
		case <-timer.C:
			if gone == nil {
				return message{}, fatal(Died, "it ended and left its standard output open")
			}
			return message{}, fatal(Timeout, "it did not answer %s within %s", s.stage, limit)
		}
	}
}

// take handles one message and reports whether it is the answer to id.
func (s *session) take(m message, id int) (bool, *failure) {
	switch {
	case m.method == "":
		return s.takeAnswer(m, id), nil
	case m.id == nil:
		s.trace.line('<', m.method, m.bytes)
		s.notice(m.method)
		return false, nil
	}
	s.trace.line('<', m.method, m.bytes)
	return false, s.reply(m)
}

// takeAnswer keeps a late answer to the probe: load can make a modern server
// miss its time. An error without an id answers what could not be read, and
// only one request is ever under way.
func (s *session) takeAnswer(m message, id int) bool {
	switch string(m.id) {
	case string(number(id)):
		s.trace.line('<', s.stage, m.bytes)
		return true
	case string(number(s.probe)):
		s.trace.line('<', discover.name, m.bytes)
		if m.result != nil {
			s.late = &m
		}
		return false
	case "null", "":
		s.trace.line('<', s.stage, m.bytes)
		return m.fault != nil
	}
	s.trace.line('<', "other", m.bytes)
	return false
}

func (s *session) notice(method string) {
	switch method {
	case "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/prompts/list_changed":
		s.changed++
	}
}

// keptQuestions and keptName bound what is told about a server's requests.
const (
	keptQuestions = 32
	keptName      = 100 // bytes
	longestID     = 1024
)

// reply answers a request of the server.
func (s *session) reply(m message) *failure {
	if s.count++; s.count > s.limits.Questions {
		return fatal(Limit, "it sent more than %d requests", s.limits.Questions)
	}
	if len(s.asked) < keptQuestions {
		s.asked = append(s.asked, m.method[:min(len(m.method), keptName)])
	}
	if c := m.id[0]; len(m.id) > longestID || c != '"' && c != '-' && (c < '0' || c > '9') {
		return fatal(Protocol, "a request has an id that is neither a short text nor a number")
	}
	if err := s.out.answer(m.id, m.method, s.limits.Page); err != nil {
		return deaf(err)
	}
	return nil
}
