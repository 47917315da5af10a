// Package sandbox starts a child, watches it, and leaves no process behind.
//
// A process group is not enough to end a server: one widely used package
// detaches a watchdog into a session of its own. So on Linux the child runs
// under a supervisor, which is this binary again (child role "supervise"). The
// supervisor is a child subreaper (prctl(2), PR_SET_CHILD_SUBREAPER): whatever
// the server forks, in whatever session, falls to it when its parent ends, and
// it kills and reaps until wait4(2) says that nobody is left (ECHILD). It does
// so too when the pipe to its parent closes, that is, when we die.
//
// Profiles say how it is confined. full gives it namespaces, a new root that
// holds only what it needs, and a network that leads nowhere and is watched;
// restricted works without namespaces: path rules of Landlock, a filter of
// system calls, and a watcher that refuses and records connections. none
// confines nothing. What works here is tried, never guessed (Probe).
//
// Other systems get a kill of the process group (Windows: of the process), say
// that survivors were not counted, and have no profile but none.
package sandbox

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Profile is how strongly a child is confined.
type Profile string

// The profiles. Auto is the strongest that works here, and no profile of a run.
const (
	Auto       Profile = "auto"
	Full       Profile = "full"
	Restricted Profile = "restricted"
	None       Profile = "none"
)

// Limits bound a child and all its descendants together.
type Limits struct {
	Memory    int64 // bytes of resident memory, sampled; zero means 1 GiB
	Processes int   // zero means 256
	Files     int   // open files of one process; zero means 1,024
}

// Order is what to start and how.
type Order struct {
	Argv    []string // the program and its arguments; a program without a separator is looked up in Env's PATH
	Env     []string // the complete environment as NAME=VALUE
	Dir     string   // an existing directory
	Profile Profile  // the zero value is None
	Limits  Limits
	// Read are absolute paths that a confined program may read besides the system
	// and its own installation: files, and folders with all that lies below.
	Read []string
	// Write are folders, absolute, that a confined program may write besides those
	// of its slot, under the restricted profile. They belong to the user that it runs as.
	Write []string
	// Route is the one place that a program under the restricted profile reaches: an
	// IPv4 address of this machine with a port. The zero value is none.
	Route netip.AddrPort
	// Slot is where a confined program has its home, directory and temp, the only
	// places that it may write. Words of Argv, Env and Dir that name the slot name
	// it as the program sees it.
	Slot *Slot `json:"-"`
	// UID is the user and group that the program runs as, without any other
	// group. Zero keeps ours, or takes the slot's own where we are root and the
	// program is confined.
	UID int
}

// StartError says why a child could not be started, in our words.
type StartError struct {
	Missing bool // the program, or the interpreter that it names, does not exist
	Detail  string
}

func (e *StartError) Error() string { return e.Detail }

// Exit is how a child ended.
type Exit struct {
	Code      int    // exit code; -1 where a signal ended it
	Signal    string // name of that signal
	Early     bool   // it ended before it was asked to
	Limit     string // the limit that ended it: "memory" or "processes"
	Counted   bool   // whether survivors can be counted on this system
	Survivors int    // processes that had to be killed after the child itself was gone
	Left      int    // processes that could not be killed
	Lost      bool   // the supervisor was killed; what it watched was ended by us
}

// String tells the way it ended, for a sentence that starts with "it".
func (e Exit) String() string {
	switch {
	case e.Limit != "":
		return "exceeded the limit on " + e.Limit
	case e.Signal != "":
		return "was ended by signal " + e.Signal
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// Process is a running child. Stdin, Stdout and Stderr are our ends of its
// pipes and accept deadlines.
type Process struct {
	Stdin, Stdout, Stderr *os.File

	order  func(word) // tells the supervisor, or does it
	gone   chan struct{}
	done   chan struct{}
	ending atomic.Bool
	end    sync.Once

	mu   sync.Mutex
	exit Exit
	seen Observed // written before done is closed
}

// word is an order to a running child.
type word string

const (
	term  word = "term"  // ask the process group to end
	sweep word = "sweep" // kill whatever is left
)

// Start starts o. It returns a *StartError where the program cannot be run. The
// child is killed with all its descendants when ctx is done; End must be called
// in any case.
func Start(ctx context.Context, o Order) (*Process, error) {
	if o.Profile == "" {
		o.Profile = None
	}
	if o.Profile != None && !slices.Contains(Profiles(), o.Profile) {
		return nil, &StartError{Detail: fmt.Sprintf("the sandbox profile %q is not available", string(o.Profile))}
	}
	if (o.Route.IsValid() || len(o.Write) > 0) && o.Profile != Restricted || o.Route.IsValid() && !o.Route.Addr().Is4() {
		return nil, &StartError{Detail: "only the restricted profile has folders of others to write in, and leads to an IPv4 address"}
	}
	if len(o.Argv) == 0 || o.Argv[0] == "" {
		return nil, &StartError{Missing: true, Detail: "no program is named"}
	}
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		return nil, &StartError{Detail: "the working directory does not exist"}
	}
	o.Limits = o.Limits.orDefault()
	p, err := start(o)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { p.order(sweep) })
	go func() { <-p.done; stop() }()
	return p, nil
}

func (l Limits) orDefault() Limits {
	if l.Memory == 0 {
		l.Memory = 1 << 30
	}
	if l.Processes == 0 {
		l.Processes = 256
	}
	if l.Files == 0 {
		l.Files = 1024
	}
	return l
}

// Gone is closed when the child itself has ended. Descendants may still run.
func (p *Process) Gone() <-chan struct{} { return p.gone }

// End ends the child: its standard input is closed, after grace its group gets
// SIGTERM, after another grace everything is killed. It returns when nothing is
// left, and the same result on every call.
func (p *Process) End(grace time.Duration) Exit {
	p.end.Do(func() {
		p.ending.Store(true)
		_ = p.Stdin.Close()
		if !within(p.gone, grace) {
			p.order(term)
			within(p.gone, grace)
		}
		p.order(sweep)
		<-p.done
		_ = p.Stdout.Close()
		_ = p.Stderr.Close()
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Observed is what the child was seen to reach for. Call it after End.
func (p *Process) Observed() Observed {
	<-p.done
	return p.seen
}

// change edits the exit under its lock.
func (p *Process) change(edit func(*Exit)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	edit(&p.exit)
}

// within reports whether c is closed before d has passed.
func within(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}

// pipes are the three streams of a child: our ends and the child's.
type pipes struct{ ours, theirs [3]*os.File }

func openPipes() (pipes, error) {
	var s pipes
	for i := range s.ours {
		r, w, err := os.Pipe()
		if err != nil {
			s.close()
			return s, &StartError{Detail: "no pipe could be made"}
		}
		if i == 0 {
			s.theirs[i], s.ours[i] = r, w
		} else {
			s.ours[i], s.theirs[i] = r, w
		}
	}
	return s, nil
}

func (s pipes) closeTheirs() {
	for _, f := range s.theirs {
		_ = f.Close() // a nil file refuses, which is fine here
	}
}

func (s pipes) close() {
	s.closeTheirs()
	for _, f := range s.ours {
		_ = f.Close()
	}
}
