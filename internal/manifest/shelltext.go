package manifest

import (
	"slices"
	"strings"
)

// shellOptions stand in front of -c.
var shellOptions = newOptions("-o +o -O +O --rcfile --init-file", "--login --norc --noprofile --posix --no-config --private -l -i -e -u -x -v -r -s -f -a -n -b -h -m -p")

// shell reads a shell: with -c a text, else a script. A text that is exactly one
// simple command is read on; every other one is known to the shell alone.
func (g *grammar) shell(i int) {
	name := program(g.word(i))
	for at := i + 1; at < g.end(); {
		w := g.word(at)
		switch {
		case w == "--" || w == "-":
			at++
			continue
		case w == "--command" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.HasSuffix(w, "c"):
			g.shellText(name, at)
			return
		case len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "c"):
			g.text(at)
			return
		case !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "+"):
			g.launcher(name, "")
			g.script(at)
			return
		}
		o := g.option(at, options{shellOptions.values, shellOptions.switches, true})
		if !o.ok {
			g.text(at)
			return
		}
		at = o.next
	}
	g.plain(i)
}

// shellText reads the text behind the flag at a word.
func (g *grammar) shellText(name string, flag int) {
	at := flag + 1
	if at != g.end()-1 || g.masked(at) {
		g.text(flag)
		return
	}
	words, ok := simpleCommand(g.word(at))
	if !ok || name == "fish" {
		g.text(flag)
		return
	}
	g.replace(at, words)
	g.c.Wrappers = append(g.c.Wrappers, name)
	if at = g.assignments(flag, at); at < 0 {
		return
	}
	if g.word(at) == "exec" && at+1 < g.end() && !strings.HasPrefix(g.word(at+1), "-") {
		at++
	}
	if slices.Contains(builtins, g.word(at)) {
		g.text(flag)
		return
	}
	g.command(at)
}

// builtins and keywords do not start a program of their name.
var builtins = strings.Fields("if for while until case select function time coproc then else do done in . source eval exec cd pushd export declare local set unset trap command builtin alias read wait exit return shift type hash ulimit umask true false test echo printf kill enable")

// simpleCommand splits a text as a POSIX shell does (Shell Command Language,
// sections 2.2 and 2.3) if it is one simple command without expansions: quotes
// and backslashes are resolved, every other sign that means something to a shell
// makes it another thing.
func simpleCommand(text string) (words []string, ok bool) {
	var word strings.Builder
	open := false // a word has begun
	flush := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == ' ' || c == '\t':
			flush()
		case c == '\'':
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(text[i+1 : i+1+end])
			i, open = i+1+end, true
		case c == '"':
			part, end, closed := doubleQuoted(text, i+1)
			if !closed {
				return nil, false
			}
			word.WriteString(part)
			i, open = end, true
		case c == '\\' && i+1 < len(text) && text[i+1] != '\n':
			i++
			word.WriteByte(text[i])
			open = true
		case strings.IndexByte("\\|&;<>()$`*?[]{}!\n\r\x00", c) >= 0, !open && (c == '~' || c == '#'):
			return nil, false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	flush()
	return words, len(words) > 0 && words[0] != ""
}

// doubleQuoted reads from behind the quote to the one that ends it.
func doubleQuoted(text string, i int) (part string, end int, ok bool) {
	var b strings.Builder
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i, true
		case c == '$' || c == '`' || c == '!' || c == '\n':
			return "", 0, false
		case c == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

// powershell reads a script behind -File; every other form is a text.
func (g *grammar) powershell(i int) {
	for at := i + 1; at < g.end(); at++ {
		w := strings.ToLower(g.word(at))
		switch {
		case (w == "-file" || w == "/file" || w == "-f") && at+1 < g.end():
			g.launcher(program(g.word(i)), "")
			g.script(at + 1)
			return
		case w == "-executionpolicy" || w == "-ep" || w == "-ex" || w == "-windowstyle":
			at++
		case w == "-noprofile" || w == "-nop" || w == "-nologo" || w == "-noninteractive" || w == "-noni":
		default:
			g.text(at)
			return
		}
	}
	g.plain(i)
}
