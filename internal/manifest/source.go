package manifest

import (
	"fmt"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// transports are the words that files use for them. "local" is opencode's and
// Copilot's word for a program; the spellings of streamable HTTP differ.
var transports = map[string]Transport{
	"stdio": Stdio, "local": Stdio,
	"http": HTTP, "streamable-http": HTTP, "streamable_http": HTTP, "streamableHttp": HTTP, "streamablehttp": HTTP,
	"sse": SSE, "ws": WS, "websocket": WS,
}

// sources decides how the server is started or reached.
func (r *entryReader) sources() {
	r.split()
	r.e.Launch.Transport = r.implied()
	if r.transport != nil {
		r.declaredType()
	}
	switch {
	case r.url != nil && r.command != nil:
		r.ambiguous(r.command, r.url, "both a command and an address")
	case r.broken:
	case r.url == nil && r.command == nil:
		r.neither()
	case r.e.Launch.Transport == Stdio && r.command == nil:
		r.fail(r.e.At, "the server is to be a program, but has no command", "add \"command\", or correct \"type\"")
	case r.e.Launch.Transport != Stdio && r.url == nil:
		r.fail(r.e.At, "the server is to be reached at an address, but has none", "add \"url\", or correct \"type\"")
	}
	if r.url != nil {
		r.remote()
	}
}

// implied is the transport that an entry without type has.
func (r *entryReader) implied() Transport {
	urlWins := slices.ContainsFunc(r.d.hosts, func(h host) bool { return h.urlWins })
	if r.url == nil || r.command != nil && !urlWins {
		return Stdio
	}
	if r.e.Launch.Transport != "" {
		return r.e.Launch.Transport
	}
	return HTTP
}

// typeWord reads "type", which a nested transport may hold once more.
func (r *entryReader) typeWord(m member) {
	n := r.text(m)
	if n == nil {
		return
	}
	if r.transport != nil && r.transport.text != n.text {
		r.ambiguous(r.transport, n, "two values of type")
	}
	r.transport = n
}

func (r *entryReader) declaredType() {
	word := r.transport.text
	r.traits = append(r.traits, trait{
		fmt.Sprintf("type %s", finding.Claim(word).Quote()), r.transport.at,
		func(h host) answer {
			if slices.Contains(h.types, word) {
				return takes
			}
			return h.otherType
		},
	})
	t, ok := transports[word]
	if !ok {
		r.fail(r.transport.at, fmt.Sprintf("type %s is none that is known", finding.Claim(word).Quote()), "known are stdio, http, sse and ws")
		return
	}
	r.e.Launch.Transport = t
}

// remote notes what hosts make of a server that has an address.
func (r *entryReader) remote() {
	r.traits = append(r.traits, trait{"an address", r.url.at, func(h host) answer { return h.remote }})
	if r.transport == nil && r.command == nil {
		r.traits = append(r.traits, trait{`an address without "type"`, r.url.at, func(h host) answer { return h.untyped }})
	}
}

// ambiguous reports two sources: hosts differ in which of them they take.
func (r *entryReader) ambiguous(a, b *node, what string) {
	f := finding.New("launch/ambiguous-transport", finding.Error, a.at,
		fmt.Sprintf("the server has %s (the other at %s): Claude Code and Copilot CLI take a command, Gemini CLI an address", what, b.at))
	f.Hint = "keep one of them"
	f.Related = []finding.Location{b.at}
	r.problem(f)
}

func (r *entryReader) neither() {
	for _, f := range r.e.Findings {
		if f.Rule == "launch/ignored-member" {
			r.fail(r.e.At, "the server has neither a command nor an address that is read here", "use \"command\" or \"url\"")
			return
		}
	}
	r.fail(r.e.At, "the server has neither a command nor an address", "add \"command\" or \"url\", or remove the server")
}

// nestedTransport reads {"transport": {"type": …, "url": …}}, which no host of
// the files read here documents and which people copy between hosts. The word
// alone, as {"transport": "sse"}, is another host's spelling of type.
func (r *entryReader) nestedTransport(m member) {
	switch m.value.kind {
	case object:
	case null:
		r.absent(m)
		return
	case text:
		r.note(finding.New("launch/ignored-member", finding.Note, m.at, `"transport" has no effect here: hosts read "type"`))
		return
	default:
		r.mistyped(m.value, `"transport"`, object)
		return
	}
	r.traits = append(r.traits, trait{`an object "transport"`, m.at, func(h host) answer { return h.nested }})
	r.repeated("member", m.value)
	for _, name := range []string{"type", "url", "headers"} {
		if inner, ok := m.value.get(name); ok {
			r.member(inner)
		}
	}
}

// address reads "url" and its older names.
func (r *entryReader) address(m member) {
	n := r.text(m)
	if n == nil {
		return
	}
	if n.text == "" {
		r.fail(n.at, fmt.Sprintf("%q is empty", m.name), "write it as https://HOST/PATH, or remove the server")
		return
	}
	if r.url != nil {
		r.ambiguous(r.url, n, "two addresses")
	}
	if m.name == "tcp" {
		r.e.Launch.Transport = WS
	}
	r.url = n
	shown, hidden := secret.Mask(n.text)
	r.e.Launch.URL = &Arg{Text: secret.New(n.text), Shown: shown, Secret: hidden, At: n.at}
	if hidden > 0 {
		r.e.Launch.URL.Label = shown
	}
	r.judgeURL(n)
}
