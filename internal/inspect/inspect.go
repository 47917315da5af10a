// Package inspect asks a server what it declares, and nothing else.
//
// It starts an MCP server, sends server/discover or initialize and then only
// the list methods of what the server declares, reads every page twice, and
// ends the server with all its descendants. No code in this package is able to
// call a tool: the one writer of the connection takes a method of a closed
// type (allow.go), or answers (ping with a result, anything else with -32601).
//
// Protocol: Model Context Protocol, revisions 2024-11-05 to 2025-11-25 (opened
// by initialize) and 2026-07-28 (opened by server/discover, _meta on every
// request), newline-delimited JSON-RPC 2.0 over standard input and output.
// Items are kept as the canonical JSON of their raw members; envelopes are not
// kept, so that era and page size do not matter.
package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// Order is what to inspect and how.
type Order struct {
	Argv    []string
	Env     []string // complete, as NAME=VALUE; HOME and TMPDIR are added where they are absent
	Dir     string   // working directory; empty means a fresh neutral one
	Profile Profile  // empty means none
	Read    []string // absolute paths that a confined server may read besides what its arguments name
	Limits  Limits   // zero members mean the defaults
	Target  string   // our name of the server, for the trace
	Trace   io.Writer
}

// Profile is how a server is confined.
type Profile = sandbox.Profile

// Unconfined is the profile of a server that nothing confines.
const Unconfined = sandbox.None

// Host takes an entry of the hosts that were seen apart.
func Host(entry string) (host string, port int) { return sandbox.Host(entry) }

// Reason says in one word why a server could not be read in full.
type Reason string

// The reasons.
const (
	MissingProgram Reason = "missing-program" // the command does not exist here
	StartFailed    Reason = "start-failed"    // it exists and could not be started
	Died           Reason = "died"            // it ended, or closed a stream, before it was asked to
	Timeout        Reason = "timeout"         // no answer in time
	Protocol       Reason = "protocol"        // an answer that is not what the protocol says
	Limit          Reason = "limit"           // a limit of contract.md was reached
	ErrorAnswer    Reason = "error-answer"    // an error in place of a list
	Unreadable     Reason = "unreadable"      // an item that cannot be made canonical or told from another
	Unstable       Reason = "unstable"        // two readings of one session differ
	Unwatched      Reason = "unwatched"       // what watches the server was killed, or missed something
	Cancelled      Reason = "cancelled"       // by our caller
)

// Result is what one reading found. The zero Result is not complete.
type Result struct {
	Surface  surface.Surface
	Era      string // "legacy" or "modern"; empty where the session was not opened
	Protocol string // the protocol revision spoken
	// Where something went wrong: Stage is "start" or the method that was under
	// way, Detail says it in our words, Answer is the message of an error answer
	// and foreign text.
	Stage  string
	Reason Reason
	Detail string
	Answer string
	// LastWords is the end of what the server wrote to its standard error. It is
	// foreign text and not redacted.
	LastWords string
	Unstable  bool
	Noise     Noise
	Requests  []string // methods that the server asked us for, foreign text, in order
	Survivors int      // processes that had to be killed after the server was gone
	Left      int      // processes that could not be killed
	Seen      sandbox.Observed
	Attempts  int // how often the server was started
	Elapsed   time.Duration
}

// Noise counts output that is no protocol.
type Noise struct{ Lines, Bytes int }

// Complete reports whether everything that the server declares was read, twice
// and with the same result.
func (r Result) Complete() bool {
	return r.Era != "" && r.Reason == "" && !r.Unstable && r.Surface.Complete()
}

