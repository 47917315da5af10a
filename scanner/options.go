// Package scanner runs the pipeline over targets: read what is declared and
// locked, start what is approved, infer, compare, judge. It holds no power of
// its own: it reads through the fs.FS it is given, starts through inspect, and
// returns what is to be written. The rules are one file each, in one list.
//
// The API may change before version 1; finding and lockfile are promised.
package scanner

import (
	"io"
	"io/fs"

	"github.com/toolwarrant/toolwarrant/internal/inspect"
)

// Options is what a run works with.
type Options struct {
	Head fs.FS  // the tree; it must not lead out of itself
	Root string // the same tree on disk, absolute: there relative commands are looked up
	// Environment is the caller's, from which servers get little.
	Environment inspect.EnvOptions
	Dir         string // working directory of servers; empty for a neutral one
	Limits      inspect.Limits
	Trace       io.Writer // one line a message, without content; may be nil
	CacheDir    string    // package caches of launchers, one a launch; empty for none
	// Approved says whether this launch with this repository code may start.
	Approved func(launch, code string) bool
	Parallel int // servers at once; zero means 4
	Progress func(Event)
	Tool     string // version of this program, for reports
}

// Event tells what a run is at.
type Event struct {
	Target string
	Phase  string // a word for people
	Done   bool
}

func (o Options) tell(target, phase string, done bool) {
	if o.Progress != nil {
		o.Progress(Event{target, phase, done})
	}
}

func (o Options) parallel() int {
	if o.Parallel > 0 {
		return o.Parallel
	}
	return 4
}
