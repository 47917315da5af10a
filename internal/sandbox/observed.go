package sandbox

import (
	"slices"
	"strconv"
	"strings"
)

// Observed is what was seen of a confined program. A nil list is one that the
// profile cannot see; an empty one says that there was nothing.
type Observed struct {
	Profile Profile
	// Hosts are names and addresses that it wanted: "name:443", "192.0.2.1:80",
	// "[2001:db8::1]:443", "name:53/udp", "192.0.2.1/icmp", or a name alone that
	// was looked up and nothing more. Names are foreign text.
	Hosts []string
	// Decoys are the credential files of its home that it opened.
	Decoys []Decoy
	// Wrote are files that it left outside of its home, directory and temp, as
	// absolute paths and foreign text.
	Wrote []string
	// Partly names the lists that are not all of it: "hosts", "decoys", "wrote".
	Partly []string
}

// Decoy is a file that looks like a credential and is none.
type Decoy struct {
	File string // "~/.aws/credentials"
	Read bool   // it was read, and not only opened
}

// And is what was seen of two runs of one program together.
func (o Observed) And(p Observed) Observed {
	out := Observed{Profile: o.Profile, Hosts: both(o.Hosts, p.Hosts, strings.Compare), Wrote: both(o.Wrote, p.Wrote, strings.Compare), Partly: both(o.Partly, p.Partly, strings.Compare)}
	out.Decoys = both(o.Decoys, p.Decoys, func(a, b Decoy) int { return strings.Compare(a.File, b.File) })
	return out
}

// both joins lists, sorted; it is nil where neither could be seen.
func both[T comparable](a, b []T, order func(T, T) int) []T {
	if a == nil && b == nil {
		return nil
	}
	all := append(append([]T{}, a...), b...)
	slices.SortFunc(all, order)
	return slices.Compact(all)
}

// Host is one entry of Observed.Hosts, taken apart: a name or an address
// without brackets, and a port, zero where the name was looked up and nothing
// more, or where the protocol has none.
func Host(entry string) (host string, port int) {
	entry, _, _ = strings.Cut(entry, "/")
	i := strings.LastIndexByte(entry, ':')
	if i < 0 || strings.Count(entry, ":") > 1 && !strings.HasPrefix(entry, "[") {
		return entry, 0
	}
	port, err := strconv.Atoi(entry[i+1:])
	if err != nil {
		return entry, 0
	}
	return strings.Trim(entry[:i], "[]"), port
}
