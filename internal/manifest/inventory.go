package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// The kinds of files whose whole content steers an agent.
const (
	Project = "project" // settings of a host that a repository carries
	Skill   = "skill"   // a SKILL.md (agentskills.io) and the files beside it
)

// The kinds of an inventory's items.
const (
	ItemHook       = "hook"          // run by the host at an event
	ItemHelper     = "helper"        // run by the host for a purpose of its own
	ItemLoad       = "skill-command" // run when a skill is loaded
	ItemEnv        = "environment"   // a variable that steers code or routes
	ItemPermission = "permission"    // something that is done unasked
	ItemDenial     = "denial"        // something that is forbidden, or asked about
	ItemApproval   = "approval"      // servers that start unasked
	ItemTool       = "allowed-tool"  // a tool that a skill uses unasked
	ItemText       = "skill"         // text that a model follows
	ItemScript     = "script"        // code beside a skill
	ItemAsset      = "asset"         // other content beside a skill
	ItemUnread     = "not-analysed"  // what could not be looked into, and why
)

// Item is one thing that a file makes a host do or forbear.
type Item struct {
	Kind   string
	Place  string           // the file, perhaps with a JSON pointer behind "#"
	At     finding.Location // of the item
	Group  string           // items of one kind and group are versions of each other
	Text   []string         // foreign text, without its secret parts
	When   string           // when it runs or counts; holds quoted foreign text
	Digest string           // "sha256:" and hex, of what stands there without secret parts
	// Told says that another reader tells of it: it is listed and never a change.
	Told bool
	raw  secret.Value
}

// Same reports whether two items say the same, their secret parts included.
func (i Item) Same(o Item) bool {
	return i.Kind == o.Kind && i.Group == o.Group && i.Digest == o.Digest && i.raw.Equal(o.raw)
}

// Inventory is everything that one settings file or skill makes a host do, sorted
// by kind and place. Nothing of it is ever run.
type Inventory struct {
	Kind   string // Project or Skill
	Path   string
	Name   string // a skill's own name, else the path
	At     finding.Location
	Items  []Item
	Unread bool // the file itself was not read: what it holds is not known
}

// ReadInventory reads one found settings file or skill, never failing: what was not
// analysed is an item. ours tells files of the repository from what was put beside
// them.
func ReadInventory(fsys fs.FS, f Found, ours func(name string) bool) Inventory {
	inv := &Inventory{Kind: f.Steers, Path: f.Path, Name: f.Path, At: finding.At(f.Path, 1, 1)}
	data, problem := load(fsys, f.Path)
	switch {
	case problem != nil:
		inv.unreadAll(*problem, []byte(identity(fsys, f.Path)))
	case f.Steers == Skill:
		inv.skill(data)
	default:
		inv.settings(data)
	}
	if f.Steers == Skill && sameName(path.Base(f.Path), skillFile) {
		inv.beside(fsys, ours)
	}
	slices.SortStableFunc(inv.Items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return *inv
}

// maxItems is the most items of one inventory.
const maxItems = 2000

// add lists an item. content is all that makes it what it is; how its lines end is no
// part of that, because git may end them otherwise in a work tree.
func (inv *Inventory) add(i Item, content string) {
	if len(inv.Items) >= maxItems {
		if len(inv.Items) == maxItems {
			inv.Items = append(inv.Items, unreadItem(inv.Path, "", inv.At, "more items than are listed of one file"))
			inv.Unread = true
		}
		return
	}
	for n, line := range i.Text {
		i.Text[n], _ = secret.Mask(line)
	}
	content = strings.ReplaceAll(content, "\r\n", "\n")
	i.Digest, i.raw = digestOf(guarded(i, content)), secret.New(content)
	inv.Items = append(inv.Items, i)
}

// guarded is what of a content may be in a digest: a short secret could be guessed
// from one. The digest of a whole file says no more than git's own id of it.
func guarded(i Item, content string) string {
	if i.Kind == ItemText || i.Kind == ItemScript || i.Kind == ItemAsset || i.Kind == ItemUnread && !strings.Contains(i.Place, "#") {
		return content
	}
	if len(content) > secret.MaxText { // Mask leaves such a text out as a whole
		return content
	}
	shown, _ := secret.Mask(content)
	return shown
}

func digestOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// unreadAll notes that the file as a whole was not read.
func (inv *Inventory) unreadAll(problem finding.Finding, data []byte) {
	inv.Unread = true
	i := unreadItem(inv.Path, "", problem.Location, strings.TrimPrefix(problem.Message, "not read: "))
	inv.add(i, i.Text[0]+"\x00"+string(data))
}

// unread notes a part that was not understood.
func (inv *Inventory) unread(pointer string, at finding.Location, why, content string) {
	i := unreadItem(inv.Path, pointer, at, why)
	inv.add(i, why+"\x00"+content)
}

func unreadItem(path, pointer string, at finding.Location, why string) Item {
	return Item{Kind: ItemUnread, Place: placeOf(path, pointer), At: at, Group: path + pointer, Text: []string{why}, Digest: digestOf(why)}
}

func placeOf(path, pointer string) string {
	if pointer == "" {
		return path
	}
	return path + "#" + pointer
}

// maxIdentity is the most bytes that are hashed of a file that is not read.
const maxIdentity = 256 << 20

// identity tells contents apart that are not read: by the id that git gives them, else
// by where a link leads or by a digest.
func identity(fsys fs.FS, name string) string {
	if objects, ok := fsys.(interface{ ID(string) (string, bool) }); ok {
		if info, err := fs.Lstat(fsys, name); err == nil && info.Mode()&fs.ModeIrregular != 0 {
			id, _ := objects.ID(name)
			return id
		}
	}
	info, err := fs.Stat(fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return target(fsys, name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxIdentity)); err != nil {
		return ""
	}
	return fmt.Sprintf("%d %x", info.Size(), sum.Sum(nil))
}

// under adds a name to a JSON pointer (RFC 6901).
func under(pointer, name string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// settings reads a file with the reader that its path names.
func (inv *Inventory) settings(data []byte) {
	s, _ := hostFileOf(inv.Path)
	if s == nil || len(strings.TrimSpace(string(data))) == 0 {
		return
	}
	doc, problem := s.parse(inv.Path, data)
	if problem == nil && doc.root.kind != object {
		problem = unread(doc.root.at, "the file holds "+doc.root.kind.String()+", not an object", "")
	}
	if problem != nil {
		inv.unreadAll(*problem, data)
		return
	}
	s.read(inv, doc.root)
}

// canonical writes a value so that neither the order of its members nor white
// space matters. Members of the value itself that skip names are left out.
func canonical(n node, skip func(name string) bool) string {
	var b strings.Builder
	write(&b, n, skip)
	return b.String()
}

func write(b *strings.Builder, n node, skip func(string) bool) {
	b.WriteString(n.kind.String() + "\x00")
	switch n.kind {
	case object:
		members := slices.DeleteFunc(slices.Clone(n.members), func(m member) bool { return skip != nil && skip(m.name) })
		slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
		for _, m := range members {
			b.WriteString(m.name + "\x00")
			write(b, m.value, nil)
		}
	case list:
		for _, i := range n.items {
			write(b, i, nil)
		}
	default:
		b.WriteString(n.text)
	}
	b.WriteString("\x01")
}
