package manifest

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// parseTOML reads TOML 1.0 into nodes. Tables and dotted keys become objects,
// arrays of tables lists; keys that stand twice are kept.
func parseTOML(file string, data []byte) (document, *finding.Finding) {
	body, marked := bytes.CutPrefix(data, byteOrderMark)
	if !utf8.Valid(body) {
		return document{}, unread(finding.At(file, 1, 1), "invalid UTF-8", "save the file as UTF-8")
	}
	r := tomlReader{places: newRuler(file, body), last: finding.At(file, 1, 1)}
	r.parser.Reset(body)
	doc := document{root: node{kind: object, at: finding.At(file, 1, 1)}}
	if marked {
		doc.mark = doc.root.at
	}
	table := &doc.root
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			table = r.table(&doc.root, e, false)
		case unstable.ArrayTable:
			table = r.table(&doc.root, e, true)
		case unstable.KeyValue:
			r.keyValue(table, e, 0)
		}
		switch {
		case r.deep:
			return document{}, unread(r.last, fmt.Sprintf("nested more than %d levels deep", canon.MaxDepth), "")
		case r.keys > maxKeys:
			return document{}, unread(r.last, fmt.Sprintf("more than %d keys", maxKeys), "")
		}
	}
	if r.parser.Error() != nil {
		return document{}, unread(r.last, "not valid TOML behind this place", "correct the TOML")
	}
	return doc, nil
}

type tomlReader struct {
	parser unstable.Parser
	places *ruler
	last   finding.Location // of what was read last
	deep   bool
	keys   int // a table is looked up among all the keys beside it
}

// maxKeys is the most keys of one file, those of headers included.
const maxKeys = 20000

// at is the place of a node; one without a range of its own is where the last
// thing was.
func (r *tomlReader) at(n *unstable.Node) finding.Location {
	if n.Raw.Length > 0 {
		r.last = r.places.at(int(n.Raw.Offset))
	}
	return r.last
}

// table goes to the table that a header names, and makes what is missing.
func (r *tomlReader) table(root *node, header *unstable.Node, list bool) *node {
	at, depth := root, 0
	for it := header.Key(); it.Next(); {
		if depth++; depth > canon.MaxDepth {
			r.deep = true
			return root
		}
		at = r.child(at, it.Node(), list && it.IsLast())
	}
	return at
}

// child is the object under a key: the last of that name, the last of its list,
// or a new one. A new element of a list is begun where another is asked for.
func (r *tomlReader) child(parent *node, key *unstable.Node, another bool) *node {
	r.keys++
	name, place := string(key.Data), r.at(key)
	var found *node
	for i := range parent.members {
		if parent.members[i].name == name {
			found = &parent.members[i].value
		}
	}
	if found == nil || found.kind != object && found.kind != list {
		fresh := node{kind: object, at: place}
		if another {
			fresh.kind = list
		}
		parent.members = append(parent.members, member{name, place, fresh})
		found = &parent.members[len(parent.members)-1].value
	}
	if found.kind == object {
		return found
	}
	if another || len(found.items) == 0 || found.items[len(found.items)-1].kind != object {
		found.items = append(found.items, node{kind: object, at: place})
	}
	return &found.items[len(found.items)-1]
}

func (r *tomlReader) keyValue(table *node, e *unstable.Node, depth int) {
	at := table
	for it := e.Key(); it.Next(); {
		if depth++; depth > canon.MaxDepth {
			r.deep = true
			return
		}
		if !it.IsLast() {
			at = r.child(at, it.Node(), false)
			continue
		}
		r.keys++
		m := member{name: string(it.Node().Data), at: r.at(it.Node())}
		m.value = r.value(e.Value(), depth)
		at.members = append(at.members, m)
	}
}

func (r *tomlReader) value(v *unstable.Node, depth int) node {
	n := node{at: r.at(v), text: string(v.Data)}
	if depth > canon.MaxDepth {
		r.deep = true
		return n
	}
	switch v.Kind {
	case unstable.Array:
		n.kind, n.text = list, ""
		for it := v.Children(); it.Next(); {
			if it.Node().Kind != unstable.Comment {
				n.items = append(n.items, r.value(it.Node(), depth+1))
			}
		}
	case unstable.InlineTable:
		n.kind, n.text = object, ""
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue {
				r.keyValue(&n, it.Node(), depth+1)
			}
		}
	case unstable.String:
		n.kind = text
		n.plain = int(v.Raw.Length) == len(v.Data)+2
	case unstable.Bool:
		n.kind = boolean
	case unstable.Integer, unstable.Float:
		n.kind = number
	default: // dates and times
		n.kind = text
	}
	return n
}