// Read starts the server, reads it and ends it. Whatever goes wrong is in the
// result. A server that does not survive the probe of the newer protocol is
// started once more and opened with initialize.
func Read(ctx context.Context, o Order) Result {
	began := time.Now()
	o.Limits = o.Limits.orDefault()
	ctx, cancel := context.WithTimeout(ctx, o.Limits.Server)
	defer cancel()
	slot, err := sandbox.Claim()
	if err != nil {
		return Result{Stage: "start", Reason: StartFailed, Detail: err.Error(), Elapsed: time.Since(began)}
	}
	defer slot.Release()
	a := attempt{ctx: ctx, order: o, slot: slot, trace: newTracer(o, began)}
	r, again := a.run(true)
	r.Attempts = 1
	if again && slot.Reset() == nil {
		before := r
		r, _ = a.run(false)
		r.Attempts, r.Survivors, r.Left = 2, r.Survivors+before.Survivors, r.Left+before.Left
		r.Seen = r.Seen.And(before.Seen)
	}
	r.Elapsed = time.Since(began)
	return r
}

// attempt is one start of the server.
type attempt struct {
	ctx   context.Context
	order Order
	slot  *sandbox.Slot
	trace *tracer
}

// run reads the server once; again reports that the probe killed it.
func (a *attempt) run(probe bool) (r Result, again bool) {
	dir := a.order.Dir
	if dir == "" {
		dir = a.slot.Work()
	}
	p, err := sandbox.Start(a.ctx, sandbox.Order{
		Argv: a.order.Argv, Env: withSlot(a.order.Env, a.slot), Dir: dir,
		Profile: a.order.Profile, Limits: a.order.Limits.sandbox(),
		Slot: a.slot, Read: append(readable(a.order.Argv), a.order.Read...),
	})
	if err != nil {
		return startFailure(err), false
	}
	s := newSession(a, p)
	r = Result{Surface: surface.Surface{Lists: map[surface.Kind]surface.List{}}}
	f := s.read(&r, probe)
	if f != nil && f.reason == Died {
		s.awaitEnd()
	}
	exit := p.End(a.order.Limits.Grace)
	s.finish(&r)
	seen := p.Observed()
	f = verdict(a.ctx, f, exit, seen)
	f.note(&r, s.stage)
	r.Unstable = r.Reason == Unstable
	r.Survivors, r.Left, r.Seen = exit.Survivors, exit.Left, seen
	return r, probe && f != nil && f.reason == Died && !s.opened
}

func startFailure(err error) Result {
	r := Result{Stage: "start", Reason: StartFailed, Detail: err.Error()}
	var failed *sandbox.StartError
	if errors.As(err, &failed) && failed.Missing {
		r.Reason = MissingProgram
	}
	return r
}

// verdict puts what the sandbox saw before what the session made of it: a
// server that was ended for its memory looks to the session like one that died.
// One that was read while its watchers missed something counts as not read.
func verdict(ctx context.Context, f *failure, exit sandbox.Exit, seen sandbox.Observed) *failure {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fatal(Timeout, "it was not read within the time that one server has")
	case ctx.Err() != nil:
		return fatal(Cancelled, "the reading was cancelled")
	case exit.Lost:
		return fatal(Unwatched, "the process that watches the server was killed")
	case exit.Limit != "":
		return fatal(Limit, "it %s", exit)
	case f != nil && f.reason == Died && exit.Early:
		return fatal(Died, "it %s", exit)
	case f == nil && len(seen.Partly) > 0:
		return fatal(Unwatched, "not everything that it reached for was seen (%s)", strings.Join(seen.Partly, ", "))
	}
	return f
}

// failure is why reading stopped: for one list, or (fatal) for the session.
type failure struct {
	reason Reason
	detail string
	answer string // foreign
	fatal  bool
	stage  string // set where it is not the session's last
}

func fatal(r Reason, format string, args ...any) *failure {
	return &failure{reason: r, detail: fmt.Sprintf(format, args...), fatal: true}
}

func local(r Reason, format string, args ...any) *failure {
	return &failure{reason: r, detail: fmt.Sprintf(format, args...)}
}

func (f *failure) note(r *Result, stage string) {
	if f == nil {
		return
	}
	if f.stage != "" {
		stage = f.stage
	}
	r.Stage, r.Reason, r.Detail, r.Answer = stage, f.reason, f.detail, f.answer
}
