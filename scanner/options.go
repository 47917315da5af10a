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

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
)

// Options is what a run works with.
type Options struct {
	Head    fs.FS    // the tree; it must not lead out of itself
	Root    string   // the same tree on disk, absolute: there relative commands are looked up; empty where Head is git objects
	Tracked fs.FS    // what git holds of a work tree; nil where nobody knows
	Staged  []string // names of the index beside Tracked
	// Locate finds the name in the tree of an absolute path on disk, also one that
	// leads there by links; may be nil.
	Locate func(path string) (name string, ok bool)
	// SameRepository says that a change does not come from a fork.
	SameRepository bool
	Anchor         Anchor
	// Inputs are what a workflow sets of the policy, by the names of its members;
	// they may only tighten it. What is told of them stands at InputsAt.
	Inputs               map[string]string
	InputsAt             finding.Location
	Tip                  fs.FS // of the default branch, for revocations; may be nil
	Live                 Live
	Start                string            // "all" starts what nobody approved too
	NoStart, NoStartHint string            // why nothing may be started, and what to do
	Date                 string            // ISO, for the policy
	Only                 func(Target) bool // restricts a scan; nil for all
	Part                 string            // the folder that the scan is restricted to, for the report
	// WriteOut puts a folder of git objects on disk, for code that runs from it.
	WriteOut func(fsys fs.FS, dir string) (path string, cleanup func(), err error)
	// Environment is the caller's, from which servers get little.
	Environment inspect.EnvOptions
	Dir         string // working directory of servers; empty for a neutral one
	// Confine is asked before anything is started: the profile that confines
	// servers, or why there is none. Nil confines nothing. ConfineAuto says that
	// nobody asked for a certain profile.
	Confine     func() (p inspect.Profile, why string)
	ConfineAuto bool
	Limits      inspect.Limits
	Trace       io.Writer // one line a message, without content; may be nil
	Packages    Packages  // of launchers; nil where none can be fetched
	Python      Python    // of uvx and pipx; nil where none can be fetched
	Images      Images    // of container engines; nil where none is asked
	Today       bool      // start what registries give now, not what is sealed
	// Approved says whether this launch with this repository code may start.
	Approved func(launch, code string) bool
	// Attributes tells of .gitattributes lines that hide or convert one of these
	// files or a lock; may be nil.
	Attributes func(fsys fs.FS, files []string) []finding.Finding
	// Save keeps what was read behind a launch, as a lock and the tree of packages
	// beside it, for a later approval; may be nil.
	Save     func(launch string, lock, tree []byte) error
	Parallel int // servers at once; zero means 4
	Progress func(Event)
	Tool     string // version of this program, for reports
}

// Live says which targets a scan reads.
type Live string

// The modes. What may be started at all is decided before.
const (
	LiveAll     Live = "all"
	LiveChanged Live = "changed" // only what the change touches
	LiveNone    Live = "none"    // nothing: the static half decides
)

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
