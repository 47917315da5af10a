// Package manifest finds and reads every declaration of a server that a
// repository holds. One file a dialect; each scalar keeps its place; each entry
// gets its own verdict and no bad one hides its neighbours. What a repository's
// settings and skills make a host do besides is an [Inventory].
//
// The same bytes mean different things to different hosts: a comment makes one
// drop every server of a file that another loads. So the reader is lossless and
// takes everything that any host takes, and beside each entry it says what each
// host that reads such a file does with it. What the hosts do was measured with
// Claude Code 2.1.197, Copilot CLI 1.0.102 and Gemini CLI 0.61.0; for VS Code,
// Cursor and Claude Desktop it was read from their documents and sources.
package manifest

import (
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// String is a scalar with its place.
type String struct {
	Value string
	At    finding.Location
}

// Entry is one declared server.
type Entry struct {
	Name     String
	Place    string // "file#/json/pointer", the identity of the declaration
	Base     string // absolute folder in which a host would start it; empty where the file's place in the tree says it
	Dialect  string
	At       finding.Location // of the entry's name
	Clients  []finding.Client // what each host that reads the file does with it
	Disabled bool             // switched off for every host that reads it
	Launch   Launch
	// Pin is that of the launch's [Command], or "lockfile" where a lock of the tree
	// decides (see [Tree]).
	Pin string
	// Problems are what kept this entry from being understood. One at level error
	// means that it is never started.
	Problems []finding.Finding
	// Findings are about an entry that was understood: a credential in clear, a
	// shell, a host that skips it. They do not keep it from being started.
	Findings []finding.Finding
}

// Understood reports whether the entry may be started at all.
func (e Entry) Understood() bool {
	for _, p := range e.Problems {
		if p.Level == finding.Error {
			return false
		}
	}
	return true
}

// Transport is how a host talks to a server.
type Transport string

// The transports.
const (
	Stdio Transport = "stdio"
	HTTP  Transport = "http"
	SSE   Transport = "sse"
	WS    Transport = "ws"
)

// Launch is how a host would start or reach a server, as declared. Dir, EnvFile
// and Helper are kept without the credential that they may hold.
type Launch struct {
	Transport Transport
	// Argv is the command and its arguments as decoded; empty for a remote server.
	// A command that is one string with a known launcher in front is split at its
	// spaces. An entry that declares both a command and an address has both here
	// and is not understood.
	Argv    []Arg
	Env     []Binding
	Dir     *String // working directory, nil where the declaration names none
	EnvFile *String
	URL     *Arg
	Headers []Binding
	Helper  *String // a command that produces headers; never run
}

// Arg is one element of an argument vector or a URL.
type Arg struct {
	Text  secret.Value // as decoded; the words may hold a credential
	Shown string       // the text, or what is left of it without its secret part
	// Secret is the number of bytes that Shown leaves out; zero means that Shown
	// is the whole text.
	Secret int
	// Label stands for the argument where it may not be shown or stored: the flag
	// that it follows ("--api-key"), the flag or variable that it sets
	// ("--api-key="), else Shown, or "argument" where nothing is left. It is empty
	// where nothing is secret.
	Label string
	At    finding.Location
}

// Binding is one environment variable or header.
type Binding struct {
	Name    string
	At      finding.Location // of the value
	Refs    []string         // names that the value refers to, sorted
	Literal bool             // the value holds text of its own
	Steers  bool             // the variable steers code or routes; its value is locked in clear
	Value   secret.Value     // as declared
	// Shown is the value of a variable that steers, without its secret part of
	// Secret bytes. It is empty for every other binding.
	Shown  string
	Secret int
}

// File is what one file declares. Each finding stands in exactly one list: about
// the file in Problems, about an entry in that entry's.
type File struct {
	Path     string
	Dialect  string // empty where the file was not read or is of no known kind
	Entries  []Entry
	Problems []finding.Finding
}
