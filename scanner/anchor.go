package scanner

import (
	"bytes"
	"io/fs"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Anchor is the record that decides: a tree whose locks and declarations were
// approved. The zero Anchor is empty and approves nothing.
type Anchor struct {
	Kind   string // merge-base, base, head or none
	Commit string
	FS     fs.FS // nil for an empty anchor
	// StandIn lets the head's lock and declaration stand in for the anchor's
	// where this user sealed or approved the launch on this machine.
	StandIn bool
	// Change judges a change: what the world did under unchanged declarations is
	// told and does not count, and neither does what the change does not touch.
	Change bool
}

// past is what the anchor holds about a target of the head.
type past struct {
	lock *Lock   // with the same launch, else one that lists a place of the target
	decl *Target // declares the same launch
}

func pastOf(base Repo, t Target) past {
	p := past{lock: lockOf(t, base.Locks)}
	for i := range base.Targets {
		if b := &base.Targets[i]; len(b.Declared) > 0 && b.Understood() && !b.inactive() && b.Launch.Digest == t.Launch.Digest {
			p.decl = b
		}
	}
	return p
}

// literals names the variables whose literal value is not the anchor's: values
// are in no digest and are compared in memory, place by place. A new place may
// have the values of any that the anchor has.
func literals(old, new Target) []string {
	var out []string
	for _, e := range new.Declared {
		like := old.Declared
		if i := slices.IndexFunc(old.Declared, func(o manifest.Entry) bool { return o.Place == e.Place }); i >= 0 {
			like = old.Declared[i : i+1]
		}
		var differ []string
		for i, o := range like {
			if d := differentLiterals(o.Launch, e.Launch); i == 0 || len(d) < len(differ) {
				differ = d
			}
		}
		out = append(out, differ...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func differentLiterals(old, new manifest.Launch) []string {
	was := map[string]secret.Value{}
	for _, b := range slices.Concat(old.Env, old.Headers) {
		was[b.Name] = b.Value
	}
	var out []string
	for _, b := range slices.Concat(new.Env, new.Headers) {
		if !b.Value.Equal(was[b.Name]) {
			out = append(out, b.Name)
		}
	}
	for i, a := range new.Argv {
		if a.Secret > 0 && !a.Text.Equal(old.Argv[i].Text) {
			out = append(out, a.Label)
		}
	}
	return out
}

// untouched reports whether the change leaves a target alone: its places, its
// lock, what it launches and the code that runs.
func untouched(t Target, p past) bool {
	if p.decl == nil || !slices.Equal(p.decl.Places(), t.Places()) || len(literals(*p.decl, t)) > 0 {
		return len(t.Declared) == 0 && p.decl == nil && t.Lock != nil && p.lock != nil && bytes.Equal(p.lock.data, t.Lock.data)
	}
	switch {
	case t.Lock == nil:
		return p.lock == nil
	case p.lock == nil:
		return false
	}
	return bytes.Equal(p.lock.data, t.Lock.data)
}

// standing are the findings about declarations that stand at the anchor too, by
// a key without line numbers.
type standing map[string]bool

var digits = pattern.Of(`[0-9]+`)

func standingKey(f finding.Finding, place string) string {
	return f.Rule + "\x00" + place + "\x00" + digits.ReplaceAllString(f.Message, "#")
}

func standingOf(base Repo) standing {
	s := standing{}
	for _, f := range base.Problems {
		s[standingKey(f, f.Location.File)] = true
	}
	for _, t := range base.Targets {
		for _, e := range t.Declared {
			for _, f := range slices.Concat(e.Problems, e.Findings) {
				s[standingKey(f, e.Place)] = true
			}
		}
	}
	return s
}

// mark sets Known on the findings of an entry that stand at the anchor.
func (s standing) mark(e manifest.Entry, sameFile bool) manifest.Entry {
	for _, list := range []*[]finding.Finding{&e.Problems, &e.Findings} {
		*list = slices.Clone(*list)
		for i := range *list {
			f := &(*list)[i]
			f.Known = s[standingKey(*f, e.Place)] && (f.Outcome != finding.Undetermined || sameFile)
		}
	}
	return e
}
