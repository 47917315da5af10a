package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// entryReader reads one server.
type entryReader struct {
	d        *Dialect
	e        Entry
	file     []trait // of the file and of the map around the server
	traits   []trait // of the server itself
	replaced bool    // a later declaration of the same name is the one that counts
	broken   bool    // not of a form that hosts take
	off      string  // why every host has it switched off

	command, url *node // as declared, nil where absent
	words        []word
	transport    *node
}

func newEntryReader(r *fileReader, m rootMap, s member) *entryReader {
	return &entryReader{
		d:    r.d,
		file: append(slices.Clone(r.traits), m.traits...),
		off:  r.off[s.name],
		e: Entry{
			Name:    String{s.name, s.at},
			Place:   r.file.Path + "#" + m.pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.name),
			Dialect: r.d.name,
			At:      s.at,
		},
	}
}

func (r *entryReader) read(s member) {
	if s.name == "" {
		r.fail(s.at, "the server has an empty name", "name it")
	}
	if s.value.kind != object {
		r.fail(s.value.at, "the server is "+s.value.kind.String()+", not an object", "write it as an object, or remove it")
		return
	}
	if s.name == "__proto__" {
		r.traits = append(r.traits, trait{"the name __proto__", s.at, func(h host) answer { return h.proto }})
	}
	r.members(s.value)
	r.sources()
	r.e.Launch.Argv = arguments(r.words)
}

// members hands each member to its reader. Of repeated ones the last counts, as
// it does for hosts, and the server is not understood.
func (r *entryReader) members(n node) {
	r.repeated("member", n)
	last := make(map[string]int, len(n.members))
	for i, m := range n.members {
		last[m.name] = i
	}
	for i, m := range n.members {
		if last[m.name] == i {
			r.member(m)
		}
	}
}

// repeated reports the members of n that occur more than once, each at its place.
func (r *entryReader) repeated(what string, n node) {
	last := map[string]member{}
	for _, m := range slices.Backward(n.members) {
		if l, ok := last[m.name]; ok {
			r.duplicate(fmt.Sprintf("the %s %s", what, finding.Claim(m.name).Quote()), m.at, l.at, true)
			continue
		}
		last[m.name] = m
	}
}

func (r *entryReader) member(m member) {
	switch m.name {
	case "type":
		r.typeWord(m)
	case "transport":
		r.nestedTransport(m)
	case "command":
		r.command = r.text(m)
	case "args":
		r.args(m)
	case "env":
		r.e.Launch.Env = append(r.e.Launch.Env, r.bindings(m, r.d.has(envLoose))...)
	case "headers":
		r.e.Launch.Headers = append(r.e.Launch.Headers, r.bindings(m, false)...)
	case "url":
		r.address(m)
	case "cwd":
		r.e.Launch.Dir = r.scalar(m)
	case "autoApprove", "alwaysAllow":
		r.approval(m)
	default:
		r.special(m)
	}
}

// special reads the members that only some dialects have. Where the dialect's
// hosts do not use a member that others do, its writer may believe that it
// works, which is noted.
func (r *entryReader) special(m member) {
	if !r.d.has(m.name) {
		r.elsewhere(m)
		r.inlineIn(m.name, m.value)
		return
	}
	switch m.name {
	case "httpUrl", "tcp":
		r.address(m)
	case "envFile":
		r.e.Launch.EnvFile = r.scalar(m)
	case "headersHelper":
		r.helper(m)
	case "trust":
		r.trust(m)
	case "disabled", "enabled":
		if m.value.kind == boolean && (m.value.text == "true") == (m.name == "disabled") {
			r.off = fmt.Sprintf("%q is %s", m.name, m.value.text)
		}
	}
}

// known are members that some host acts upon.
var known = []string{
	"disabled", "enabled", "envFile", "trust", "httpUrl", "serverUrl", "tcp", "headersHelper", "includeTools", "excludeTools",
	"tools", "disabledTools", "enabled_tools", "disabled_tools", "environment", "http_headers", "bearer_token", "bearer_token_env_var",
	"working_directory", "cmd", "envs",
}

func (r *entryReader) elsewhere(m member) {
	if len(r.d.hosts) == 0 || !slices.Contains(known, m.name) {
		return
	}
	f := finding.New("launch/ignored-member", finding.Note, m.at,
		fmt.Sprintf("%q has no effect here: not used by %s", m.name, r.d.hostNames()))
	if m.name == "disabled" || m.name == "enabled" {
		f.Hint = "remove the server to switch it off"
	}
	r.note(f)
}

// fail says what keeps the server from being understood.
func (r *entryReader) fail(at finding.Location, what, hint string) {
	r.broken = true
	f := finding.New("check/undetermined", finding.Error, at, "not understood: "+what).As(finding.Undetermined)
	f.Hint = hint
	r.problem(f)
}

// duplicate reports a key that stands at two places. lasts says whether at is the
// one that hosts use.
func (r *entryReader) duplicate(what string, at, other finding.Location, lasts bool) {
	use := "hosts use the one here"
	if !lasts {
		use = "hosts use the other"
		r.replaced = true
	}
	f := finding.New("launch/duplicate-key", finding.Error, at,
		fmt.Sprintf("%s is declared more than once, here and at %s; %s", what, other, use))
	f.Hint = "keep one: a reviewer reads the first, hosts run the last"
	f.Related = []finding.Location{other}
	r.problem(f)
}

func (r *entryReader) problem(f finding.Finding) {
	f.Target = r.e.Name.Value
	r.e.Problems = append(r.e.Problems, f)
}

func (r *entryReader) note(f finding.Finding) {
	f.Target = r.e.Name.Value
	r.e.Findings = append(r.e.Findings, f)
}

// finish says what each host does with the server and hands it over.
func (r *entryReader) finish() Entry {
	r.judge()
	for _, h := range r.d.hosts {
		r.e.Clients = append(r.e.Clients, r.client(h))
	}
	r.e.Disabled = r.off != ""
	return r.e
}

func (r *entryReader) client(h host) finding.Client {
	c := h.client(r.file, r.traits)
	switch {
	case !c.Loads:
	case r.replaced:
		c.Loads, c.Why = false, "a later declaration of the same name replaces it"
	case r.off != "":
		c.Loads, c.Why = false, "switched off: "+r.off
	case r.broken:
		c.Loads, c.Why = false, "skips the entry: it is not of a form that hosts take"
	case r.url != nil && r.command != nil && h.urlWins:
		c.Why = "takes the address, not the command"
	case r.url != nil && r.command != nil:
		c.Why = "takes the command, not the address"
	}
	return c
}
