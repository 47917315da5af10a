package scanner

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// The events between two inventories of one file or skill.
const (
	commandAdded      = "command-added"
	commandChanged    = "command-changed"
	commandRemoved    = "command-removed"
	environmentSet    = "environment-changed"
	permissionWidened = "permission-widened"
	toolsWidened      = "tools-widened"
	selfApproval      = "auto-approval"
	scriptChanged     = "script-changed"
	textChanged       = "text-changed"
	notAnalysed       = "not-analysed"
)

// steered is one event. Old or New has no kind where there is none.
type steered struct {
	event    string
	old, new manifest.Item
	known    bool             // it stands at the anchor as it is
	of       finding.Location // of the file or skill
}

// at is where the event shows: a removal where the file is.
func (s steered) at() finding.Location {
	if s.new.Kind == "" {
		return s.of
	}
	return s.new.At
}

// item is what the event is about.
func (s steered) item() manifest.Item {
	if s.new.Kind == "" {
		return s.old
	}
	return s.new
}

// steers tells the events between two inventories; before is nil where nothing
// stood there. What is the same is never an event, wherever in the file it stands.
func steers(before *manifest.Inventory, after manifest.Inventory) []steered {
	var was []manifest.Item
	if before != nil {
		was = slices.Clone(before.Items)
	}
	var out []steered
	var fresh []manifest.Item
	for _, i := range after.Items {
		n := slices.IndexFunc(was, i.Same)
		if n >= 0 {
			was = slices.Delete(was, n, n+1)
		}
		switch {
		case n < 0:
			fresh = append(fresh, i)
		case i.Kind == manifest.ItemUnread:
			out = append(out, steered{event: notAnalysed, new: i, known: true})
		}
	}
	for _, i := range fresh {
		e := steered{new: i}
		n := slices.IndexFunc(was, func(o manifest.Item) bool { return replaces(o, i) })
		if n >= 0 {
			e.old = was[n]
			was = slices.Delete(was, n, n+1)
		}
		if e.event = eventOf(e, before); e.event != "" {
			out = append(out, e)
		}
	}
	out = append(out, lostItems(was, after)...)
	for n := range out {
		out[n].of = after.At
	}
	return out
}

// replaces reports whether one item took the place of another. Tools, permissions
// and their like are what they say and nothing else.
func replaces(o, i manifest.Item) bool {
	switch i.Kind {
	case manifest.ItemHook, manifest.ItemHelper, manifest.ItemLoad, manifest.ItemEnv, manifest.ItemScript, manifest.ItemText, manifest.ItemAsset, manifest.ItemUnread:
		return o.Kind == i.Kind && o.Group == i.Group
	}
	return false
}

// eventOf says what a new or changed item is.
func eventOf(e steered, before *manifest.Inventory) string {
	i := e.new
	switch i.Kind {
	case manifest.ItemHook, manifest.ItemHelper, manifest.ItemLoad:
		if e.old.Kind == "" {
			return commandAdded
		}
		return commandChanged
	case manifest.ItemEnv:
		return environmentSet
	case manifest.ItemPermission:
		if !covered(before, i) {
			return permissionWidened
		}
	case manifest.ItemTool:
		if !covered(before, i) {
			return toolsWidened
		}
	case manifest.ItemApproval:
		if !i.Told {
			return selfApproval
		}
	case manifest.ItemScript:
		return scriptChanged
	case manifest.ItemText:
		return textChanged
	case manifest.ItemUnread:
		return notAnalysed
	}
	return ""
}

// lostItems tells of what was there before. Of a file that was not read nothing is
// known to be gone.
func lostItems(was []manifest.Item, after manifest.Inventory) []steered {
	var out []steered
	for _, o := range was {
		switch {
		case after.Unread:
		case o.Kind == manifest.ItemHook || o.Kind == manifest.ItemHelper || o.Kind == manifest.ItemLoad:
			out = append(out, steered{event: commandRemoved, old: o})
		case o.Kind == manifest.ItemDenial && !covered(&after, o):
			out = append(out, steered{event: permissionWidened, old: o})
		}
	}
	return out
}

// covered reports whether a list already said what an item says, or more.
func covered(by *manifest.Inventory, i manifest.Item) bool {
	return by != nil && slices.ContainsFunc(by.Items, func(o manifest.Item) bool {
		return o.Kind == i.Kind && o.Group == i.Group && len(o.Text) == 1 && len(i.Text) == 1 && includes(o.Text[0], i.Text[0])
	})
}

// includes reports whether one word for tools takes in another: "Bash" has all of
// "Bash(…)", and "Bash(git:*)" has "Bash(git add:*)", but no second command behind it.
func includes(wide, narrow string) bool {
	name, args, limited := strings.Cut(wide, "(")
	other, otherArgs, otherLimited := strings.Cut(narrow, "(")
	switch {
	case wide == narrow || wide == "*":
		return true
	case name != other || !otherLimited:
		return false
	case !limited || args == "*)":
		return true
	}
	prefix, open := strings.CutSuffix(args, ":*)")
	rest, ok := strings.CutPrefix(otherArgs, prefix)
	return open && ok && rest != "" && strings.ContainsRune(" :)", rune(rest[0])) && !strings.ContainsAny(rest, ";|&$`<>\n(")
}

