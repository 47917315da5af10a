package surface

// Where a tool works decides what its verbs mean: "delete" of a file is
// fs.write, of an issue service.write, of a tab control.

var (
	// pathWords name a place in a file system, when they end a parameter.
	pathWords = set(`path paths file files filename filenames filepath filepaths directory directories dir dirs folder
		folders`)
	// idOwners are the first words of identifiers that only services hand out.
	idOwners = set(`owner repo project channel guild workspace account organization org database namespace vault bucket
		zone team board mailbox issue message thread customer tenant cluster`)
	// remotePath in a path's description says that it is none of a file.
	remotePath = set(`endpoint api url rest route repository repo bucket gitlab github remote json jsonpath xpath
		vault-relative container pod http`)
)

// place is where a tool works, found once.
type place struct {
	remote bool   // at a named service
	screen bool   // on a browser, desktop or device
	disk   bool   // on files, a working tree or another store of this machine
	path   *param // the first parameter that names a place on this machine
}

// locate must run again when the actions change.
func (t *tool) locate() {
	t.place = place{remote: t.speaksToHost()}
	if !t.remote {
		t.path = t.firstPath()
	}
	t.screen = t.showsScreen()
	t.disk = t.worksOnDisk()
}

// localPath returns the first parameter that names a place on this machine.
func (t *tool) localPath() (*param, bool) { return t.path, t.path != nil }

// speaksToHost reports whether the tool speaks of a service by name, or takes
// the identifiers of one.
func (t *tool) speaksToHost() bool {
	if t.nouns&remote != 0 && t.nouns&local == 0 {
		return true
	}
	n := 0
	for _, p := range t.params {
		if p.depth > 0 || len(p.name.words) == 0 {
			continue
		}
		head, owner := p.head(), p.name.words[0].text
		switch {
		case owner == "owner" || owner == "repo":
			n++
		case len(p.name.words) > 1 && (head == "id" || head == "ids" || head == "iid" || head == "key") && idOwners[owner]:
			n += 2
		}
	}
	return n > 1
}

// hostsFiles reports whether the tool takes the identifiers of a code host,
// whose files have paths as well.
func (t *tool) hostsFiles() bool {
	for _, p := range t.params {
		if w := p.name.words; p.depth == 0 && len(w) > 0 && (w[0].text == "owner" || w[0].text == "repo" || w[0].text == "project") {
			return true
		}
	}
	return false
}

func (t *tool) firstPath() *param {
	for _, p := range t.params {
		if p.depth <= 1 && p.isPath() {
			return p
		}
	}
	return nil
}

// isPath reports whether the parameter is a path in a file system.
func (p *param) isPath() bool {
	if !pathWords[p.head()] || !p.is("string") && !p.is("array") {
		return false
	}
	for _, w := range p.about.words {
		if w.sentence == 0 && remotePath[w.text] {
			return p.about.words[0].noun&file != 0
		}
	}
	return true
}

// showsScreen reports whether the tool works on a browser, desktop or device.
func (t *tool) showsScreen() bool {
	for _, w := range t.name.words {
		if w.noun&screen != 0 {
			return true
		}
	}
	for _, a := range t.actions {
		if a.rank >= second && (a.direct&screen != 0 || a.context&screen != 0) {
			return true
		}
	}
	return false
}

// worksOnDisk reports whether the tool works on files, a working tree or another
// store of this machine.
func (t *tool) worksOnDisk() bool {
	if t.remote || t.screen {
		return false
	}
	if _, ok := t.localPath(); !ok && t.takesAddress() && t.nouns&repo == 0 {
		return false // the file lies at the address
	}
	if t.nouns&(local|repo) != 0 || t.nouns&file != 0 && !t.fileAside() {
		return true
	}
	_, ok := t.localPath()
	return ok
}

// fileAside reports whether files are only a format or a place of results in
// this tool: its verbs have other objects and none of its parameters is a path.
func (t *tool) fileAside() bool {
	if _, ok := t.localPath(); ok {
		return false
	}
	for _, a := range t.actions {
		if a.rank >= second && a.direct&file != 0 {
			return false
		}
	}
	return true
}
