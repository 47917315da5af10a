package manifest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"
	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/canon"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// parseJSON reads JSON (RFC 8259) together with what some hosts take beside it:
// comments, trailing commas and a byte order mark, whose first places it notes.
func parseJSON(file string, data []byte) (document, *finding.Finding) {
	body, marked := bytes.CutPrefix(data, byteOrderMark)
	if err := canon.Guard(body, canon.MaxDepth); err != nil {
		return document{}, refuseGuard(file, data, body, err)
	}
	lines := canon.Index(body)
	place := func(offset int) finding.Location {
		line, column := lines.At(offset)
		return finding.At(file, line, column)
	}
	extras := scanExtras(body)
	if extras.split >= 0 {
		return document{}, unread(place(extras.split), "a line comment holds a carriage return, where some hosts end it and others do not", "use line feeds")
	}
	// A line comment may end with the file; hujson wants its line feed.
	ended := append(bytes.Clone(body), '\n')
	tree, err := hujson.Parse(ended)
	if err != nil {
		return document{}, refuseSyntax(place, ended, err)
	}
	c := newRuler(file, body)
	doc := document{root: nodeOf(c, body, tree)}
	if marked {
		doc.mark = finding.At(file, 1, 1)
	}
	if extras.comment >= 0 {
		doc.comment = place(extras.comment)
	}
	if extras.comma >= 0 {
		doc.comma = place(extras.comma)
	}
	return doc, nil
}

// nodeOf copies a syntax tree in the order of the text.
func nodeOf(c *ruler, data []byte, v hujson.Value) node {
	n := node{at: c.at(v.StartOffset)}
	switch t := v.Value.(type) {
	case *hujson.Object:
		n.kind = object
		n.members = make([]member, 0, len(t.Members))
		for _, m := range t.Members {
			name := nodeOf(c, data, m.Name)
			n.members = append(n.members, member{name.text, name.at, nodeOf(c, data, m.Value)})
		}
	case *hujson.Array:
		n.kind = list
		n.items = make([]node, 0, len(t.Elements))
		for _, e := range t.Elements {
			n.items = append(n.items, nodeOf(c, data, e))
		}
	case hujson.Literal:
		n.literal(t)
	}
	return n
}

func (n *node) literal(l hujson.Literal) {
	n.text = string(l)
	switch l.Kind() {
	case '"':
		n.kind = text
		n.text = l.String()
		n.plain = len(n.text)+2 == len(l)
	case '0':
		n.kind = number
	case 't', 'f':
		n.kind = boolean
	}
}

// refuseGuard tells where bytes are not fit for a parser.
func refuseGuard(file string, data, body []byte, err error) *finding.Finding {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return unread(finding.At(file, 1, 1), "the text is UTF-16", "save the file as UTF-8")
	}
	var e *canon.Error
	if !errors.As(err, &e) {
		return unread(finding.At(file, 1, 1), "not fit for a parser", "")
	}
	line, column := canon.Index(body).At(e.Offset)
	return unread(finding.At(file, line, column), string(e.Reason), "save the file as plain JSON in UTF-8")
}

// refuseSyntax takes nothing but the numbers from hujson's error, whose text
// quotes the file. Its columns count bytes. body ends with a line feed that the
// file may not have.
func refuseSyntax(place func(int) finding.Location, body []byte, err error) *finding.Finding {
	var line, column int
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scan != nil {
		return unread(place(0), "not valid JSON", "")
	}
	offset := 0
	for ; line > 1; line-- {
		offset += bytes.IndexByte(body[offset:], '\n') + 1
	}
	offset = min(offset+column-1, len(body)-1)
	return unread(place(offset), syntaxKind(body, offset), "correct the JSON at this place")
}

// syntaxKind says what kind of thing stands where the text stops being JSON.
func syntaxKind(body []byte, offset int) string {
	if len(bytes.TrimSpace(body[offset:])) == 0 {
		return "not valid JSON: the text ends too early"
	}
	switch c := body[offset]; {
	case c == '"':
		return "not valid JSON: a string where none may stand, or with an invalid escape or control character"
	case c == '\'':
		return "not valid JSON: a single quote"
	case c == ',' || c == ':' || c == '}' || c == ']':
		return "not valid JSON: a value or name is missing"
	}
	return "not valid JSON: an unexpected character or word"
}

// unread is the finding about what was not read.
func unread(at finding.Location, what, hint string) *finding.Finding {
	f := finding.New("check/undetermined", finding.Error, at, "not read: "+what).As(finding.Undetermined)
	f.Hint = hint
	return &f
}