// inventories adds the targets of settings files and skills that make a host do
// something, and what changed in them. The commit pins them: no lock is wanted, and without a change they are
// verified.
func (sc *scan) inventories(r *finding.Report) {
	if sc.o.Only != nil && sc.o.Part == "" {
		return
	}
	list := slices.DeleteFunc(slices.Clone(sc.head.Inventories), sc.elsewhere)
	slices.SortStableFunc(list, func(a, b manifest.Inventory) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path))
	})
	for _, inv := range list {
		findings := sc.steeredBy(inv)
		r.Findings = append(r.Findings, findings...)
		if len(inv.Items) == 0 { // it was searched, and is about nothing that is judged
			continue
		}
		r.Targets = append(r.Targets, sc.inventoryTarget(inv, findings))
	}
	for _, gone := range sc.base.Inventories {
		if sc.elsewhere(gone) || slices.ContainsFunc(list, samePlace(gone)) {
			continue
		}
		none := manifest.Inventory{Kind: gone.Kind, Path: gone.Path, Name: gone.Name, At: gone.At}
		r.Findings = append(r.Findings, judge(sc.steering(none, steers(&gone, none)))...)
	}
}

// elsewhere reports whether a file lies outside the folder that a partial scan is
// about.
func (sc *scan) elsewhere(inv manifest.Inventory) bool {
	return sc.o.Part != "" && !strings.HasPrefix(inv.Path, strings.TrimSuffix(sc.o.Part, "/")+"/")
}

func samePlace(as manifest.Inventory) func(manifest.Inventory) bool {
	return func(i manifest.Inventory) bool { return i.Kind == as.Kind && i.Path == as.Path }
}

// comparable reports whether there is something to compare with. A change without an
// anchor is held against nothing, so that all of it is new.
func (sc *scan) comparable() bool { return sc.o.Anchor.FS != nil || sc.o.Anchor.Change }

func (sc *scan) steeredBy(inv manifest.Inventory) []finding.Finding {
	before := &inv
	if sc.comparable() {
		before = nil
		if n := slices.IndexFunc(sc.base.Inventories, samePlace(inv)); n >= 0 {
			before = &sc.base.Inventories[n]
		}
	}
	return judge(sc.steering(inv, steers(before, inv)))
}

func (sc *scan) steering(inv manifest.Inventory, events []steered) Subject {
	return Subject{Name: inv.Name, At: inv.At, State: compared, Cause: finding.Change, Steered: events}
}

// inventoryTarget is a settings file or skill as the report tells it.
func (sc *scan) inventoryTarget(inv manifest.Inventory, findings []finding.Finding) finding.Target {
	t := finding.Target{Name: inv.Name, Kind: inv.Kind, Location: inv.At, Places: []string{inv.Path}, Status: statuses[worst(findings)],
		Clients: []finding.Client{}, Changes: []finding.ChangeItem{}, Inventory: []finding.InventoryItem{},
		Capabilities: finding.Capabilities{Approved: []string{}, Asked: []string{}, Observed: []string{}}}
	if !sc.comparable() {
		t.Status, t.Reason = finding.NotStarted, "listed, and compared with nothing: there is no anchor"
	}
	if n := unreadItems(inv); n > 0 && t.Reason == "" {
		t.Reason = fmt.Sprintf("%d of %d parts not analysed", n, len(inv.Items))
	}
	for _, i := range inv.Items {
		t.Inventory = append(t.Inventory, finding.InventoryItem{Kind: i.Kind, Place: i.Place, Line: i.At.Line, Text: append([]string{}, i.Text...), When: i.When, Digest: i.Digest})
	}
	for _, f := range findings {
		if f.Change != nil && !f.Known {
			t.Changes = append(t.Changes, *f.Change)
		}
	}
	return t
}

// shown are the files that a reviewer has to see: declarations and settings.
func (r Repo) shown() []string {
	files := slices.Clone(r.Files)
	for _, i := range r.Inventories {
		if i.Kind == manifest.Project && !slices.Contains(files, i.Path) {
			files = append(files, i.Path)
		}
	}
	return files
}

func unreadItems(inv manifest.Inventory) int {
	n := 0
	for _, i := range inv.Items {
		if i.Kind == manifest.ItemUnread {
			n++
		}
	}
	return n
}

// take reads a settings file or skill. Where it is known which names of a work tree
// are the repository's the others are packages, copies and drafts, of which only
// settings of the whole tree count; a person's own settings never do.
func (r *Repo) take(fsys fs.FS, f manifest.Found, by tracked, ours func(string) bool) {
	known := by.tree != nil
	if (known && !f.AtRoot() || f.Local()) && !ours(f.Path) {
		return
	}
	if _, objects := fsys.(interface{ ID(string) (string, bool) }); !known && !objects {
		ours = func(string) bool { return true }
	}
	r.Inventories = append(r.Inventories, manifest.ReadInventory(fsys, f, ours))
}
