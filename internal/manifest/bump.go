package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Bump reports whether two commands differ in nothing but the version of one
// package of a registry, and the argument that holds it. The words are as they
// may be shown.
func Bump(old, new []string) (arg int, ok bool) {
	a, b := commandOfWords(old), commandOfWords(new)
	arg = onlyDifference(a.Words, b.Words)
	if a.Why != "" || b.Why != "" || arg < 0 || len(a.Words) != len(old) || len(b.Words) != len(new) {
		return 0, false
	}
	p, head, named := a.registryPackage(arg)
	q, other, too := b.registryPackage(arg)
	return arg, named && too && p.Name == q.Name && p.Ecosystem == q.Ecosystem && head == other
}

// onlyDifference is the index of the one word that differs, or -1.
func onlyDifference(a, b []Word) int {
	at := -1
	for i := range a {
		switch {
		case len(a) != len(b):
			return -1
		case a[i].Text == b[i].Text:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// registryPackage is the one package of a registry that a word names, and what
// the word holds in front of its name, as "--package=".
func (c Command) registryPackage(word int) (p Package, head string, ok bool) {
	for _, q := range c.Packages {
		if q.Word == word {
			if p.Name != "" {
				return p, "", false
			}
			p = q
		}
	}
	if p.Source != "registry" || p.Name == "" {
		return p, "", false
	}
	head, _, _ = strings.Cut(c.Words[word].Text, p.Name)
	return p, head, true
}

func commandOfWords(words []string) Command {
	var argv []Arg
	for _, w := range words {
		argv = append(argv, Arg{Text: secret.New(w), Shown: w})
	}
	return Launch{Argv: argv}.Command()
}
