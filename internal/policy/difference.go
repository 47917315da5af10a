package policy

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// Difference is one member that two policies do not share. Old and New are its
// values as JSON in the spelling of the file, times in seconds and sizes in
// bytes.
type Difference struct {
	Member string          `json:"member"`
	Old    json.RawMessage `json:"old"`
	New    json.RawMessage `json:"new"`
}

// Differences lists the members in which p is not as old, by the order of
// names.
func (p Policy) Differences(old Policy) []Difference {
	out := []Difference{}
	before := old.members()
	for i, m := range p.members() {
		if !bytes.Equal(m.Value, before[i].Value) {
			out = append(out, Difference{m.Name, before[i].Value, m.Value})
		}
	}
	return out
}

// members are the members in canonical form, sorted by name.
func (p Policy) members() []canon.Member {
	for _, list := range []*[]string{&p.AnchorBranches, &p.Approvers, &p.Deny.Capabilities, &p.Deny.Packages, &p.Deny.Hosts, &p.Publishers.Trusted, &p.Publishers.Revoked} {
		*list = append([]string{}, *list...)
	}
	p.Network.Allow = append([]Destination{}, p.Network.Allow...)
	p.Exclude, p.Plugins, p.Ignore = append([]Exclude{}, p.Exclude...), append([]Plugin{}, p.Plugins...), append([]Ignore{}, p.Ignore...)
	if p.Servers == nil {
		p.Servers = map[string]Server{}
	}
	text, err := json.Marshal(p)
	if err == nil {
		text, err = canon.Canonical(text)
	}
	members, split := canon.Members(text)
	if err != nil || split != nil {
		panic(fmt.Sprint("a policy has no JSON form: ", err, split)) // its parts are texts and whole numbers
	}
	return members
}

// GateChanged tells, as policy/gate-changed, every member in which head differs
// from the anchor's policy: whoever changes what is accepted needs a reviewer.
func GateChanged(anchor, head Policy) []finding.Finding {
	var out []finding.Finding
	for _, d := range head.Differences(anchor) {
		at, ok := head.places[d.Member]
		if !ok {
			at = finding.At(orFile(head.file), 1, 1) // the member was taken out
		}
		f := finding.New("policy/gate-changed", finding.Error, at, "the change sets "+d.Member+" of the policy otherwise than the anchor; the anchor's decides this run")
		f.Hint = "read what it would accept, then approve or reject the change"
		out = append(out, f)
	}
	return out
}

func orFile(file string) string {
	if file == "" {
		return File
	}
	return file
}
