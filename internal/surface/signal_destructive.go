package surface

// destructive: what was there is gone or replaced.

var (
	// harmless are objects whose removal loses nothing of weight.
	unassigned = set(`label labels reaction reactions assignee assignees member members highlight role roles star
		reviewer reviewers watcher watchers participant participants flag flags cache caches selection highlights`)
	losing = set("overwrite overwrites overwriting discard discards discarding purge force-delete")
	// wholly are verbs that leave nothing of what they replace.
	wholly     = set("replace replaces overwrite overwrites")
	destroying = [][]string{
		{"permanently", "delete"}, {"permanently", "deletes"}, {"cannot", "be", "undone"}, {"can", "not", "be", "undone"},
		{"overwrite", "existing"}, {"overwrites", "existing"}, {"completely", "overwrite"}, {"irreversible"},
		{"discard", "changes"}, {"discards", "changes"}, {"restore", "working", "tree"}, {"discard", "commits"},
	}
)

func destructiveSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.rank <= aside || a.verb&deletes == 0 && a.verb&replaces == 0 || b.has(Control) && a.objects()&(file|people|remote) == 0 {
			continue
		}
		if a.verb&deletes != 0 && !(unassigned[a.on] && a.softly()) {
			b.act(Destructive, a, a.rank.confidence())
		}
		if a.verb&replaces != 0 && (a.objects()&(file|repo|table|local) != 0 && !t.remote || wholly[a.word]) {
			b.act(Destructive, a, a.rank.plain())
		}
	}
	for _, p := range t.params {
		if p.is("boolean") && len(p.kinds) > 0 && p.aboutHas(losing) {
			b.takes(Destructive, p, Low, "can be told to overwrite or discard")
		}
	}
	for _, want := range destroying {
		if i := t.about.saysPhrase(want, 6); i >= 0 {
			b.add(Destructive, Medium, "description", "says that something is lost", t.about.quote(i, i+len(want)-1))
		}
	}
}

func (a action) softly() bool { return a.word == "remove" || a.word == "removes" || a.word == "clear" }
