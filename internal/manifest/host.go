package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// answer is what a host does with an input. The zero value means that nobody
// measured it: such an input is taken to be loaded, and the doubt is said.
type answer uint8

const (
	unverified answer = iota
	takes
	refuses
)

// host is one program that reads a dialect, and what it does with odd input.
type host struct {
	name                 string
	comment, comma, mark answer
	flat                 answer   // a file without the root key
	foreignRoot          answer   // a file with another dialect's root key
	types                []string // the values of type that it knows
	otherType            answer   // any other value of type
	untyped              answer   // an address without type
	remote               answer   // any address
	nested               answer   // an object "transport" that holds type and address
	proto                answer   // a server named __proto__
	urlWins              bool     // of a command and an address it takes the address
	unreadIn             string   // a folder name in which it does not read the file
}

// trait is a property of a file or entry that some hosts refuse.
type trait struct {
	what   string // "a comment"
	at     finding.Location
	answer func(host) answer
}

// traits of the bytes, in the order of their places.
func (d document) traits() []trait {
	out := []trait{
		{"a byte order mark", d.mark, func(h host) answer { return h.mark }},
		{"a comment", d.comment, func(h host) answer { return h.comment }},
		{"a trailing comma", d.comma, func(h host) answer { return h.comma }},
	}
	return slices.DeleteFunc(out, func(t trait) bool { return t.at.IsZero() })
}

// refusing lists the hosts that refuse t.
func (t trait) refusing(hosts []host) []string {
	var out []string
	for _, h := range hosts {
		if t.answer(h) == refuses {
			out = append(out, h.name)
		}
	}
	return out
}

// notLoaded is the finding that hosts refuse a file or a server; nil where none
// does.
func (t trait) notLoaded(hosts []host, thing string) *finding.Finding {
	names := t.refusing(hosts)
	if len(names) == 0 {
		return nil
	}
	f := finding.New("launch/not-loaded", finding.Warning, t.at,
		fmt.Sprintf("%s not loaded by %s: %s", thing, strings.Join(names, ", "), t.what))
	return &f
}

// client says what h does with an entry that has these traits, the gravest
// first.
func (h host) client(file, entry []trait) finding.Client {
	c := finding.Client{Name: h.name, Loads: true}
	for _, scope := range []struct {
		traits []trait
		thing  string
	}{{file, "file"}, {entry, "entry"}} {
		for _, t := range scope.traits {
			switch {
			case t.answer(h) == refuses && c.Loads:
				c.Loads = false
				c.Why = fmt.Sprintf("refuses the %s: %s", scope.thing, t.what)
			case t.answer(h) == unverified && c.Why == "":
				c.Why = "not verified: " + t.what
			}
		}
	}
	return c
}
