package surface

// rank says how much a verb's place tells of the tool.
type rank uint8

const (
	aside  rank = iota + 1 // a later sentence, or a purpose ("to read …")
	listed                 // an item of a list of operations
	second                 // joined to the first: "create or update"
	first                  // the first verb of the description
	naming                 // in the name
)

// action is a verb that says what the tool does, with what it does it to.
type action struct {
	verb    verb
	rank    rank
	direct  noun // of the words between the verb and the next preposition
	context noun // of the words after it
	head    noun // of the last word before the preposition
	on      string
	path    string
	quote   string
	word    string
}

// objects are all nouns of the action.
func (a action) objects() noun { return a.direct | a.context }

func (t *tool) readActions() {
	t.actions = nameActions(t.name, "name", naming)
	if len(t.title.words) > 0 {
		t.actions = append(t.actions, nameActions(t.title, "title", second)...)
	}
	r := clauses{t: t.about}
	t.actions = append(t.actions, r.read()...)
}

// nameActions reads an identifier: its first verb counts, unless that word is
// as often a noun ("comment_create", "post-search") and a plain verb follows.
func nameActions(t text, path string, r rank) []action {
	at := -1
	for i, w := range t.words {
		if w.verb == 0 || w.form == third && w.noun != 0 || w.role&nounFirst != 0 {
			continue
		}
		if at < 0 || t.words[at].noun != 0 && w.noun == 0 || t.words[at].verb == manages {
			at = i
		}
		if t.words[at].noun == 0 && t.words[at].verb != manages {
			break
		}
	}
	if at < 0 {
		return nil
	}
	out := []action{nameAction(t, at, path, r)}
	for i := at + 1; i+1 < len(t.words); i++ {
		if w := t.words[i].text; (w == "or" || w == "and") && t.words[i+1].verb != 0 {
			out = append(out, nameAction(t, i+1, path, r))
		}
	}
	return out
}

func nameAction(t text, at int, path string, r rank) action {
	a := action{verb: t.words[at].verb, rank: r, path: path, quote: t.raw, word: t.words[at].text}
	for i, w := range t.words {
		if i == at || w.text == "or" || w.text == "and" {
			continue
		}
		if w.role&preposition != 0 && i > at {
			break
		}
		a.direct |= w.noun
		a.head, a.on = w.noun, w.text
	}
	for i := at; i < len(t.words); i++ {
		a.context |= t.words[i].noun
	}
	return a
}

// clauses reads the verbs of a description.
type clauses struct {
	t        text
	out      []action
	sentence int
	lead     form // the form of the verb that opened the sentence
	leads    form // the form of the verb that opened the description
	intro    bool // only introduction so far
}

func (c *clauses) read() []action {
	c.sentence = -1
	for i := range c.t.words {
		w := &c.t.words[i]
		if w.sentence != c.sentence {
			c.sentence, c.intro, c.lead = w.sentence, true, 0
		}
		c.word(i)
		if w.verb == 0 && w.role&skipped == 0 && !adverb(w.text) {
			c.intro = false
		}
	}
	return c.out
}

func adverb(w string) bool { return len(w) > 4 && w[len(w)-2:] == "ly" }

// word takes word i as an action if it is a verb where a verb is expected.
func (c *clauses) word(i int) {
	w := c.t.words[i]
	if w.verb == 0 || w.glued && w.form != 0 && !c.phraseVerb(i) || w.negated {
		return
	}
	switch {
	case c.intro && c.opens(i):
		c.intro = false
		c.lead = w.form
		if c.sentence == 0 {
			c.leads = w.form
		}
		c.add(i, c.openRank(w))
	case c.joined(i):
		c.add(i, c.joinRank(i))
	case c.sentence == 0 && i > 0 && c.t.words[i-1].text == "to" && w.form == base && w.noun == 0:
		c.add(i, aside)
	}
}

// phraseVerb reports whether the hyphen lies inside the verb itself, as in
// "cherry-pick".
func (c *clauses) phraseVerb(i int) bool {
	_, ok := phraseAt(c.t.words, i)
	return ok
}

// opens decides whether a verb may open this sentence. After the first, plain
// imperatives mostly speak to the model ("List the files first"), so only the
// second sentence and list items may have them.
func (c *clauses) opens(i int) bool {
	w := c.t.words[i]
	switch {
	case w.form == third:
		return true
	case w.form == ing:
		return c.sentence == 0 && (i == 0 || c.t.words[i-1].text == "for" || c.t.words[i-1].text == "tool")
	case c.sentence == 0 || w.bullet:
		return true
	case i > 0 && !w.opens && (c.t.words[i-1].text == "can" || c.t.words[i-1].text == "will"):
		return true
	}
	return c.sentence == 1 && c.leads == base && w.opens
}

func (c *clauses) openRank(w word) rank {
	switch {
	case c.sentence == 0:
		return first
	case w.bullet:
		return listed
	}
	return aside
}

// joined decides whether a verb goes on a list of verbs that has begun. The
// forms must agree, which keeps "search for issues and commits" one verb.
func (c *clauses) joined(i int) bool {
	w := c.t.words[i]
	if c.lead == 0 || i == 0 || w.opens {
		return false
	}
	prev := c.t.words[i-1].text
	if prev == "can" || prev == "will" {
		return w.form == base
	}
	if w.noun != 0 && !c.hasObject(i) {
		return false // "filtering by path, commit or author"
	}
	agrees := w.form == c.lead || w.form == base && c.lead == third && c.sentence == 0 && w.breaks
	return agrees && (w.breaks || c.t.words[i-1].role&joins != 0 && prev != "to" || adverb(prev) && i > 1 && c.t.words[i-2].role&joins != 0)
}

// hasObject reports whether an article or the like follows, which tells the
// verb from the noun where a word can be both.
func (c *clauses) hasObject(i int) bool {
	return i+1 < len(c.t.words) && c.t.words[i+1].role&(filler|joins) == filler
}

func (c *clauses) joinRank(i int) rank {
	switch {
	case c.sentence == 0:
		return second
	case c.t.words[i].bullet:
		return listed
	}
	return aside
}

// add records the action and gathers its objects up to the next verb, or where
// none stand there, those of the verb it is joined to.
func (c *clauses) add(i int, r rank) {
	w := c.t.words[i]
	a := action{verb: w.verb, rank: r, path: "description", word: w.text}
	end := c.objects(i, &a)
	a.quote = c.t.quote(i, min(end, i+11, len(c.t.words)-1))
	c.out = append(c.out, a)
}

func (c *clauses) objects(i int, a *action) (end int) {
	words, direct := c.t.words, true
	end = i
	for j := i + 1; j < len(words) && words[j].sentence == words[i].sentence; j++ {
		w := words[j]
		if w.negated {
			continue
		}
		// "create or update a file": the object follows the last verb.
		if w.verb != 0 && w.form == words[i].form && a.on == "" && (words[j-1].role&joins != 0 || w.breaks) {
			end = j
			continue
		}
		if w.verb != 0 && w.noun == 0 && (w.breaks || words[j-1].role&joins != 0) && a.on != "" {
			break
		}
		end = j
		if w.role&preposition != 0 && !direct {
			continue
		}
		if w.role&preposition != 0 || w.breaks && a.on != "" {
			direct = false
		}
		switch {
		case !direct:
			a.context |= w.noun
		case w.role&filler == 0:
			a.direct |= w.noun
			a.head, a.on = w.noun, w.text
		}
	}
	return end
}
