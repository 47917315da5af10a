package surface

import "slices"

// hints are a tool's annotations (MCP 2025-06-18, "Tool annotations"): the
// server grading itself. They may raise an inference and never lower one.
type hints struct {
	title                                      text
	readOnly, destructive, idempotent, outside *bool
}

func readHints(v any) hints {
	m, ok := v.(map[string]any)
	if !ok {
		return hints{}
	}
	h := hints{title: readText(str(m, "title"))}
	h.readOnly, h.destructive = boolean(m["readOnlyHint"]), boolean(m["destructiveHint"])
	h.idempotent, h.outside = boolean(m["idempotentHint"]), boolean(m["openWorldHint"])
	return h
}

func boolean(v any) *bool {
	if b, ok := v.(bool); ok {
		return &b
	}
	return nil
}

// said reports whether the server gave the hint, with this value.
func said(hint *bool, value bool) bool { return hint != nil && *hint == value }

// raise lets the annotations add what the rest does not show. Several SDKs
// stamp destructiveHint on every tool that does not deny it, so it counts for
// little, and only where something is altered or nothing is known. Elsewhere
// it is a note.
func (b *builder) raise(t *tool) {
	b.raiseTitle(t)
	if !said(t.hints.destructive, true) || b.has(Destructive) {
		return
	}
	if len(b.found) == 0 || b.has(FSWrite, ServiceWrite, Exec) && !b.has(Control) && t.alters() {
		b.add(Destructive, Low, "annotations.destructiveHint", "the server calls it destructive", "destructiveHint: true")
		return
	}
	b.note("the server calls it destructive; nothing else says so")
}

// raiseTitle reads the title among the annotations. It can add an elevated
// capability; what it says of harmless ones is a server's word for itself.
func (b *builder) raiseTitle(t *tool) {
	if s := t.hints.title; len(s.words) == 0 || s.raw == t.title.raw || b.has(Pure) {
		return
	}
	titled := *t
	titled.actions = append(slices.Clone(t.actions), nameActions(t.hints.title, "annotations.title", second)...)
	for c, fs := range titled.judge().found {
		for _, f := range fs {
			if c.Elevated() {
				b.add(c, f.confidence, f.Path, f.Signal, f.Quote)
			}
		}
	}
}

// additive are verbs that leave what was there.
var additive = set(`create creates add adds append appends insert inserts move moves rename renames copy copies post posts
	send sends reply star stars pin pins subscribe follow fork forks`)

// alters reports whether the tool does more than add.
func (t *tool) alters() bool {
	for _, a := range t.actions {
		if a.rank > aside && a.verb&(writes|replaces|runs) != 0 && !additive[a.word] {
			return true
		}
	}
	return false
}

// changes are the capabilities that a read-only tool cannot have. Reading a
// secret, a page or an address of the caller's choice changes nothing.
var changes = []Capability{Exec, FSWrite, ServiceWrite, Destructive, Send, Spend}

// contradiction sets a claim against what was inferred.
func (h hints) contradiction(v Verdict) string {
	for _, inf := range v.Inferences {
		if said(h.readOnly, true) && slices.Contains(changes, inf.Capability) {
			return "the server claims readOnlyHint, the declaration suggests " + string(inf.Capability)
		}
		if said(h.destructive, false) && inf.Capability == Destructive && inf.Confidence != Low {
			return "the server claims destructiveHint false, the declaration suggests " + string(inf.Capability)
		}
	}
	return ""
}
