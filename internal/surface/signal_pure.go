package surface

// pure: nothing outside the input is read or changed. It needs evidence like
// everything else, and goes with no other capability.

func pureSignals(t *tool, b *builder) {
	if len(b.found) > 0 {
		return
	}
	for _, a := range t.actions {
		switch {
		case a.rank <= aside:
		case a.verb&computes != 0:
			b.act(Pure, a, a.rank.plain())
		case t.inputOnly(a):
			b.act(Pure, a, a.rank.plain())
		}
	}
}

// lastSignals read what only counts where nothing else was found.
func lastSignals(t *tool, b *builder) {
	if len(b.found) > 0 {
		return
	}
	if p, ok := t.localPath(); ok {
		b.takes(FSRead, p, Low, "takes a path")
	}
	for _, a := range t.actions {
		if a.rank >= second && a.verb&returns != 0 && a.objects()&(remote|people|table|job) != 0 {
			b.act(ServiceRead, a, Low)
		}
	}
}
