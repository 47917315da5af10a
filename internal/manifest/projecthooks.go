package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// hooks lists what a map of events runs. Claude Code, Codex and Gemini CLI put
// handlers into groups with a matcher, Cursor and Copilot put them under the event;
// both forms are read everywhere, so that no form hides one.
func (inv *Inventory) hooks(pointer string, m member) {
	if m.value.kind != object {
		if m.value.kind != null && m.value.kind != boolean {
			inv.unread(pointer, m.value.at, "hooks are "+m.value.kind.String()+", not an object of events", canonical(m.value, nil))
		}
		return
	}
	for _, event := range m.value.members {
		inv.event(under(pointer, event.name), event)
	}
}

// switches are members of a map of hooks that are no events (Gemini CLI, Codex).
var switches = []string{"enabled", "disabled", "notifications", "state"}

func (inv *Inventory) event(pointer string, event member) {
	v := event.value
	switch {
	case slices.Contains(switches, event.name) && !holdsHandler(v):
	case v.kind == list:
		for n, item := range v.items {
			inv.handlers(fmt.Sprintf("%s/%d", pointer, n), event.name, "", item)
		}
	case v.kind == object || v.kind == text:
		inv.handlers(pointer, event.name, "", v)
	}
}

// holdsHandler reports whether something below a value would be taken for a hook.
func holdsHandler(n node) bool {
	if n.kind == object {
		for _, name := range runs {
			if _, ok := n.get(name); ok {
				return true
			}
		}
		_, ok := n.get("hooks")
		return ok
	}
	return slices.ContainsFunc(n.items, holdsHandler)
}

// handlers reads one entry of an event: a group of handlers, or one of them.
func (inv *Inventory) handlers(pointer, event, matcher string, n node) {
	if n.kind != object {
		if n.kind == text {
			inv.hook(pointer, event, matcher, n)
		} else if n.kind != null {
			inv.unread(pointer, n.at, "a hook is "+n.kind.String()+", not an object", canonical(n, nil))
		}
		return
	}
	if m, ok := n.get("matcher"); ok {
		matcher = m.value.text
	}
	group := false
	for _, m := range n.members {
		if m.name != "hooks" {
			continue
		}
		group = true
		items := m.value.items
		if m.value.kind != list {
			items = []node{m.value}
		}
		for i, item := range items {
			inv.handlers(fmt.Sprintf("%s/hooks/%d", pointer, i), event, matcher, item)
		}
	}
	if !group || slices.ContainsFunc(n.members, func(m member) bool { return slices.Contains(runs, m.name) }) {
		inv.hook(pointer, event, matcher, n)
	}
}

// runs are the members of a handler that say what is done: a program and its
// arguments, a program for one system or shell, an address, words for a model, a
// tool of a server.
var runs = []string{
	"command", "args", "bash", "powershell", "windows", "linux", "osx", "commandWindows", "command_windows", "url", "prompt", "agent", "server", "tool", "code", "modules",
}

// harmless are the members of a handler that change nothing of what it does.
var harmless = []string{"timeout", "timeoutSec", "timeout_ms", "timeoutMs", "statusMessage", "description", "name", "matcher", "hooks", "padding"}

func (inv *Inventory) hook(pointer, event, matcher string, n node) {
	i := Item{Kind: ItemHook, Place: placeOf(inv.Path, pointer), At: n.at, Group: event, Text: lines(n), When: "at " + finding.Claim(event).Short(40)}
	if matcher != "" && matcher != "*" {
		i.When += " of " + finding.Claim(matcher).Quote()
	}
	if m, ok := n.get("command"); ok {
		i.At = m.value.at
	}
	if len(i.Text) == 0 {
		inv.unread(pointer, n.at, "a hook of an unknown form", canonical(n, nil))
		return
	}
	inv.add(i, matcher+"\x00"+canonical(n, func(name string) bool { return slices.Contains(harmless, name) }))
}

// lines show a handler: what runs first, then every other text of it.
func lines(n node) []string {
	if n.kind == text {
		return []string{n.text}
	}
	var first, rest []string
	for _, name := range runs {
		for _, m := range n.members {
			if m.name != name {
				continue
			}
			words := strings.Join(textsOf(m.value), " ")
			switch name {
			case "command":
				first = append(first, words)
			case "args":
				first = append(first, words)
			default:
				rest = append(rest, name+" "+words)
			}
		}
	}
	for _, m := range n.members {
		if slices.Contains(runs, m.name) || slices.Contains(harmless, m.name) || m.name == "type" {
			continue
		}
		if words := strings.Join(textsOf(m.value), " "); words != "" {
			rest = append(rest, m.name+" "+words)
		}
	}
	if len(first) > 0 {
		rest = append([]string{strings.Join(first, " ")}, rest...)
	}
	return rest
}

// textsOf lists the scalars below a value; of an object with their names.
func textsOf(n node) []string {
	switch n.kind {
	case object:
		var out []string
		for _, m := range n.members {
			out = append(out, m.name+"="+strings.Join(textsOf(m.value), " "))
		}
		return out
	case list:
		var out []string
		for _, i := range n.items {
			out = append(out, textsOf(i)...)
		}
		return out
	case null:
		return nil
	}
	return []string{n.text}
}

// helper lists a command that a host runs for a purpose of its own: a text, a list
// of words, or an object with one.
func (inv *Inventory) helper(pointer string, m member, when string) {
	words := lines(m.value)
	if m.value.kind == list {
		words = []string{strings.Join(textsOf(m.value), " ")}
	}
	if m.value.kind == null || m.value.kind == boolean || len(words) == 0 || words[0] == "" {
		return
	}
	i := Item{Kind: ItemHelper, Place: placeOf(inv.Path, pointer), At: m.value.at, Group: pointer, Text: words, When: when}
	if c, ok := m.value.get("command"); ok {
		i.At = c.value.at
	}
	inv.add(i, canonical(m.value, func(name string) bool { return slices.Contains(harmless, name) }))
}

// each lists every text of a list, or the one text, as an item of its own.
func (inv *Inventory) each(pointer string, m member, kind, group, when string) {
	items := m.value.items
	if m.value.kind == text {
		items = []node{m.value}
	}
	for n, item := range items {
		if item.kind != text || item.text == "" {
			continue
		}
		inv.add(Item{Kind: kind, Place: placeOf(inv.Path, fmt.Sprintf("%s/%d", pointer, n)), At: item.at, Group: group, Text: []string{item.text}, When: when}, item.text)
	}
}

// word lists a setting whose value alone says enough.
func (inv *Inventory) word(pointer string, m member, kind, when string) {
	inv.add(Item{Kind: kind, Place: placeOf(inv.Path, pointer), At: m.value.at, Group: pointer, Text: []string{m.name + " " + m.value.text}, When: when}, m.value.text)
}

// env lists the variables that steer code or routes.
func (inv *Inventory) env(pointer string, m member) {
	for _, b := range m.value.members {
		if Steers(b.name) {
			inv.add(Item{Kind: ItemEnv, Place: placeOf(inv.Path, under(pointer, b.name)), At: b.value.at, Group: strings.ToUpper(b.name),
				Text: []string{b.name + "=" + b.value.text}, When: "in every program that the host starts"}, b.value.text)
		}
	}
}

// no reports whether a value is the word false.
func no(n node) bool { return n.kind == boolean && n.text == "false" }

// yes reports whether a value is the word true.
func yes(n node) bool { return n.kind == boolean && n.text == "true" }
