package fakegithub

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// store holds commits and what they consist of.
type store interface {
	commit(id string) (Commit, bool)
	// list is everything below a tree, or the names in it, in git's order.
	list(tree string, deep bool) ([]entry, bool)
	blob(id string) ([]byte, bool)
}

// Commit is one commit. Author and Committer are addresses of mail.
type Commit struct {
	ID                string
	Parents           []string
	Author, Committer string
	Message           string
	Files             map[string]File // of the whole tree, by path

	tree string
}

// File is one file of a commit.
type File struct {
	Mode string // 100644 where empty, 100755 or 120000
	Text string // of a link: where it points
}

// entry is one name of a tree, as GitHub lists it.
type entry struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Type string `json:"type"`
	Size *int   `json:"size,omitempty"`
	SHA  string `json:"sha"`
}

// memory keeps objects by their ids, which are git's own.
type memory map[string]any

// Commit keeps a commit and returns its id. It needs a server that does not serve
// a folder, see [Server.Git].
func (s *Server) Commit(c Commit) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.store.(memory)
	c.tree = m.plant("", c.Files)
	text := "tree " + c.tree + "\n"
	for _, p := range c.Parents {
		text += "parent " + p + "\n"
	}
	text += "author <" + c.Author + "> 0 +0000\ncommitter <" + c.Committer + "> 0 +0000\n\n" + c.Message + "\n"
	c.ID = idOf("commit", []byte(text))
	m[c.ID] = c
	return c.ID
}

func idOf(kind string, data []byte) string {
	h := sha1.New()
	_, _ = fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// plant keeps the tree of the files below a folder.
func (m memory) plant(folder string, files map[string]File) string {
	names := map[string]entry{}
	for name, f := range files {
		rest, ok := strings.CutPrefix(name, folder)
		if !ok {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		if _, done := names[first]; done {
			continue
		}
		if deeper {
			names[first] = entry{Path: first, Mode: "040000", Type: "tree", SHA: m.plant(folder+first+"/", files)}
			continue
		}
		size := len(f.Text)
		id := idOf("blob", []byte(f.Text))
		m[id] = []byte(f.Text)
		if f.Mode == "" {
			f.Mode = "100644"
		}
		names[first] = entry{first, f.Mode, "blob", &size, id}
	}
	return m.keep(names)
}

// keep stores one tree; git sorts folders as if their names ended in a slash.
func (m memory) keep(names map[string]entry) string {
	var all []entry
	for _, e := range names {
		all = append(all, e)
	}
	key := func(e entry) string {
		if e.Type == "tree" {
			return e.Path + "/"
		}
		return e.Path
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(key(a), key(b)) })
	var data []byte
	for _, e := range all {
		id, _ := hex.DecodeString(e.SHA)
		data = append(fmt.Appendf(data, "%s %s\x00", strings.TrimLeft(e.Mode, "0"), e.Path), id...)
	}
	id := idOf("tree", data)
	m[id] = all
	return id
}

func (m memory) commit(id string) (Commit, bool) {
	c, ok := m[id].(Commit)
	return c, ok
}

func (m memory) blob(id string) ([]byte, bool) {
	b, ok := m[id].([]byte)
	return b, ok
}

func (m memory) list(tree string, deep bool) (out []entry, ok bool) {
	all, ok := m[tree].([]entry)
	for _, e := range all {
		out = append(out, e)
		if !deep || e.Type != "tree" {
			continue
		}
		below, _ := m.list(e.SHA, true)
		for _, b := range below {
			b.Path = path.Join(e.Path, b.Path)
			out = append(out, b)
		}
	}
	return out, ok
}
