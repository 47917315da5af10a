package scanner

import (
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/inspect"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// sighted adds to a subject what was seen of the server. What the policy grants
// is left out; what the approved lock records is known.
func sighted(s Subject, r reading, grants policy.Server, approved *lockfile.Entry) Subject {
	s.Seen = Sighting{Survivors: r.result.Survivors, Left: r.result.Left, Unconfined: r.fetches && r.attempts > 0}
	for _, h := range r.result.Seen.Hosts {
		host, port := inspect.Host(h)
		switch {
		case grants.ListsHost(host, port):
		case records(approved, host, port):
			s.Seen.Recorded = append(s.Seen.Recorded, h)
		default:
			s.Seen.Hosts = append(s.Seen.Hosts, h)
		}
	}
	for _, d := range r.result.Seen.Decoys {
		if !grants.ListsFile(d.File) {
			s.Seen.Decoys = append(s.Seen.Decoys, d.File)
		}
	}
	for _, file := range r.result.Seen.Wrote {
		if !grants.ListsFile(file) {
			s.Seen.Wrote = append(s.Seen.Wrote, file)
		}
	}
	return s
}

// records reports whether a lock tells of a contact with this host. Not every
// profile sees the port.
func records(e *lockfile.Entry, host string, port int) bool {
	if e == nil || e.Read == nil {
		return false
	}
	return slices.ContainsFunc(e.Read.ObservedHost, func(h string) bool {
		was, wasPort := inspect.Host(h)
		return was == host && (port == wasPort || port == 0 || wasPort == 0)
	})
}

// hosts are what a policy may deny: "host" or "host:port".
func (r reading) hosts() []string {
	var out []string
	for _, h := range r.result.Seen.Hosts {
		place, _, _ := strings.Cut(h, "/") // without the protocol
		out = append(out, place)
	}
	return out
}

// sandbox is what confined a server and what was seen, for reports.
func (r reading) sandbox() finding.Sandbox {
	if r.attempts == 0 {
		return finding.Sandbox{}
	}
	seen := r.result.Seen
	out := finding.Sandbox{Profile: string(r.profile), Hosts: seen.Hosts, Wrote: seen.Wrote, Survivors: r.result.Survivors}
	if seen.Decoys != nil {
		out.Decoys = []string{}
		for _, d := range seen.Decoys {
			out.Decoys = append(out.Decoys, d.File)
		}
	}
	return out
}

// noSandbox is the reason of a reading that did not take place because nothing
// would confine the server.
const noSandbox inspect.Reason = "no-sandbox"

const unconfinedHint = "--live none compares locks and launches without starting anything; --sandbox none starts servers unconfined"

// confinement is the profile for a target, or why there is none. A launcher that
// fetches what it runs reaches the network when it is started, which no profile
// allows: left to choose, it is read without one, and a finding says so.
func (o Options) confinement(t Target) (p inspect.Profile, why string) {
	if o.Confine == nil {
		return inspect.Unconfined, ""
	}
	p, why = o.Confine()
	if why == "" && o.fetches(t) {
		return inspect.Unconfined, ""
	}
	return p, why
}

// tryOut asks which profile works while the locks are read and packages are
// hashed: that takes as long. It asks only where every target with a lock will
// be started, and the function that it returns waits for the answer, since
// trying starts something too.
func (o Options) tryOut() (wait func()) {
	sealed, err := fs.ReadDir(o.Head, LockDir)
	if o.Confine == nil || o.NoStart != "" || o.Live != LiveAll || err != nil || len(sealed) == 0 {
		return func() {}
	}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = o.Confine() })
	return wg.Wait
}

// fetches reports whether a launch cannot be confined, and nobody insists.
func (o Options) fetches(t Target) bool {
	return o.ConfineAuto && len(t.Declared) > 0 && fetchesByItself(t.command())
}

// fetchesByItself reports whether a launcher reaches for its packages when it is
// started: what we resolve lies here by then.
func fetchesByItself(c manifest.Command) bool { return c.Fetches() && !fixable(c) }

// unconfinable turns a subject into one that is not started for want of a
// sandbox.
func (o Options) unconfinable(s Subject, t Target) (Subject, bool) {
	if _, why := o.confinement(t); why != "" {
		s.State, s.Reason, s.Hint = unconfined, "not started: "+why, unconfinedHint
		return s, true
	}
	return s, false
}

// Unstarted reports whether an inspection did not take place because nothing
// would confine the server.
func Unstarted(i finding.Inspection) bool {
	return i.Failure != nil && i.Failure.Reason == string(noSandbox)
}
