package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// fileReader reads the servers of one parsed file.
type fileReader struct {
	d      *Dialect
	doc    document
	file   *File
	traits []trait // of the file
	off    map[string]string
}

func (r *fileReader) read() {
	root := r.doc.root
	if root.kind != object {
		r.problem(*unread(root.at, "the file holds "+root.kind.String()+", not an object", "put the servers under \""+r.d.roots[0]+"\""))
		return
	}
	if r.d.off != nil {
		r.off = r.d.off(root)
	}
	if folder := r.folder(); folder != "" {
		r.traits = append(r.traits, trait{"a file in " + folder, root.at, func(h host) answer {
			if h.unreadIn == folder {
				return refuses
			}
			return takes
		}})
	}
	maps := r.roots()
	for _, m := range maps {
		if len(r.file.Entries)+len(m.key.value.members) > MaxServers {
			r.problem(*unread(m.key.value.at, fmt.Sprintf("the file holds more than %d servers", MaxServers), "split the file"))
			break
		}
		r.servers(m)
	}
	r.report(maps)
}

// folder is the name of the folder that holds the file, where some host does not
// look into it.
func (r *fileReader) folder() string {
	parts := strings.Split(r.file.Path, "/")
	for _, h := range r.d.hosts {
		if n := len(parts); n > 1 && h.unreadIn == parts[n-2] {
			return h.unreadIn
		}
	}
	return ""
}

// rootMap is one map of servers in a file.
type rootMap struct {
	pointer string // JSON pointer of the map
	key     member // its value holds the servers
	traits  []trait
	twin    finding.Location // the other place where the same key stands, if any
	last    bool             // of these places this is the one that hosts use
}

// roots finds the maps of servers: under the dialect's own keys, under keys of
// other dialects, or the file's root itself.
func (r *fileReader) roots() []rootMap {
	var out []rootMap
	for _, m := range r.doc.root.members {
		foreign := slices.Contains(r.d.foreign, m.name)
		if !slices.Contains(r.d.roots, m.name) && !foreign || foreign && looksLikeEntry(m.value) {
			continue
		}
		found := rootMap{pointer: "/" + m.name, key: m, last: true}
		if foreign {
			found.traits = []trait{{
				fmt.Sprintf("the key %q, where %q is expected", m.name, r.d.roots[0]), m.at,
				func(h host) answer { return h.foreignRoot },
			}}
		}
		out = append(out, found)
	}
	if len(out) == 0 && !r.d.noFlat && isFlat(r.doc.root) {
		whole := member{at: r.doc.root.at, value: r.doc.root}
		return []rootMap{{key: whole, last: true, traits: []trait{{
			fmt.Sprintf("servers without %q around them", r.d.roots[0]), r.doc.root.at,
			func(h host) answer { return h.flat },
		}}}}
	}
	pairTwins(out)
	return out
}

// pairTwins lets maps under the same key know of each other.
func pairTwins(maps []rootMap) {
	seen := map[string]int{}
	for i := range maps {
		if j, ok := seen[maps[i].pointer]; ok {
			maps[i].twin, maps[j].twin = maps[j].key.at, maps[i].key.at
			maps[j].last = false
		}
		seen[maps[i].pointer] = i
	}
}

// servers reads every entry of one map.
func (r *fileReader) servers(m rootMap) {
	v := m.key.value
	switch v.kind {
	case object:
	case null:
		return
	default:
		r.problem(*unread(v.at, fmt.Sprintf("%q holds %s, not an object", m.key.name, v.kind), "write it as an object of servers"))
		return
	}
	last, count := map[string]int{}, map[string]int{}
	first := map[string]int{}
	for i, s := range v.members {
		if count[s.name]++; count[s.name] == 1 {
			first[s.name] = i
		}
		last[s.name] = i
	}
	for i, s := range v.members {
		e := r.entry(m, s)
		if count[s.name] > 1 {
			other := last[s.name]
			if other == i {
				other = first[s.name]
			}
			e.duplicate(fmt.Sprintf("the server %s", finding.Claim(s.name).Quote()), s.at, v.members[other].at, i == last[s.name])
		}
		r.file.Entries = append(r.file.Entries, e.finish())
	}
}

// entry reads one member of a map of servers.
func (r *fileReader) entry(m rootMap, s member) *entryReader {
	e := newEntryReader(r, m, s)
	if !m.twin.IsZero() {
		e.duplicate(fmt.Sprintf("the key %q around this server", m.key.name), m.key.at, m.twin, m.last)
	}
	e.read(s)
	return e
}

// report tells what is wrong with the file as a whole.
func (r *fileReader) report(maps []rootMap) {
	if len(maps) == 0 || len(maps) == 1 && maps[0].key.value.kind == null {
		r.noServers()
		return
	}
	for _, t := range r.traits {
		if f := t.notLoaded(r.d.hosts, "the file and every server in it is"); f != nil {
			f.Hint = "keep to plain JSON in UTF-8 without a byte order mark"
			if strings.HasPrefix(t.what, "a file in") {
				f.Hint = "move the file to the folder above"
			}
			r.problem(*f)
		}
	}
	for _, m := range maps {
		for _, t := range m.traits {
			r.rootTrait(t)
		}
	}
}

// rootTrait tells of a wrong or missing root key. A flat file that one host loads
// is the form of plugins, which is no fault.
func (r *fileReader) rootTrait(t trait) {
	f := t.notLoaded(r.d.hosts, "the servers are")
	if f == nil {
		return
	}
	f.Hint = fmt.Sprintf("put the servers under %q", r.d.roots[0])
	if len(t.refusing(r.d.hosts)) < len(r.d.hosts) {
		f.Rule, f.Level = "launch/flat-map", finding.Note
		*f = f.As(finding.Clean)
	}
	r.problem(*f)
}

// noServers notes a file that was read in full and declares nothing.
func (r *fileReader) noServers() {
	if r.d.noFlat {
		return
	}
	f := finding.New("launch/no-servers", finding.Note, r.doc.root.at,
		fmt.Sprintf("the file declares no server: it has no object under %q", r.d.roots[0]))
	r.problem(f)
}

func (r *fileReader) problem(f finding.Finding) { r.file.Problems = append(r.file.Problems, f) }
