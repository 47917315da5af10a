package inspect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/surface"
)

// lists is one reading of all four.
type lists map[surface.Kind]surface.List

// readings is how often everything is read at most.
const readings = 3

// readStable reads everything twice. Where the two differ and the server said
// meanwhile that a list changed, it reads once more: it may still have been
// starting. The last two must agree.
func (s *session) readStable(h hello, to *surface.Surface) *failure {
	before := s.changed
	var last lists
	for range readings {
		now, f := s.readLists(h)
		to.Lists = now
		switch {
		case f != nil && f.fatal:
			if last != nil {
				to.Lists = last // for display: the earlier reading was whole
			}
			return f
		case last != nil && last.equal(now):
			return f
		case last != nil && s.changed == before:
			return unstable
		}
		last = now
	}
	return unstable
}

var unstable = &failure{reason: Unstable, detail: "two readings in one session gave different lists"}

// equal compares states and digests. What was read of a list that could not be
// read in full says nothing about stability; why it could not does.
func (l lists) equal(other lists) bool {
	for _, k := range surface.Kinds {
		a, b := l[k], other[k]
		same := a.State == surface.Unread || slices.EqualFunc(a.Items, b.Items, sameDigest)
		if a.State != b.State || a.Why != b.Why || !same {
			return false
		}
	}
	return true
}

func sameDigest(a, b surface.Item) bool { return a.Digest == b.Digest }

// readLists reads the lists that the server declares. It returns the first
// failure; one that ends the session leaves the lists after it unread.
func (s *session) readLists(h hello) (lists, *failure) {
	out := lists{}
	var first *failure
	for _, k := range surface.Kinds {
		switch {
		case !h.declared[capability(k)]:
			out[k] = surface.List{State: surface.Undeclared}
			continue
		case first != nil && first.fatal:
			out[k] = surface.List{Why: "not asked for: the session had ended"}
			continue
		}
		list, f := s.readList(k)
		out[k] = list
		if f != nil && (first == nil || f.fatal) {
			f.stage = s.stage
			first = f
		}
	}
	return out, first
}

// capability is the member of the server's capabilities that declares a list.
func capability(k surface.Kind) string {
	if k == surface.Templates {
		return string(surface.Resources)
	}
	return string(k)
}

// readList reads every page of one list. Items that can be read are returned
// even where the list as a whole cannot.
func (s *session) readList(k surface.Kind) (surface.List, *failure) {
	raws, state, f := s.pages(k)
	items, unreadable := s.understand(k, raws)
	if f == nil {
		f = unreadable
	}
	if f != nil {
		return surface.List{Items: items, Why: f.detail}, f
	}
	return surface.List{State: state, Items: items}, nil
}

// pages follows the cursors. An absent cursor ends a list, as does null; an
// empty text is a cursor like any other.
func (s *session) pages(k surface.Kind) (items []json.RawMessage, state surface.State, f *failure) {
	var p params
	seen := map[string]bool{}
	for n := 1; n <= s.limits.Pages; n++ {
		m, f := s.ask(listMethod(k), p, s.limits.Page)
		if f != nil {
			return items, surface.Unread, f
		}
		if m.fault != nil {
			return notServed(k, n, items, m.fault)
		}
		now, next, f := readPage(k, m.result)
		items = append(items, now...)
		switch {
		case f != nil:
			return items, surface.Unread, f
		case len(items) > s.limits.Items:
			return nil, surface.Unread, local(Limit, "more than %d items", s.limits.Items)
		case next == nil:
			return items, surface.Read, nil
		case seen[*next]:
			return items, surface.Unread, local(Protocol, "page %d has the cursor of an earlier one", n)
		}
		seen[*next] = true
		p.Cursor = next
	}
	return items, surface.Unread, local(Limit, "more than %d pages", s.limits.Pages)
}

// notServed reads an error in place of a page. "Method not found" on a first
// page is a list that is declared and not served; for templates it is usual and
// harmless (6 of 84 measured sessions).
func notServed(k surface.Kind, page int, items []json.RawMessage, e *fault) ([]json.RawMessage, surface.State, *failure) {
	switch {
	case e.code != methodNotFound || page > 1:
		f := local(ErrorAnswer, "page %d was answered with error %d", page, e.code)
		f.answer = e.message
		return items, surface.Unread, f
	case k == surface.Templates:
		return nil, surface.Undeclared, nil
	}
	return nil, surface.Unserved, nil
}

// readPage reads a list result; next is nil on the last page.
func readPage(k surface.Kind, result json.RawMessage) (items []json.RawMessage, next *string, f *failure) {
	by, err := object(result)
	if err != nil {
		return nil, nil, local(Protocol, "a page is no object with distinct members")
	}
	if raw := by["resultType"]; raw != nil && string(raw) != `"complete"` {
		return nil, nil, local(Protocol, "a page asks for input instead of listing")
	}
	if by[string(k)] == nil {
		return nil, nil, local(Protocol, "a page has no %s", k)
	}
	items, err = canon.Elements(by[string(k)])
	if err != nil {
		return nil, nil, local(Protocol, "the %s of a page are no array", k)
	}
	if raw := by["nextCursor"]; raw != nil && json.Unmarshal(raw, &next) != nil {
		return items, nil, local(Protocol, "a page has a cursor that is no text")
	}
	return items, next, nil
}

// understand makes items of what was read, sorted. The failure names the first
// that cannot be read, or two that cannot be told apart.
func (s *session) understand(k surface.Kind, raws []json.RawMessage) (items []surface.Item, f *failure) {
	for i, raw := range raws {
		item, err := s.item(k, raw)
		switch {
		case err == nil:
			items = append(items, item)
		case f == nil:
			f = local(Unreadable, "%s %d%s: %s", noun(k), i+1, called(k, raw), reason(err))
		}
	}
	slices.SortFunc(items, func(a, b surface.Item) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Digest, b.Digest))
	})
	for i := range items {
		if i > 0 && items[i].Key == items[i-1].Key && f == nil {
			f = local(Unreadable, "two %ss have the %s %s", noun(k), k.Key(), finding.Claim(items[i].Key).Quote())
		}
	}
	return items, f
}

// item reads one; equal bytes, as in the second reading, are read once.
func (s *session) item(k surface.Kind, raw json.RawMessage) (surface.Item, error) {
	if item, ok := s.items[k][string(raw)]; ok {
		return item, nil
	}
	item, err := surface.NewItem(k, s.slot.Neutral(raw))
	if err == nil && strings.TrimSpace(item.Key) == "" {
		err = fmt.Errorf("its %s is blank", k.Key())
	}
	if err != nil {
		return surface.Item{}, err
	}
	if s.items[k] == nil {
		s.items[k] = map[string]surface.Item{}
	}
	s.items[k][string(raw)] = item
	return item, nil
}

func noun(k surface.Kind) string {
	if k == surface.Templates {
		return "resource template"
	}
	return strings.TrimSuffix(string(k), "s")
}

// called is the name of an item that could not be read, where it has one.
func called(k surface.Kind, raw json.RawMessage) string {
	var members map[string]json.RawMessage // not object: the item may be unreadable for a duplicate
	if json.Unmarshal(raw, &members) != nil {
		return ""
	}
	key, ok := text(members[k.Key()])
	if !ok || key == "" {
		return ""
	}
	return " (" + finding.Claim(key).Quote() + ")"
}

func reason(err error) string {
	var e *canon.Error
	if errors.As(err, &e) {
		return where(e)
	}
	return err.Error()
}
