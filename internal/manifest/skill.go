package manifest

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// skill reads a SKILL.md: YAML between two lines of dashes, then text for a model
// (agentskills.io; hooks, disallowed-tools and commands at load are Claude Code's).
func (inv *Inventory) skill(data []byte) {
	inv.Name = path.Base(path.Dir(inv.Path))
	if bytes.HasPrefix(data, []byte(lfsPointer)) {
		inv.unreadAll(*unread(inv.At, "a pointer of Git LFS, whose content is kept elsewhere", ""), data)
		return
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		inv.unreadAll(*unread(inv.At, "binary, or text in another encoding than UTF-8", ""), data)
		return
	}
	head, body := frontMatter(data)
	description := []string{}
	if head != nil {
		description = inv.head(head)
	}
	inv.loads(data, body)
	inv.add(Item{Kind: ItemText, Place: inv.Path, At: inv.At, Text: description, When: "when a model takes it up"}, string(data))
}

// frontMatter splits a text. head keeps the lines of the whole, so that places in it
// are places in the file; nil where there is none. body is where the rest begins.
func frontMatter(data []byte) (head []byte, body int) {
	text := bytes.TrimPrefix(data, byteOrderMark)
	start := len(data) - len(text)
	first, _, found := bytes.Cut(text, []byte("\n"))
	if !found || string(bytes.TrimRight(first, " \t\r")) != "---" {
		return nil, 0
	}
	for at := start + len(first) + 1; at < len(data); {
		line, _, more := bytes.Cut(data[at:], []byte("\n"))
		next := at + len(line) + 1
		if string(bytes.TrimRight(line, " \t\r")) == "---" {
			return append([]byte("\n"), data[start+len(first)+1:at]...), min(next, len(data))
		}
		if !more {
			break
		}
		at = next
	}
	return append([]byte("\n"), data[start+len(first)+1:]...), len(data)
}

// head reads the front matter and gives the description.
func (inv *Inventory) head(head []byte) []string {
	doc, problem := parseYAML(inv.Path, head)
	if problem != nil {
		if again, still := parseYAML(inv.Path, quotedWords(head)); still == nil {
			doc, problem = again, nil
		}
	}
	if problem == nil && doc.root.kind != object && doc.root.kind != null {
		problem = unread(doc.root.at, "the front matter holds "+doc.root.kind.String()+", not an object", "")
	}
	if problem != nil {
		inv.unread("/", problem.Location, "front matter: "+strings.TrimPrefix(problem.Message, "not read: "), string(head))
		return nil
	}
	inv.aliases(doc.root, bytes.Split(head, []byte("\n")), "")
	var description []string
	for _, m := range doc.root.members {
		pointer := under("", m.name)
		switch m.name {
		case "name":
			if m.value.kind == text && m.value.text != "" && len(m.value.text) <= 200 {
				inv.Name = m.value.text
			}
		case "description":
			description = append(description, m.value.text)
		case "allowed-tools":
			inv.tools(pointer, m, ItemTool, "is used unasked while the skill is followed")
		case "disallowed-tools":
			inv.tools(pointer, m, ItemDenial, "is refused while the skill is followed")
		case "hooks":
			inv.hooks(pointer, m)
		}
	}
	return description
}

// unquoted is a member whose text would be a member again: people write "description:
// Use when: …", and hosts take it as it is meant.
var unquoted = pattern.Of(`(?m)^([A-Za-z_-]+: +)([^\s"'\[{|>&*!%@#][^\n]*?: [^\n]*?)[ \r]*$`)

// quotedWords puts such texts into quotes.
func quotedWords(head []byte) []byte {
	return []byte(unquoted.ReplaceAllStringFunc(string(head), func(line string) string {
		m := unquoted.FindStringSubmatch(line)
		return m[1] + "'" + strings.ReplaceAll(m[2], "'", "''") + "'"
	}))
}

// aliases notes what YAML names instead of saying: the reader does not follow it.
func (inv *Inventory) aliases(n node, lines [][]byte, pointer string) {
	switch n.kind {
	case object:
		for _, m := range n.members {
			inv.aliases(m.value, lines, under(pointer, m.name))
		}
	case list:
		for i, item := range n.items {
			inv.aliases(item, lines, fmt.Sprintf("%s/%d", pointer, i))
		}
	case null:
		line := n.at.Line - 1
		if line < 0 || line >= len(lines) {
			return
		}
		runes := []rune(string(lines[line]))
		if c := n.at.Column - 1; c >= 0 && c < len(runes) && runes[c] == '*' {
			inv.unread(pointer, n.at, "an alias of YAML, which is not followed", string(lines[line]))
		}
	}
}

// tools lists tools, one an item: a list, or a text of them with spaces or commas
// between, where what stands in parentheses belongs together.
func (inv *Inventory) tools(pointer string, m member, kind, when string) {
	if m.value.kind == list {
		for i, item := range m.value.items {
			if item.kind == text && strings.TrimSpace(item.text) != "" {
				inv.tool(fmt.Sprintf("%s/%d", pointer, i), item.at, kind, strings.TrimSpace(item.text), when)
			}
		}
		return
	}
	if m.value.kind == object {
		inv.unread(pointer, m.value.at, `"`+m.name+`" is an object, not a list`, canonical(m.value, nil))
		return
	}
	for _, t := range toolWords(m.value.text) {
		inv.tool(pointer, m.value.at, kind, t, when)
	}
}

func (inv *Inventory) tool(pointer string, at finding.Location, kind, name, when string) {
	inv.add(Item{Kind: kind, Place: placeOf(inv.Path, pointer), At: at, Group: "tools", Text: []string{name}, When: when}, name)
}

func toolWords(s string) []string {
	depth := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && (r == ' ' || r == ',' || r == '\n' || r == '\t')
	})
}

// loadCommand is the syntax for a command that is run when a skill is loaded: "!"
// and code, or a block of code marked "!".
var loadCommand = pattern.Of("(?s)(?:^|[\\s(])!`([^`\n]+)`|(?m:^[ \t]*```!)[^\n]*\n(.*?)(?:\n[ \t]*```|$)")

// loads lists the commands that some hosts run when they load the text.
func (inv *Inventory) loads(data []byte, body int) {
	places := newRuler(inv.Path, data)
	for _, found := range loadCommand.FindAllStringSubmatchIndex(string(data[body:]), -1) {
		from, to := found[2], found[3]
		if from < 0 {
			from, to = found[4], found[5]
		}
		command := string(data[body+from : body+to])
		inv.add(Item{Kind: ItemLoad, Place: inv.Path, At: places.at(body + from), Group: "load", Text: strings.Split(command, "\n"), When: "when the skill is loaded"}, command)
	}
}
