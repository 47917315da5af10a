package manifest

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// parseYAML reads the first document of a YAML text into nodes. An alias is
// read as null, so that no text can grow by naming itself; keys that stand twice
// are kept.
func parseYAML(file string, data []byte) (document, *finding.Finding) {
	body, marked := bytes.CutPrefix(data, byteOrderMark)
	start := finding.At(file, 1, 1)
	if !utf8.Valid(body) {
		return document{}, unread(start, "invalid UTF-8", "save the file as UTF-8")
	}
	var tree yaml.Node
	if err := yaml.Unmarshal(body, &tree); err != nil {
		return document{}, unread(start, "not valid YAML", "correct the YAML")
	}
	doc := document{root: node{at: start}}
	if marked {
		doc.mark = start
	}
	if len(tree.Content) == 0 {
		return doc, nil
	}
	r := yamlReader{file: file, lines: bytes.Split(body, []byte("\n"))}
	doc.root = r.node(tree.Content[0], 0)
	if r.deep {
		return document{}, unread(start, fmt.Sprintf("nested more than %d levels deep", canon.MaxDepth), "")
	}
	return doc, nil
}

type yamlReader struct {
	file  string
	lines [][]byte
	deep  bool
	// Where the last place was: its line, the characters before it, their UTF-16
	// code units and bytes.
	line, runes, units, bytes int
}

// at turns the parser's place, in characters from 1, into ours. It goes on from
// the last one, so that a long line does not cost its square.
func (r *yamlReader) at(n *yaml.Node) finding.Location {
	line := max(1, min(n.Line, len(r.lines)))
	if line != r.line || n.Column-1 < r.runes {
		r.line, r.runes, r.units, r.bytes = line, 0, 0, 0
	}
	for text := r.lines[line-1]; r.runes < n.Column-1 && r.bytes < len(text); r.runes++ {
		c, size := utf8.DecodeRune(text[r.bytes:])
		r.bytes += size
		r.units++
		if c > 0xFFFF {
			r.units++
		}
	}
	return finding.At(r.file, line, r.units+1)
}

func (r *yamlReader) node(y *yaml.Node, depth int) node {
	n := node{at: r.at(y)}
	if depth > canon.MaxDepth {
		r.deep = true
		return n
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = object
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := r.node(y.Content[i], depth+1)
			n.members = append(n.members, member{y.Content[i].Value, key.at, r.node(y.Content[i+1], depth+1)})
		}
	case yaml.SequenceNode:
		n.kind = list
		for _, item := range y.Content {
			n.items = append(n.items, r.node(item, depth+1))
		}
	case yaml.ScalarNode:
		n.kind, n.text = text, y.Value
		switch y.Tag {
		case "!!null":
			n.kind = null
		case "!!bool":
			n.kind = boolean
		case "!!int", "!!float":
			n.kind = number
		}
	}
	return n
}
