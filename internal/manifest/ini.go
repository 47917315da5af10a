package manifest

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// parseINI reads what npm (npm/ini) and pip (Python's configparser) have in
// common: "[section]" lines, "key = value" or "key: value" lines, comments behind
// ";" and "#". A section becomes an object, a key without a value is null. Lines
// that go on with a deeper indentation belong to pip's value before them.
func parseINI(file string, data []byte) (document, *finding.Finding) {
	return parseLines(file, data, func(line string) (string, string, bool) {
		sign := "="
		if !strings.Contains(line, "=") {
			sign = ": "
		}
		return strings.Cut(line, sign)
	})
}

// parseYarnrc reads the lines "key value" of Yarn 1.
func parseYarnrc(file string, data []byte) (document, *finding.Finding) {
	return parseLines(file, data, func(line string) (string, string, bool) { return strings.Cut(line, " ") })
}

func parseLines(file string, data []byte, cut func(string) (string, string, bool)) (document, *finding.Finding) {
	body, marked := bytes.CutPrefix(data, byteOrderMark)
	doc := document{root: node{kind: object, at: finding.At(file, 1, 1)}}
	if !utf8.Valid(body) {
		return document{}, unread(doc.root.at, "invalid UTF-8", "save the file as UTF-8")
	}
	if marked {
		doc.mark = doc.root.at
	}
	members := &doc.root.members
	for i, raw := range strings.Split(string(body), "\n") {
		line := strings.TrimSpace(raw)
		indent := raw[:len(raw)-len(strings.TrimLeft(raw, " \t"))]
		at := shift(finding.At(file, i+1, 1), indent)
		switch {
		case line == "" || line[0] == ';' || line[0] == '#':
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			doc.root.members = append(doc.root.members, member{line[1 : len(line)-1], at, node{kind: object, at: at}})
			members = &doc.root.members[len(doc.root.members)-1].value.members
		default:
			key, value, found := cut(line)
			n := node{kind: text, text: unquote(strings.TrimSpace(value)), at: shift(at, line[:len(line)-len(strings.TrimSpace(value))])}
			if !found {
				n.kind = null
			}
			*members = append(*members, member{unquote(strings.TrimSpace(key)), at, n})
		}
	}
	return doc, nil
}

func unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
