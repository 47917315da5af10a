package surface

import (
	"encoding/json"
	"sort"
)

// Classify infers what a tool can do from its declaration: name, title,
// description, input schema and annotations. It is a reading of words, not a
// proof: a server that lies well is not found out, which is why no evidence is
// unknown and never harmless.
//
// raw is the tool object of tools/list. Members of another type than the
// protocol gives them are read as absent. Equal objects give equal verdicts,
// whatever the order of their members.
func Classify(raw json.RawMessage) Verdict {
	t := readTool(raw)
	b := t.judge()
	b.raise(&t)
	return b.verdict(&t)
}

func (t *tool) judge() *builder {
	t.locate()
	b := &builder{}
	for _, s := range signals {
		s(t, b)
	}
	return b
}

// signals are asked in this order. A later one may read what earlier ones
// found, but none takes anything back.
var signals = []func(*tool, *builder){
	execSignals,
	credentialSignals,
	controlSignals,
	netSignals,
	fileSignals,
	tableSignals,
	spendSignals,
	sendSignals,
	destructiveSignals,
	serviceSignals,
	pureSignals,
	lastSignals,
}

// builder gathers evidence.
type builder struct {
	found map[Capability][]reason
	notes []string
}

// reason is one piece of evidence with its own weight.
type reason struct {
	Evidence
	confidence Confidence
}

func (b *builder) add(c Capability, level Confidence, path, signal, quote string) {
	if b.found == nil {
		b.found = map[Capability][]reason{}
	}
	for _, f := range b.found[c] {
		if f.Path == path && f.Signal == signal {
			return
		}
	}
	b.found[c] = append(b.found[c], reason{Evidence{path, signal, clip(quote)}, level})
}

// act adds what an action says.
func (b *builder) act(c Capability, a action, level Confidence) {
	b.add(c, level, a.path, "does: "+a.word, a.quote)
}

// takes adds what a parameter says.
func (b *builder) takes(c Capability, p *param, level Confidence, signal string) {
	quote := p.name.raw
	if p.about.raw != "" {
		quote += ": " + p.about.raw
	}
	b.add(c, level, p.path, signal, quote)
}

func (b *builder) has(cs ...Capability) bool {
	for _, c := range cs {
		if len(b.found[c]) > 0 {
			return true
		}
	}
	return false
}

func (b *builder) note(n string) {
	for _, have := range b.notes {
		if have == n {
			return
		}
	}
	b.notes = append(b.notes, n)
}

func (b *builder) verdict(t *tool) Verdict {
	v := Verdict{Notes: b.notes}
	for c, fs := range b.found {
		v.Inferences = append(v.Inferences, infer(c, fs))
	}
	sort.Slice(v.Inferences, func(i, j int) bool { return v.Inferences[i].Capability < v.Inferences[j].Capability })
	v.Contradiction = t.hints.contradiction(v)
	return v
}

// maxEvidence is how many reasons are kept for one capability, best first.
const maxEvidence = 4

// infer sorts the reasons. Two of medium weight from different places make a
// high one.
func infer(c Capability, fs []reason) Inference {
	sort.SliceStable(fs, func(i, j int) bool { return weight(fs[i].confidence) > weight(fs[j].confidence) })
	inf := Inference{Capability: c, Confidence: fs[0].confidence}
	for _, f := range fs[1:] {
		if fs[0].confidence == Medium && f.confidence == Medium && f.Path != fs[0].Path {
			inf.Confidence = High
		}
	}
	if inf.Confidence == High && !supported(fs) {
		inf.Confidence = Medium
	}
	for _, f := range fs[:min(len(fs), maxEvidence)] {
		inf.Evidence = append(inf.Evidence, f.Evidence)
	}
	return inf
}

// supported reports whether more than the name speaks for it. A name alone is
// a weak word: get_secret_scanning_alert hands out no secret.
func supported(fs []reason) bool {
	for _, f := range fs {
		if f.Path != "name" {
			return true
		}
	}
	return false
}

func weight(c Confidence) int {
	switch c {
	case High:
		return 3
	case Medium:
		return 2
	}
	return 1
}

// maxQuote bounds a quote in characters; renderers escape and cut once more.
const maxQuote = 120

func clip(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxQuote {
			return s[:i] + "…"
		}
	}
	return s
}

// confidence is what an action of the rank is worth.
func (r rank) confidence() Confidence {
	switch r {
	case naming, first:
		return High
	case second, listed:
		return Medium
	}
	return Low
}

// plain is the confidence lowered by one step, for objects that were guessed.
func (r rank) plain() Confidence {
	if r.confidence() == High {
		return Medium
	}
	return Low
}
