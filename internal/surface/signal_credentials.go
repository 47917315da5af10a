package surface

import "slices"

// credentials: the tool hands out, makes or stores secrets. A parameter that
// takes one to log in with is a note, not a capability.

var (
	// secretParams take a credential.
	secretParams = set("password passwd pwd secret token apikey credential credentials passphrase pat jwt bearer authorization")
	// counted tokens are those of a language model.
	counted = set("max min num number count limit budget page next cursor continuation output input")
	// reveals in a parameter says that the tool can show what is hidden.
	reveals = set("reveal unmask decrypt returnsecret includesecrets showsecret")
)

func credentialSignals(t *tool, b *builder) {
	for _, a := range t.actions {
		if a.rank <= aside || a.verb&^(manages|returns) == 0 && a.verb&returns == 0 {
			continue
		}
		if a.verb&returns != 0 && a.rank < second {
			continue
		}
		switch {
		case a.objects()&environ != 0 && a.verb&(reads|returns) != 0:
			b.act(Credentials, a, a.rank.confidence())
		case a.direct&secret != 0 || a.rank == naming && a.objects()&secret != 0:
			b.act(Credentials, a, a.rank.confidence())
		case a.verb&runs != 0 && a.context&secret != 0 && a.rank >= first:
			b.act(Credentials, a, Medium)
		case a.objects()&cookie != 0 && a.verb&(reads|returns|saves) != 0:
			b.act(Credentials, a, a.rank.plain())
		}
	}
	if i := t.about.kind(cookie); i >= 0 && t.screen {
		b.add(Credentials, Low, "description", "shows cookies or headers, which hold logins", t.about.quote(i, i))
	}
	for _, p := range t.params {
		credentialParam(t, b, p)
	}
}

func credentialParam(t *tool, b *builder, p *param) {
	switch {
	case p.selectsSecrets() && t.moves(reads):
		b.takes(Credentials, p, Low, "secrets are among what it can read")
	case p.has(reveals):
		b.takes(Credentials, p, Medium, "can reveal what is hidden")
	case !p.is("string") || len(p.enum) > 0 || p.has(counted):
	case secretParams[p.head()], p.name.wordsHave("api", "key"), p.name.wordsHave("access", "key"), p.name.wordsHave("private", "key"):
		b.note("takes a credential: " + p.name.raw)
	}
}

// kind returns the first word of the kind, or -1.
func (t text) kind(n noun) int {
	return slices.IndexFunc(t.words, func(w word) bool { return w.noun&n != 0 })
}

// selectsSecrets reports whether secrets stand on the list of what the
// parameter can name.
func (p *param) selectsSecrets() bool {
	for _, e := range p.enum {
		if e = lower(e); e == "secret" || e == "secrets" {
			return true
		}
	}
	for i, w := range p.about.words {
		if w.text == "secrets" && !w.negated && (w.breaks || i > 0 && p.about.words[i-1].role&joins != 0) {
			return true
		}
	}
	return false
}

// wordsHave reports whether one word is directly followed by the other.
func (t text) wordsHave(a, b string) bool {
	for i := range t.words[:max(0, len(t.words)-1)] {
		if t.words[i].text == a && t.words[i+1].text == b {
			return true
		}
	}
	return false
}
