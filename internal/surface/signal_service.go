package surface

// service.read and service.write: a fixed service or database, its address not
// the caller's choice. They are also what a verb means whose object is known
// to be nothing else.

func serviceSignals(t *tool, b *builder) {
	disk, shown := t.disk, b.has(Control)
	for _, a := range t.actions {
		if a.rank <= aside || shown || t.process(a) || disk && !a.elsewhere() && !a.goesOut() || a.verb == computes {
			continue
		}
		serviceAction(t, b, a)
	}
	for _, c := range []Capability{Send, Spend} {
		if r := b.found[c]; len(r) > 0 && !shown {
			b.add(ServiceWrite, Medium, r[0].Path, "what is sent or spent is written to a service", r[0].Quote)
		}
	}
}

// process reports whether the action is on a program of this machine.
func (t *tool) process(a action) bool {
	return (a.verb&runs != 0 && a.runnable() || a.direct&command != 0 && a.verb&(writes|deletes) != 0) && !t.remote
}

// goesOut tells whether local work goes to a host.
func (a action) goesOut() bool {
	return (a.word == "push" || a.word == "pushes") && a.on != "" || a.verb&uploads != 0 && a.direct&file != 0
}

func serviceAction(t *tool, b *builder, a action) {
	level := a.rank.plain()
	if a.objects()&(remote|people|table|job|secret|money) != 0 || t.remote {
		level = a.rank.confidence()
	}
	switch {
	case t.inputOnly(a):
	case a.asksModel():
		b.act(ServiceRead, a, level)
	case a.calls() && a.objects()&remote != 0:
		b.act(ServiceRead, a, level)
		b.act(ServiceWrite, a, level)
	case a.runsJob():
		b.act(ServiceWrite, a, level)
	case a.verb&(writes|deletes|replaces|sends) != 0 && !a.readsFirst(), a.word == "generate" && t.remote:
		b.act(ServiceWrite, a, level)
	case a.verb&reads != 0 && !b.has(Net) && !t.ownProcess():
		b.act(ServiceRead, a, level)
	}
}

// calls reports whether anything that an API offers can be asked for.
func (a action) calls() bool { return a.word == "call" || a.word == "calls" }

// asksModel reports whether a model is asked, whose answer is read.
func (a action) asksModel() bool {
	return a.objects()&model != 0 && a.verb&(runs|makes|reads|returns) != 0 && a.verb&(deletes|sends) == 0 && a.objects()&people == 0
}

// readsFirst holds for verbs that are in both rows and mostly read.
func (a action) readsFirst() bool {
	return a.verb&reads != 0 && a.verb&(deletes|sends) == 0 && (a.word != "pull" && a.word != "pulls")
}

func (a action) runsJob() bool {
	return a.verb&runs != 0 && a.objects()&job != 0 && a.objects()&(command|code|table) == 0 && a.context&remote == 0 ||
		a.verb&runs != 0 && a.direct&job != 0 && a.word != "run"
}

// inputOnly reports whether the action works on its input alone.
func (t *tool) inputOnly(a action) bool {
	near := a.objects()
	if a.rank == naming && a.direct == 0 {
		near |= t.nouns // "add" alone says less than what is said of it
	}
	kinds := value
	if a.verb&(makes|computes) != 0 {
		kinds |= picture
	}
	return near&kinds != 0 && near&(remote|people|table|secret|file|money) == 0 && !t.remote
}

// ownProcess reports whether what is read is the environment of the server.
func (t *tool) ownProcess() bool {
	return t.nouns&environ != 0 && !t.remote
}
