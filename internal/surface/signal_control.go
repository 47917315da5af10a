package surface

// control: the tool acts as a hand on a browser, a desktop or a device.

// pageParams are identifiers that browser and device drivers use; those of
// driverParams are used by nothing else.
var (
	pageParams   = set("pageid uid elementid selector coordinate xpath ref")
	driverParams = set("pageidx udid tabid tabindex")
)

func controlSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.rank < second {
			continue
		}
		switch {
		case a.verb&drives != 0 && (a.objects()&screen != 0 || t.driver(a)):
			b.act(Control, a, a.rank.confidence())
		case a.objects()&screen != 0 && a.objects()&remote == 0:
			b.act(Control, a, a.rank.plain())
		}
	}
	for i, w := range t.name.words {
		if w.noun&screen != 0 && t.nouns&remote == 0 {
			b.add(Control, Medium, "name", "names a browser, desktop or device", t.name.quote(i, i))
			break
		}
	}
	if b.has(Control) {
		return
	}
	for _, p := range t.params {
		id := p.name.joined()
		if p.depth == 0 && (driverParams[id] || t.all&screen != 0 && pageParams[id]) {
			b.takes(Control, p, Medium, "addresses a page, element or device")
		}
	}
}

// driver reports whether the verb alone tells: nothing else is clicked or
// hovered over.
func (t *tool) driver(a action) bool {
	switch a.word {
	case "click", "clicks", "tap", "taps", "swipe", "swipes", "hover", "hovers", "scroll", "scrolls", "mouse",
		"navigate", "navigates", "goto", "press", "presses", "drag", "drags", "emulate", "emulates", "pinch":
		return a.objects()&(remote|people) == 0
	}
	return false
}

// joined is the name without what separates its words.
func (t text) joined() string {
	s := ""
	for _, w := range t.words {
		s += w.text
	}
	return s
}
