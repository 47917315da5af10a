package manifest

import (
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// text returns a string member; nil where it is null, which counts as absent, or
// of another type, which is a problem.
func (r *entryReader) text(m member) *node {
	switch m.value.kind {
	case text:
		if what := unfit(m.value.text); what != "" {
			r.fail(m.value.at, fmt.Sprintf("%q holds %s", m.name, what), "correct it")
			return nil
		}
		return &m.value
	case null:
		r.absent(m)
	default:
		r.mistyped(m.value, fmt.Sprintf("%q", m.name), text)
	}
	return nil
}

// unfit says why no program can be given a text. Linux takes 128 KiB for one
// argument; what is longer than [secret.MaxText] could not be looked through.
func unfit(s string) string {
	switch {
	case strings.ContainsRune(s, 0):
		return "a NUL character"
	case len(s) > secret.MaxText:
		return fmt.Sprintf("more than %d bytes", secret.MaxText)
	}
	return ""
}

// absent notes a null where hosts want the member or nothing.
func (r *entryReader) absent(m member) {
	f := finding.New("launch/null-member", finding.Note, m.value.at,
		fmt.Sprintf("%q is null, which is read as absent; strict hosts skip such a server", m.name))
	f.Hint = "remove the member"
	r.note(f)
}

func (r *entryReader) mistyped(n node, what string, want kind) {
	r.fail(n.at, fmt.Sprintf("%s is %s, not %s", what, n.kind, want), "hosts skip such a server: write "+want.String())
}

// scalar reads a member that is shown and stored as it stands; should it hold a
// credential, what is kept is the text without it.
func (r *entryReader) scalar(m member) *String {
	n := r.text(m)
	if n == nil {
		return nil
	}
	shown, hidden := secret.Mask(n.text)
	if hidden > 0 {
		r.inline(n.at, fmt.Sprintf("%q", m.name), hidden)
	}
	return &String{shown, n.at}
}

func (r *entryReader) args(m member) {
	switch m.value.kind {
	case list:
	case null:
		r.absent(m)
		return
	default:
		r.mistyped(m.value, `"args"`, list)
		return
	}
	for _, item := range m.value.items {
		if item.kind != text {
			r.mistyped(item, "an argument", text)
			continue
		}
		if n := r.text(member{name: "args", value: item}); n != nil {
			r.words = append(r.words, word{n.text, n.at})
		}
	}
}

// maxName is the most bytes of the name of a variable or header.
const maxName = 1 << 10

// bindings reads a map of strings. A loose one takes numbers, and null, which
// unsets a variable.
func (r *entryReader) bindings(m member, loose bool) []Binding {
	switch m.value.kind {
	case object:
	case null:
		r.absent(m)
		return nil
	default:
		r.mistyped(m.value, fmt.Sprintf("%q", m.name), object)
		return nil
	}
	r.repeated(m.name+" member", m.value)
	var out []Binding
	for _, b := range m.value.members {
		n := b.value
		if loose && n.kind == null {
			continue
		}
		if n.kind != text && !(loose && n.kind == number) {
			r.mistyped(n, fmt.Sprintf("%s in %q", finding.Claim(b.name).Quote(), m.name), text)
			continue
		}
		if b.name == "" || len(b.name) > maxName || strings.ContainsAny(b.name, "=\x00\r\n") {
			r.fail(b.at, fmt.Sprintf("a name in %q is empty, too long, or holds a sign that none may", m.name), "correct it")
			continue
		}
		if what := unfit(n.text); what != "" {
			r.fail(n.at, fmt.Sprintf("%s in %q holds %s", finding.Claim(b.name).Quote(), m.name, what), "correct it")
			continue
		}
		out = append(out, r.bind(b.name, n, m.name == "env"))
	}
	return out
}

func (r *entryReader) bind(name string, n node, env bool) Binding {
	refs, literal := secret.References(n.text)
	b := Binding{Name: name, At: n.at, Refs: refs, Literal: literal, Value: secret.New(n.text)}
	if !env {
		r.inlineBinding("the header", name, n)
		return b
	}
	r.inlineBinding("the variable", name, n)
	r.override(name, n)
	if b.Steers = Steers(name); b.Steers {
		b.Shown, b.Secret = secret.Mask(n.text)
	}
	return b
}
