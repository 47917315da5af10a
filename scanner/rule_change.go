package scanner

import (
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/surface"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// each is the check of a rule that looks at one change at a time. tell returns
// the message, or false where the rule does not apply.
func each(tell func(Subject, lockfile.Change) (string, bool)) func(Subject, Rule) []finding.Finding {
	return func(s Subject, r Rule) []finding.Finding {
		var out []finding.Finding
		for _, c := range s.Changes {
			message, ok := tell(s, c)
			if !ok {
				continue
			}
			f := r.new(s, s.At, message)
			f.Change = changed(c, r.Level)
			if len(c.Gained) > 0 {
				f.Evidence = evidenceOf(s.item(c.Item).Raw, c.Gained)
			}
			if !s.LockAt.IsZero() && s.LockAt != s.At {
				f.Related = []finding.Location{s.LockAt}
			}
			out = append(out, f)
		}
		return out
	}
}

func changed(c lockfile.Change, l finding.Level) *finding.ChangeItem {
	return &finding.ChangeItem{Event: string(c.Event), Level: l, List: c.List, Item: c.Item, Path: c.Path,
		Old: string(c.Old), New: string(c.New), Gained: c.Gained}
}

// item returns a tool as it is now.
func (s Subject) item(name string) lockfile.Item {
	if s.New == nil {
		return lockfile.Item{}
	}
	tools := s.New.Tools() // sorted by key
	i, ok := slices.BinarySearchFunc(tools, name, func(t lockfile.Item, k string) int { return strings.Compare(t.Key, k) })
	if !ok {
		return lockfile.Item{}
	}
	return tools[i]
}

// abilities lists the capabilities of a tool as it is now.
func (s Subject) abilities(c lockfile.Change) []string {
	if c.List != "tools" {
		return nil
	}
	return s.item(c.Item).Capabilities
}

// cues are the classes of suspicious wording that the new text has and the old
// one lacks.
func (s Subject) cues(c lockfile.Change) []surface.Cue {
	key := changeKey{c.Event, c.List, c.Item, c.Path}
	if cues, ok := s.cued[key]; ok {
		return cues
	}
	cues := surface.Cues(words(c.Old), words(c.New), s.Others)
	cues = slices.DeleteFunc(cues, func(cue surface.Cue) bool {
		return cue.Class == surface.OutsideAddress && isDialect(cue.Quote)
	})
	if s.cued != nil {
		s.cued[key] = cues
	}
	return cues
}

// changeKey identifies a change of one subject.
type changeKey struct {
	event            lockfile.Event
	list, item, path string
}

// words are all texts of a value, one after the other: decoded, because an
// escape splits what a reader reads as one phrase.
func words(raw []byte) string { return strings.Join(textsIn(raw), "\n") }

// isDialect tells the address under which JSON Schema's own dialects are named;
// serializers put it into every schema.
func isDialect(address string) bool {
	return strings.HasPrefix(address, "https://json-schema.org/") || strings.HasPrefix(address, "http://json-schema.org/")
}

// alarming reports whether new wording is an error: it hides something, or it
// gives orders or addresses beside a power or a sensitive path.
func (s Subject) alarming(c lockfile.Change) bool {
	cues := s.cues(c)
	sensitive, any := false, false
	for _, cue := range cues {
		switch cue.Class {
		case surface.Concealment, surface.HiddenCharacters:
			return true
		case surface.SensitivePath:
			sensitive = true
		default:
			any = true
		}
	}
	return any && (sensitive || len(elevated(s.abilities(c))) > 0)
}
