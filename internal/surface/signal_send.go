package surface

// send: people, or the public, get to see it. Opening an issue notifies the
// watchers of a repository; a comment notifies everyone on the thread.

func sendSignals(t *tool, b *builder) {
	if b.has(Control) || t.disk {
		return
	}
	for _, a := range t.actions {
		if a.rank <= aside {
			continue
		}
		switch {
		case telling[a.word]:
			b.act(Send, a, a.rank.plain())
		case a.verb&sends != 0 && a.verb&reads == 0 && (a.objects()&(people|remote) != 0 || a.rank == naming && a.on == ""):
			if a.head&people != 0 || a.direct == 0 || a.word == "send" || a.word == "sends" {
				b.act(Send, a, a.rank.confidence())
			}
		case t.drafts():
		case opening[a.word] && a.head&people != 0 && a.direct&(people) != 0:
			b.act(Send, a, a.rank.confidence())
		}
	}
}

var drafting = set("draft drafts template templates")

// drafts reports whether what is written is not shown yet.
func (t *tool) drafts() bool {
	_, ok := t.named(drafting)
	return ok
}

// telling are verbs whose object is always people.
var telling = set("invite invites notify notifies broadcast broadcasts tweet tweets")

// opening are verbs that make people see their object.
var opening = set("create creates add adds update updates open opens write writes submit submits edit edits make makes put")
