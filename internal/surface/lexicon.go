package surface

import (
	"slices"
	"strings"
	"sync"
)

// verb is a set of things that a word can do to its object.
type verb uint32

// The verbs. Their words are in verbs.go.
const (
	reads    verb = 1 << iota // looks at something and changes nothing
	writes                    // creates or changes
	deletes                   // takes away what was there
	replaces                  // puts something in the place of what was there
	sends                     // to people
	runs                      // starts something that is handed to it
	drives                    // acts as a hand on a mouse, keyboard or screen
	fetches                   // gets from an address
	pays                      // moves money
	computes                  // works on its input alone
	manages                   // says that more verbs follow
	uploads                   // takes something local elsewhere
	saves                     // brings something to a local place
	returns                   // introduces a result; weak, it says what comes back
	makes                     // brings forth something new, nothing said of where
)

// noun is a set of kinds that a thing can be.
type noun uint32

// The nouns. Their words are in nouns.go.
const (
	file    noun = 1 << iota // a file or folder
	repo                     // a git working tree; local unless a host is named
	local                    // another store on this machine
	remote                   // a named service, or a word that only services have
	address                  // a URL or a site
	screen                   // a browser, its pages, a desktop, a device
	command                  // something that a shell takes
	code                     // source that is evaluated
	table                    // a database and what is in it
	secret                   // passwords, keys, tokens
	environ                  // the variables of the process
	people                   // a message, comment or whatever people read
	money                    // funds and orders
	value                    // a number, text or example that is all input
	picture                  // a chart or diagram made from the input
	job                      // what a service runs by itself
	cookie                   // what a browser keeps of a login, or sends with a request
	model                    // a language or other model that answers
	thing                    // says nothing, but is as often a noun as a verb
)

// form is how a verb is inflected.
type form uint8

const (
	base  form = iota + 1 // delete
	third                 // deletes
	ing                   // deleting
)

// entry is what the lexicon holds of a word.
type entry struct {
	verb verb
	form form
	noun noun
	role role
}

// phrase is an entry of two or more words. Its noun lies on the last word and
// its verb on the first.
type phrase struct {
	words []string
	entry
}

// lexicon is what is known of words and phrases.
type lexicon struct {
	words   map[string]entry
	phrases map[string][]phrase // by first word, longest first
}

// known is the lexicon. The tables are spread out once, with every inflection,
// so that reading a text is one look-up a word, and not before a text is read.
var known = sync.OnceValue(func() lexicon {
	l := lexicon{map[string]entry{}, map[string][]phrase{}}
	for _, row := range verbTable {
		for _, w := range strings.Fields(row.words) {
			l.addVerb(w, row.verb)
		}
	}
	for _, row := range roleTable {
		for _, w := range strings.Fields(row.words) {
			e := l.words[w]
			e.role |= row.role
			l.words[w] = e
		}
	}
	for _, row := range nounTable {
		for _, w := range strings.Fields(row.words) {
			l.addNoun(strings.Split(w, "+"), row.noun)
		}
	}
	return l
})

func (l lexicon) addVerb(w string, v verb) {
	if words := strings.Split(w, "+"); len(words) > 1 {
		l.addPhrase(phrase{words, entry{verb: v, form: base}})
		return
	}
	for i, s := range []string{w, plural(w), gerund(w)} {
		e := l.words[s]
		e.verb, e.form = e.verb|v, form(i)+base
		l.words[s] = e
	}
}

func (l lexicon) addNoun(words []string, n noun) {
	last := len(words) - 1
	for _, w := range []string{words[last], plural(words[last])} {
		if last > 0 {
			l.addPhrase(phrase{append(append([]string{}, words[:last]...), w), entry{noun: n}})
			continue
		}
		e := l.words[w]
		e.noun |= n
		l.words[w] = e
	}
}

func (l lexicon) addPhrase(p phrase) {
	list := l.phrases[p.words[0]]
	for i := range list {
		if slices.Equal(list[i].words, p.words) {
			list[i].noun |= p.noun
			list[i].verb |= p.verb
			return
		}
	}
	list = append(list, p)
	for i := len(list) - 1; i > 0 && len(list[i].words) > len(list[i-1].words); i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
	l.phrases[p.words[0]] = list
}

func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "y") && !vowel(w, 2):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"), w == "go", w == "do":
		return w + "es"
	}
	return w + "s"
}

func gerund(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "ee"):
		return w[:n-1] + "ing"
	case doubled[w]:
		return w + w[n-1:] + "ing"
	}
	return w + "ing"
}

// doubled are the verbs that double their last letter.
var doubled = set("get set put run drop drag tap swap stop plan scan submit tag wrap cut log reset commit rm")

func vowel(w string, fromEnd int) bool {
	return len(w) >= fromEnd && strings.IndexByte("aeiou", w[len(w)-fromEnd]) >= 0
}

// mark looks every word up, phrases first.
func mark(words []word) {
	for i := 0; i < len(words); {
		if p, ok := phraseAt(words, i); ok {
			last := i + len(p.words) - 1
			words[i].verb, words[i].form = p.verb, p.form
			words[last].noun = p.noun
			i = last + 1
			continue
		}
		e := known().words[words[i].text]
		words[i].verb, words[i].form, words[i].noun, words[i].role = e.verb, e.form, e.noun, e.role
		if e.noun&picture != 0 {
			plain(words, i)
		}
		if words[i].glued && i > 0 && words[i-1].text == "non" {
			words[i].noun = 0 // "non-secret"
		}
		i++
	}
}

// plain takes the kinds from the words that qualify a picture: an organization
// chart shows one and does not touch it.
func plain(words []word, i int) {
	for j := i; j > 0 && j > i-3 && !words[j].opens && !words[j].breaks && words[j-1].verb == 0; j-- {
		words[j-1].noun = 0
	}
}

func phraseAt(words []word, i int) (phrase, bool) {
	for _, p := range known().phrases[words[i].text] {
		if matches(words[i:], p.words) {
			return p, true
		}
	}
	return phrase{}, false
}

func matches(words []word, want []string) bool {
	if len(words) < len(want) {
		return false
	}
	for i, w := range want {
		if words[i].text != w || i > 0 && (words[i].opens || words[i].breaks) {
			return false
		}
	}
	return true
}

// set makes a set of the words in s.
func set(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
