package surface

// exec: the tool runs what it is handed, as a command or as source.

var (
	// sessions are running programs that take more input.
	sessions = set("process terminal shell tty stdin repl")
	// shells in a name are enough: such a tool exists to run something.
	shells = set("shell bash exec powershell pwsh zsh terminal eval evaluate repl subprocess cmd ssh")
	// commandParams take a command line or source.
	commandParams = set("command commands cmd commandline argv shell script code javascript js snippet expression function source program")
	// commandAbout in such a parameter's description says that it is run.
	commandAbout = set(`execute executed executes run runs evaluate evaluated eval shell bash javascript python command script
		snippet playwright`)
	running   = set("execute executed executes run runs evaluate evaluated eval")
	languages = set("shell bash javascript python playwright script")
	// notCommand in its description says that it is none: "country code".
	notCommand = set(`math mathematical arithmetic cron regex regular glob jq jmespath jsonpath search iso country currency language postal zip status verification error otp promo coupon color airport
		product subcommand format diagram chart mermaid`)
	execPhrases = [][]string{
		{"arbitrary", "command"}, {"arbitrary", "commands"}, {"arbitrary", "code"}, {"arbitrary", "javascript"},
		{"arbitrary", "python"}, {"rce"}, {"remote", "code", "execution"}, {"shell", "command"}, {"shell", "commands"},
	}
)

func execSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.verb&runs != 0 && a.runnable() && a.rank > aside {
			b.act(Exec, a, a.rank.confidence())
		}
	}
	for _, a := range t.actions {
		if a.verb&(sends|writes|drives) != 0 && a.rank >= second && sessions[a.on] && !t.remote {
			b.act(Exec, a, Medium)
		}
	}
	if i, ok := t.named(shells); ok && !t.remoteShellName(i) {
		b.add(Exec, Medium, "name", "names a shell or interpreter", t.name.raw)
	}
	for _, p := range t.params {
		if level, ok := p.runs(t); ok {
			b.takes(Exec, p, level, "takes something to execute")
		}
	}
	for _, want := range execPhrases {
		if i := t.about.saysPhrase(want, 8); i >= 0 && (t.runsSomething() || b.has(Exec)) {
			b.add(Exec, Medium, "description", "speaks of running anything", t.about.quote(i, i+len(want)-1))
		}
	}
}

// runnable reports whether the object is a command or source, and not SQL or
// a job that a service holds.
func (a action) runnable() bool {
	if a.objects()&table != 0 && a.direct&command == 0 && a.direct&code == 0 {
		return false
	}
	return a.direct&(command|code) != 0 || a.rank == naming && a.objects()&(command|code) != 0
}

func (t *tool) runsSomething() bool {
	for _, a := range t.actions {
		if a.verb&runs != 0 && a.objects()&job == 0 {
			return true
		}
	}
	return false
}

// remoteShellName holds for names in which the word is a server's own prefix
// ("ssh_list_hosts"), not what the tool does.
func (t *tool) remoteShellName(i int) bool {
	if t.name.words[i].text != "ssh" && t.name.words[i].text != "terminal" && t.name.words[i].text != "shell" {
		return false
	}
	for _, a := range t.actions {
		if a.path == "name" && a.verb&runs == 0 {
			return true
		}
	}
	return false
}

// runs reports whether the parameter holds something to execute.
func (p *param) runs(t *tool) (Confidence, bool) {
	if !commandParams[p.head()] || !p.is("string") && !p.is("array") || len(p.enum) > 0 || p.depth > 1 {
		return "", false
	}
	about := p.aboutHas(commandAbout)
	if p.aboutHas(notCommand) && !p.aboutHas(languages) {
		return "", false
	}
	switch p.head() {
	case "command", "commands", "cmd", "commandline", "argv":
		return High, true
	case "shell":
		return Medium, p.is("string") || about
	}
	if !about && !t.runsSomething() {
		return "", false
	}
	return Medium, t.runsSomething() || p.speaksOfRunning()
}

func (p *param) speaksOfRunning() bool {
	return p.aboutHas(running)
}

// aboutHas reports whether the first sentence of the description has one of
// the words.
func (p *param) aboutHas(words map[string]bool) bool {
	for _, w := range p.about.words {
		if w.sentence > 0 {
			return false
		}
		if words[w.text] {
			return true
		}
	}
	return false
}
