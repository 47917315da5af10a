package policy

import (
	"maps"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
)

// input is a member that an input of the action may tighten.
type input struct {
	name  string
	words []string // the strictest first
	value func(*Policy) uint8
	set   func(*Policy, uint8)
}

var inputs = []input{
	{"start", startWords, func(p *Policy) uint8 { return uint8(p.Start) }, func(p *Policy, v uint8) { p.Start = Start(v) }},
	{"fail-on", failOnWords, func(p *Policy) uint8 { return uint8(p.FailOn) }, func(p *Policy, v uint8) { p.FailOn = FailOn(v) }},
	{"fail-scope", scopeWords, func(p *Policy) uint8 { return uint8(p.FailScope) }, func(p *Policy, v uint8) { p.FailScope = Scope(v) }},
	{"approval", approvalWords, func(p *Policy) uint8 { return uint8(p.Approval) }, func(p *Policy, v uint8) { p.Approval = Approval(v) }},
	{"bumps", bumpsWords, func(p *Policy) uint8 { return uint8(p.Bumps) }, func(p *Policy, v uint8) { p.Bumps = Bumps(v) }},
	{"require-pin", pinWords, func(p *Policy) uint8 { return uint8(p.RequirePin) }, func(p *Policy, v uint8) { p.RequirePin = Pin(v) }},
}

// Tighten applies inputs of the action, by the names of members, to the
// anchor's policy. Inputs are text that a change brings along, so one that would
// loosen is left out and told as policy/input-ignored; an empty one says
// nothing. An unknown name or value is policy/invalid, and breaks the policy.
func Tighten(base Policy, given map[string]string) (Policy, []finding.Finding) {
	var found []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] == "" {
			continue
		}
		if f := base.tighten(name, given[name]); f != nil {
			found = append(found, *f)
			base.sound = base.sound && f.Rule != "policy/invalid"
		}
	}
	if base.Broken() {
		base = base.restricted()
	}
	return base, found
}

func (p *Policy) tighten(name, word string) *finding.Finding {
	at := finding.Argument(name)
	k := slices.IndexFunc(inputs, func(i input) bool { return i.name == name })
	if k < 0 {
		f := invalid(at, "an input that tightens no member", "allowed: "+oneOf(inputNames()))
		return &f
	}
	in := inputs[k]
	v := slices.Index(in.words, word)
	if v < 0 {
		f := invalid(at, "the input "+name+" has a value that it does not know", "allowed: "+oneOf(in.words))
		return &f
	}
	if uint8(v) > in.value(p) {
		f := finding.New("policy/input-ignored", finding.Note, at, "the input "+name+" would loosen the policy and is left out")
		f.Hint = "change the policy instead"
		return &f
	}
	in.set(p, uint8(v))
	return nil
}

func inputNames() []string {
	out := make([]string, len(inputs))
	for i, in := range inputs {
		out[i] = in.name
	}
	return out
}
