package manifest

import (
	"strings"
)

// interpreter says how one program names what it runs.
type interpreterForm struct {
	known   bool
	values  map[string]bool // options with a value of their own
	inline  map[string]bool // options whose value is the code itself
	modules map[string]bool // options whose value is a module
	file    map[string]bool // options whose value is the file
	tasks   map[string]bool // first words that work on the project
}

func interpreterOf(values, inline, modules, file, tasks string) interpreterForm {
	return interpreterForm{true, setOf(values), setOf(inline), setOf(modules), setOf(file), setOf(tasks)}
}

// interpreters run a file of theirs. An option that is not known is taken to
// have no value: nothing is fetched by it.
var interpreters = func() map[string]interpreterForm {
	node := interpreterOf("-r --require --import --loader --experimental-loader -C --conditions --title --env-file --env-file-if-exists --input-type --openssl-config --icu-data-dir --watch-path --dns-result-order --tsconfig", "-e --eval -p --print -pe", "", "", "")
	python := interpreterOf("-W -X --check-hash-based-pycs", "-c", "-m", "", "")
	ruby := interpreterOf("-I -r -C -E -W -K", "-e", "", "", "")
	php := interpreterOf("-d -c -z --define --php-ini", "-r -R -B -E", "", "-f --file", "")
	java := interpreterOf("-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports", "", "-m --module", "-jar", "")
	perl := interpreterOf("-I -M", "-e -E", "", "", "")
	tsx := interpreterOf("--tsconfig -r --require --import --env-file", "-e --eval -p --print", "", "", "watch")
	return map[string]interpreterForm{
		"node": node, "nodejs": node, "tsx": tsx, "ts-node": tsx, "nodemon": tsx, "python": python, "python3": python, "pypy3": python, "py": python, "pythonw": python,
		"ruby": ruby, "php": php, "java": java, "perl": perl,
	}
}()

// interpreter reads one at word i. "node PATH/npx-cli.js" is npx, which Windows
// cannot start by its name.
func (g *grammar) interpreter(i int) {
	g.launcher(program(g.word(i)), "")
	g.interpreted(i)
	switch program(g.c.text(g.c.Script)) {
	case "npx-cli.js", "npm-cli.js":
		at := g.c.Script
		name := strings.TrimSuffix(program(g.word(at)), "-cli.js")
		g.c.Wrappers = append(g.c.Wrappers, g.c.Launcher)
		g.c.Inner, g.c.Script, g.c.Pin = at, -1, ""
		grammars[name](g, at)
	}
}

// interpreted finds what the interpreter at word i runs.
func (g *grammar) interpreted(i int) {
	form := interpreters[program(g.word(i))]
	for at := i + 1; at < g.end(); at++ {
		w := g.word(at)
		name, _, joined := strings.Cut(w, "=")
		switch {
		case w == "--" && at+1 < g.end():
			g.script(at + 1)
			return
		case form.inline[name]:
			g.c.Module, g.c.Script, g.c.Args = true, min(at+1, g.end()-1), min(at+2, g.end())
			g.pin("local")
			return
		case form.modules[name]:
			g.c.Module, g.c.Script, g.c.Args = true, min(at+1, g.end()-1), min(at+2, g.end())
			g.pin("local")
			g.bridge(g.word(at+1), at+2)
			return
		case form.file[name] && at+1 < g.end():
			g.script(at + 1)
			return
		case form.values[name] && !joined:
			at++
		case strings.HasPrefix(w, "-") && len(w) > 1:
		case form.tasks[w]:
			g.c.Module, g.c.Script, g.c.Args = true, at, at+1
			g.pin("local")
			return
		default:
			g.script(at)
			return
		}
	}
	g.bare(i)
}

// bare is an interpreter without anything to run but its options.
func (g *grammar) bare(i int) {
	if i+1 < g.end() {
		g.pin("indirect")
		return
	}
	g.pin(pathPin(g.word(i)))
}

// script is the file at a word that an interpreter runs.
func (g *grammar) script(at int) {
	g.c.Script, g.c.Args = at, at+1
	g.pin(filePin(g.word(at)))
}

var bunOptions = newOptions("--cwd -r --preload --env-file -c --config -F --filter --shell --conditions --port --install --main-fields --extension-order --tsconfig-override -d --define -l --loader", "--bun -b --silent --watch --hot --smol --no-install -i --verbose --prefer-offline --prefer-latest --if-present --inspect --no-env-file")

// bun reads "bun x PKG", "bun run FILE" and "bun FILE".
func (g *grammar) bun(i int) {
	g.launcher("bun", "")
	at, ok := g.options(i+1, bunOptions, nil)
	if !ok {
		return
	}
	switch sub := g.word(at); {
	case sub == "x":
		g.npmRunner(at+1, runnerForm{name: "bunx", options: bunxOptions})
		return
	case at >= g.end():
		g.bare(i)
		return
	case sub == "run" || sub == "exec" || sub == "test" || sub == "start" || sub == "dev" || sub == "build":
		from := at
		if at, ok = g.options(at+1, bunOptions, nil); !ok {
			return
		}
		if sub != "run" || at >= g.end() || !looksLikePath(g.word(at)) {
			g.task("bun", min(max(at, from), g.end()-1))
			return
		}
	}
	g.script(at)
}
