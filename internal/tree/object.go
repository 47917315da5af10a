package tree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxObject is the most bytes of one object that are read.
const maxObject = 256 << 20

// objects is a store of git objects by full id. A backend need not check that the
// bytes are those of the id.
type objects interface {
	// get reads an object of a bounded size: its kind (commit, tree,
	// blob or tag) and its bytes. *MissingError, ErrTooLarge.
	get(id string) (kind string, data []byte, err error)
	// size is the number of bytes of an object.
	size(id string) (int64, error)
	// prefixed are the ids that start with some hexadecimal digits.
	prefixed(prefix string) ([]string, error)
	close() error
}

// object reads an object and holds it against its id.
func (r *Repository) object(id string) (kind string, data []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.objectLocked(id)
}

func (r *Repository) objectLocked(id string) (kind string, data []byte, err error) {
	kind, data, err = r.objects.get(id)
	if err == nil && identify(kind, data, len(id)) != id {
		return "", nil, &MalformedError{id, "its bytes are those of another object"}
	}
	return kind, data, err
}

func (r *Repository) typed(id, want string) ([]byte, error) {
	kind, data, err := r.object(id)
	if err == nil && kind != want {
		return nil, &MalformedError{id, "it is no " + want}
	}
	return data, err
}

func (r *Repository) blobSize(id string) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.objects.size(id)
}

// identify computes the id of an object; digits says in which of git's two hashes.
func identify(kind string, data []byte, digits int) string {
	if digits == sha256.Size*2 {
		h := sha256.New()
		_, _ = fmt.Fprintf(h, "%s %d\x00", kind, len(data))
		_, _ = h.Write(data)
		return hex.EncodeToString(h.Sum(nil))
	}
	t, err := plumbing.ParseObjectType(kind)
	if err != nil {
		return ""
	}
	return plumbing.ComputeHash(t, data).String()
}

// isID reports whether s is a full id.
func isID(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == "" && s != ""
}

// commit is what the history and the tree need of one.
type commit struct {
	id, tree string
	parents  []string
	date     int64 // of the committer, seconds since 1970; whatever the author wrote
}

func (r *Repository) commit(id string) (commit, error) {
	data, err := r.typed(id, "commit")
	if err != nil {
		return commit{}, err
	}
	return parseCommit(id, data)
}

// parseCommit reads the header. Git reads it in this order and nowhere else: one
// tree, then the parents; a later line of these names is text.
func parseCommit(id string, data []byte) (commit, error) {
	c := commit{id: id}
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	var ok bool
	if c.tree, ok = strings.CutPrefix(lines[0], "tree "); !ok || !sameForm(c.tree, id) {
		return c, &MalformedError{id, "a commit without a tree"}
	}
	for _, line := range lines[1:] {
		parent, ok := strings.CutPrefix(line, "parent ")
		if !ok {
			break
		}
		if !sameForm(parent, id) {
			return c, &MalformedError{id, "a parent that is no id"}
		}
		c.parents = append(c.parents, parent)
	}
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "committer "); ok {
			c.date = dateOf(rest)
			break
		}
	}
	return c, nil
}

func sameForm(s, id string) bool { return isID(s) && len(s) == len(id) }

// dateOf reads "Name <mail> 1700000000 +0000"; 0 for what is no date.
func dateOf(ident string) int64 {
	fields := strings.Fields(ident[strings.LastIndexByte(ident, '>')+1:])
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// parseTag reads what an annotated tag points at.
func parseTag(id string, data []byte) (target string, err error) {
	line, _, _ := strings.Cut(string(data), "\n")
	target, ok := strings.CutPrefix(line, "object ")
	if !ok || !sameForm(target, id) {
		return "", &MalformedError{id, "a tag without an object"}
	}
	return target, nil
}

// entry is one name of a folder.
type entry struct {
	name string // one element, as git has it: maybe no UTF-8
	kind kind
	id   string
}

// kind is git's mode of an entry.
type kind uint8

const (
	plain kind = iota
	executable
	link
	folder
	submodule
)

// kinds are the modes that git writes, and 100664, which it once did.
var kinds = map[string]kind{"100644": plain, "100664": plain, "100755": executable, "120000": link, "40000": folder, "040000": folder, "160000": submodule}

// folder reads a tree object. Its entries are sorted by name.
func (r *Repository) folder(id string) ([]entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if entries, ok := r.folders[id]; ok {
		return entries, nil
	}
	kind, data, err := r.objectLocked(id)
	if err != nil {
		return nil, err
	}
	if kind != "tree" {
		return nil, &MalformedError{id, "it is no tree"}
	}
	entries, err := parseTree(id, data)
	if err != nil {
		return nil, err
	}
	if r.cached += len(entries) + 1; r.cached > maxCached {
		clear(r.folders)
		r.cached = len(entries) + 1
	}
	r.folders[id] = entries
	return entries, nil
}

// parseTree reads "MODE NAME\0ID" until the end. A name that no checkout can make,
// and one that stands there twice, leave open what the tree holds: they are errors.
func parseTree(id string, data []byte) ([]entry, error) {
	var out []entry
	width := len(id) / 2
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		k, known := kinds[mode]
		if !ok || !spaced || !known || len(rest) < width {
			return nil, &MalformedError{id, "an entry of a tree that is cut or of no known mode"}
		}
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, &MalformedError{id, "an entry of a tree that is no file name"}
		}
		out = append(out, entry{name, k, hex.EncodeToString(rest[:width])})
		data = rest[width:]
	}
	slices.SortFunc(out, byName)
	for i := 1; i < len(out); i++ {
		if out[i].name == out[i-1].name {
			return nil, &MalformedError{id, "a tree with one name twice"}
		}
	}
	return out, nil
}

func byName(a, b entry) int { return strings.Compare(a.name, b.name) }

// lookup finds one name of a folder.
func lookup(entries []entry, name string) (entry, bool) {
	i, ok := slices.BinarySearchFunc(entries, entry{name: name}, byName)
	if !ok {
		return entry{}, false
	}
	return entries[i], true
}

// peel follows tags to a commit.
func (r *Repository) peel(id string) (string, error) {
	for range maxLinks {
		kind, data, err := r.object(id)
		switch {
		case err != nil:
			return "", err
		case kind == "commit":
			return id, nil
		case kind != "tag":
			return "", &MalformedError{id, "it is no commit"}
		}
		if id, err = parseTag(id, data); err != nil {
			return "", err
		}
	}
	return "", &MalformedError{id, "a tag of tags without an end"}
}
