package manifest

import (
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// judge adds the findings about a server that was read: credentials in clear,
// variables that steer code, a shell, hosts that skip it.
func (r *entryReader) judge() {
	l := r.e.Launch
	for _, a := range l.Argv {
		if a.Secret > 0 {
			r.inline(a.At, "an argument ("+finding.Claim(a.Label).Quote()+")", a.Secret)
		}
	}
	if l.URL != nil && l.URL.Secret > 0 {
		r.inline(l.URL.At, "the address", l.URL.Secret)
	}
	r.launched()
	for _, t := range r.traits {
		if f := t.notLoaded(r.d.hosts, "the server is"); f != nil && !r.broken {
			r.note(*f)
		}
	}
}

// inline reports a credential that stands in the file.
func (r *entryReader) inline(at finding.Location, where string, bytes int) {
	f := finding.New("launch/inline-secret", finding.Error, at,
		fmt.Sprintf("%s holds a credential in clear (%d bytes)", where, bytes))
	f.Hint = "take it out of the file and revoke it"
	if r.d.reference != "" {
		f.Hint += "; refer to it as " + r.d.reference
	}
	r.note(f)
}

// inlineBinding reports a variable or header that holds a credential.
func (r *entryReader) inlineBinding(what, name string, n node) {
	if secret.LooksSecret(name, n.text) {
		r.inline(n.at, what+" "+finding.Claim(name).Quote(), len(n.text))
	}
}

// inlineIn looks for credentials in a member whose meaning is not read here.
func (r *entryReader) inlineIn(name string, n node) {
	switch n.kind {
	case text:
		if len(n.text) <= secret.MaxText {
			r.inlineBinding("the member", name, n)
		}
	case list:
		for _, item := range n.items {
			r.inlineIn(name, item)
		}
	case object:
		for _, m := range n.members {
			r.inlineIn(m.name, m.value)
		}
	}
}
