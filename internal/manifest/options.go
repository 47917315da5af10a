package manifest

import "strings"

// options are the options that a launcher takes in front of what it runs, with
// their dashes, separated by spaces. An option that is in neither list is not
// known: nobody can tell whether the next word is its value.
type options struct {
	values   map[string]bool // they take "=VALUE" or the next word
	switches map[string]bool // they take "=VALUE" or nothing
	bundles  bool            // letters stand together, as in -it or -eNAME
}

func newOptions(values, switches string) options {
	return options{values: setOf(values), switches: setOf(switches)}
}

// option is one that was read.
type option struct {
	name  string // with its dashes, as in the lists
	value string // its value, "" where there is none
	at    int    // the word that holds the value, or the option
	next  int    // the word behind
	ok    bool   // it is known, and its value is there
}

// option reads the option at word i.
func (g *grammar) option(i int, o options) option {
	w := g.word(i)
	name, value, joined := strings.Cut(w, "=")
	switch {
	case o.values[name] && joined:
		return option{name, value, i, i + 1, true}
	case o.values[name]:
		return option{name, g.word(i + 1), min(i+1, g.end()-1), min(i+2, g.end()), i+1 < g.end()}
	case o.switches[name]:
		return option{name, value, i, i + 1, true}
	case o.bundles && len(w) > 2 && w[0] == '-' && w[1] != '-':
		return g.bundle(i, o)
	}
	return option{name: name, at: i, next: i + 1}
}

// bundle reads letters that stand together: the first that takes a value takes
// the rest, or the next word. Of the letters the last is told.
func (g *grammar) bundle(i int, o options) option {
	w := g.word(i)
	for at := 1; at < len(w); at++ {
		name := "-" + w[at:at+1]
		switch {
		case o.values[name] && at+1 < len(w):
			return option{name, strings.TrimPrefix(w[at+1:], "="), i, i + 1, true}
		case o.values[name]:
			return option{name, g.word(i + 1), min(i+1, g.end()-1), min(i+2, g.end()), i+1 < g.end()}
		case !o.switches[name]:
			return option{name: name, at: i, next: i + 1}
		}
	}
	return option{name: "-" + w[len(w)-1:], at: i, next: i + 1, ok: true}
}

// options reads options from word i and returns the first other word. ok is
// false after one that is not known; what it is has been told.
func (g *grammar) options(i int, o options, take func(option)) (next int, ok bool) {
	for i < g.end() {
		w := g.word(i)
		if w == "--" {
			return i + 1, true
		}
		if len(w) < 2 || w[0] != '-' {
			return i, true
		}
		read := g.option(i, o)
		if !read.ok {
			g.confused(i, "an option that is not known here, or lacks its value: what it is followed by may be a value or what is to run")
			return i, false
		}
		if take != nil {
			take(read)
		}
		i = read.next
	}
	return i, true
}

// negates reports whether a switch was set to false.
func (o option) negates() bool { return o.value == "false" }
