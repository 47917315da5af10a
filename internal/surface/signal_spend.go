package surface

// spend: money, or what is worth money, changes hands.

var (
	moving   = set("transfer transfers swap swaps bridge send sends close closes open opens")
	ordering = set("create creates place submit submits execute executes make makes transfer transfers open opens edit")
)

func spendSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.rank <= aside {
			continue
		}
		switch {
		case a.verb&pays != 0 && a.verb&reads == 0:
			b.act(Spend, a, a.rank.confidence())
		case moving[a.word] && (a.on == "tokens" || a.on == "token" || a.on == "positions" || a.on == "position"):
			b.act(Spend, a, a.rank.plain())
		case ordering[a.word] && a.direct&money != 0:
			b.act(Spend, a, a.rank.plain())
		}
	}
}
