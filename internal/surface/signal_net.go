package surface

// net: the tool goes to an address that the caller chooses.

var (
	// notTarget in a parameter's description says that the address is kept or
	// matched and not gone to.
	notTarget = set(`website filter filtering pattern associated store stored homepage avatar icon logo thumbnail image
		callback redirect save match matching custom external badge mapping autofill exclude include only restrict`)
)

// bringing are verbs that get their object from where the address points.
var bringing = set("install installs import imports")

func netSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.verb&fetches != 0 && a.rank >= second && a.objects()&address != 0 && t.takesAddress() {
			b.act(Net, a, a.rank.confidence())
		}
	}
	for _, p := range t.params {
		if level, ok := t.target(p, b); ok {
			b.takes(Net, p, level, "takes the address to go to")
		}
	}
}

func (t *tool) takesAddress() bool {
	for _, p := range t.params {
		if p.isAddress() {
			return true
		}
	}
	return false
}

// isAddress reports whether the parameter is a URL by name or format.
func (p *param) isAddress() bool {
	for i, w := range p.about.words {
		if i < 4 && w.sentence == 0 && !w.glued && (w.text == "url" || w.text == "uri") && p.is("string") && p.depth == 0 {
			return true
		}
	}
	return p.format == "uri" || p.format == "url" || p.format == "iri" || p.head() != "" && (p.head() == "url" || p.head() == "urls" || p.head() == "uri")
}

// target reports whether the tool goes to the parameter's address. A write to
// a service that has a URL among its fields keeps it; anything that fetches,
// or has no other purpose, goes there.
func (t *tool) target(p *param, b *builder) (Confidence, bool) {
	if !p.isAddress() || p.aboutHas(notTarget) || len(p.enum) > 0 {
		return "", false
	}
	goes, keeps := false, false
	for _, a := range t.actions {
		goes = goes || a.verb&(makes|runs) != 0 && a.direct&address != 0
		goes = goes || bringing[a.word] && a.rank >= first
		goes = goes || a.verb&fetches != 0 && a.rank > listed && a.objects()&(people|secret) == 0
		keeps = keeps || a.verb&(writes|deletes|sends) != 0 && a.verb&(fetches|makes) == 0 && a.rank >= second
	}
	switch {
	case goes && p.depth <= 1:
		return High, true
	case b.has(Control) && p.depth == 0:
		return Medium, true
	case !keeps && !t.remote:
		return Medium, true
	}
	return "", false
}
