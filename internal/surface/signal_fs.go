package surface

// fs.read and fs.write: files, a git working tree, or another store of this
// machine. Files that a service holds are the service's.

var (
	// saving in the description of a path parameter says that it is written.
	saving = set(`save saved saves saving write written writes output export exported store stored destination dest dump download
		downloaded`)
	// taking says that what lies there is read.
	taking = set("upload uploaded uploading attach attachment attachments read load input source import apply drop sent send")
	// holding are parameter names that take paths without saying so.
	holding = set("attachments attachment")
)

func fileSignals(t *tool, b *builder) {
	disk := t.disk
	for _, a := range t.actions {
		if disk && a.rank > aside && !a.elsewhere() && (!a.goesOut() || a.verb&uploads != 0) {
			fileAction(b, a)
		}
	}
	if b.has(Control) {
		screenFiles(t, b)
	}
	for _, p := range t.params {
		if p.depth <= 1 {
			fileParam(t, b, p)
		}
	}
}

// elsewhere reports whether the action's own objects are not on disk.
func (a action) elsewhere() bool {
	near := a.direct | a.context
	return near&(remote|people|screen|table) != 0 && near&(file|repo|local) == 0
}

func fileAction(b *builder, a action) {
	if a.verb&fetches != 0 && a.objects()&repo != 0 && a.word != "open" {
		b.act(FSWrite, a, a.rank.plain()) // objects and refs of the remote
		return
	}
	if a.goesOut() {
		b.act(FSRead, a, a.rank.plain())
		return
	}
	if a.verb&fetches != 0 && a.verb&saves != 0 {
		b.act(FSWrite, a, a.rank.plain())
		return
	}
	if a.verb&(writes|deletes|replaces) != 0 && a.verb&reads == 0 || a.verb&(deletes) != 0 {
		b.act(FSWrite, a, a.rank.confidence())
	}
	if a.verb&(writes) != 0 && a.verb&reads != 0 && a.rank >= second {
		b.act(FSWrite, a, a.rank.plain())
	}
	if a.verb&reads != 0 && a.verb&writes == 0 && a.word != "select" && a.word != "selects" {
		b.act(FSRead, a, a.rank.confidence())
	}
}

// screenFiles reads what a browser takes from the disk or leaves there.
func screenFiles(t *tool, b *builder) {
	for _, a := range t.actions {
		switch {
		case a.rank < second || a.objects()&file == 0:
		case a.verb&uploads != 0:
			b.act(FSRead, a, a.rank.plain())
		case a.verb&saves != 0:
			b.act(FSWrite, a, a.rank.plain())
		}
	}
}

// fileParam reads a path parameter by what its description says of it.
func fileParam(t *tool, b *builder, p *param) {
	if holding[p.head()] && p.aboutNoun(file) {
		b.takes(FSRead, p, Medium, "takes files to send")
		return
	}
	if !p.isPath() || t.nouns&repo != 0 && t.disk {
		return
	}
	if t.hostsFiles() && !p.localPath() {
		return
	}
	switch {
	case p.aboutHas(saving) || p.has(saving):
		b.takes(FSWrite, p, Medium, "takes the path to write to")
	case p.aboutHas(taking) || p.has(taking) || p.localPath() && t.moves(uploads):
		b.takes(FSRead, p, Medium, "takes the path to read from")
	case p.localPath() && t.moves(saves):
		b.takes(FSWrite, p, Medium, "takes the path to write to")
	case !t.disk && !b.has(Exec) && p.aboutNoun(file) && p.head() != "folder":
		b.takes(FSRead, p, Low, "takes a path")
	}
}

// moves reports whether the tool uploads, or saves.
func (t *tool) moves(v verb) bool {
	for _, a := range t.actions {
		if a.verb&v != 0 && a.rank > aside {
			return true
		}
	}
	return false
}

// localPath reports whether the description says that the path is of this
// machine, whatever service the tool speaks to.
func (p *param) localPath() bool {
	return p.aboutHas(localWords) || p.has(localWords)
}

var localWords = set("local absolute disk locally")

func (p *param) aboutNoun(n noun) bool {
	for _, w := range p.about.words {
		if w.noun&n != 0 {
			return true
		}
	}
	return false
}
