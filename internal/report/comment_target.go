package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// targets shows each target with something that counts: its name and place, then
// a line for each thing that is new.
func (c *comment) targets() {
	var changed []finding.Target
	for _, t := range c.r.Targets {
		if len(c.of(t)) > 0 {
			changed = append(changed, t)
		}
	}
	for _, l := range first(c, c.keep.targets, changed, c.target) {
		c.line("%s", l)
	}
}

// of are the findings that count of a target, the worst first.
func (c *comment) of(t finding.Target) []finding.Finding {
	list := c.counting(func(f finding.Finding) bool { return f.Target == t.Name && f.Location == t.Location })
	slices.SortStableFunc(list, func(a, b finding.Finding) int {
		switch {
		case a.Outcome == b.Outcome:
			return 0
		case a.Outcome.Worse(b.Outcome) == a.Outcome:
			return -1
		}
		return 1
	})
	return list
}

// mostPlace is how many characters of a path fit on a phone beside a name.
const mostPlace = 80

func (c *comment) target(t finding.Target) []string {
	head := fmt.Sprintf("\n**%s** · %s", span(t.Name, 40), place(t.Location))
	list := c.of(t)
	if move := moved(list); move != "" && !c.o.NoWords {
		head += " · " + move
	}
	out := []string{head}
	seen := map[string]bool{}
	var lines []string
	for _, f := range list {
		if l := c.change(f, t); !seen[l] {
			seen[l] = true
			lines = append(lines, l)
		}
	}
	return append(out, first(c, c.keep.lines, lines, func(l string) []string { return []string{l} })...)
}

// place is a file and a line, without the column: people look for the line.
func place(l finding.Location) string {
	switch {
	case l.File == "":
		return span(l.Argument, mostPlace)
	case l.Line == 0:
		return span(l.File, mostPlace)
	}
	return fmt.Sprintf("%s line %d", span(l.File, mostPlace), l.Line)
}

// moved is the step from one version of a package to another.
func moved(list []finding.Finding) string {
	for _, f := range list {
		if f.Change != nil && f.Change.Event == "package-version" {
			return span(plainText(f.Change.Old), 30) + " → " + span(plainText(f.Change.New), 30)
		}
	}
	return ""
}

// files shows what counts and belongs to no target, each at its place.
func (c *comment) files() {
	list := c.counting(func(f finding.Finding) bool { return !owned(c.r, f) })
	lines := first(c, 2*c.keep.lines, list, func(f finding.Finding) []string {
		return []string{"\n" + place(f.Location), fmt.Sprintf("- %s %s", mark(f), c.told(f))}
	})
	for _, l := range lines {
		c.line("%s", l)
	}
}

// mark stands before a line; the last line of the comment says what it means.
func mark(f finding.Finding) string {
	if f.Outcome == finding.Drift || f.Outcome == finding.Clean {
		return "△"
	}
	return "▲"
}

// change is one line about one finding.
func (c *comment) change(f finding.Finding, t finding.Target) string {
	text := c.told(f)
	if f.Change != nil && f.Change.Event != "package-version" && f.Change.Event != "package-tree" {
		text = c.event(f)
	}
	switch f.Rule {
	case "launch/new":
		text += c.asks(t)
	case "check/undetermined":
		if why, _, _ := strings.Cut(t.Reason, ":"); why != "" {
			text += ": " + span(why, 60)
		}
	}
	return fmt.Sprintf("- %s %s", mark(f), text)
}

// told is a finding without a difference: our words for its rule, else the
// message, which holds foreign words and stands in code.
func (c *comment) told(f finding.Finding) string {
	if text, ok := ruleWords[f.Rule]; ok {
		return text
	}
	if c.o.NoWords {
		return span(f.Rule, 60)
	}
	return span(f.Message, 160)
}

// ruleWords tell a rule beside the name of its target.
var ruleWords = map[string]string{
	"launch/new":                "new",
	"launch/changed":            "another command than the one that was approved",
	"launch/changed-minor":      "another version of its package, which was read",
	"launch/not-sealed":         "declared, and no lock covers it",
	"launch/not-approved":       "not started: nobody here approved it",
	"launch/not-declared":       "a lock that nothing declares",
	"launch/local-code-changed": "this pull request changes the code that it runs",
	"launch/barred":             "its lock is disabled or revoked",
	"lock/edited":               "a lock that is not what its server says",
	"lock/invalid":              "a lock that is not believed",
	"package/new-version":       "another version of its package",
	"package/not-read":          "other packages behind the same command, which were not started",
	"package/same-tree":         "the same packages, and it declares something else",
	"package/install-script":    "a package with an install script appeared",
	"sandbox/decoy-read":        "opened credentials that are none of its business",
	"sandbox/host-contacted":    "wanted to reach the network",
	"sandbox/wrote-outside":     "left files outside of its own folders",
	"surface/vanished":          "lists no tool any more",
	"surface/unstable":          "answered differently when asked twice",
	"policy/gate-changed":       "changes what judges this pull request",
	"check/undetermined":        "could not be read",
}

// asks tells what a new server is able to do, as its lock or a reading says.
func (c *comment) asks(t finding.Target) string {
	var known []string
	for _, p := range slices.Concat(t.Capabilities.Approved, t.Capabilities.Asked, t.Capabilities.Observed) {
		if _, ok := abilities[p]; ok && !slices.Contains(known, p) {
			known = append(known, p)
		}
	}
	slices.Sort(known)
	text := ""
	if t.Tools > 0 {
		text = ": " + count(t.Tools, "tool")
	}
	if len(known) == 0 {
		return text
	}
	return text + "; can do **" + strings.Join(known, "**, **") + "**"
}

// event is one difference: the item, what happened to it, and why that is a
// power.
func (c *comment) event(f finding.Finding) string {
	item := c.item(f.Change)
	if powers := gained(f); len(powers) > 0 {
		verb := "gained"
		if f.Change.Event == "added" {
			item, verb = "new "+item, "can do"
		}
		return fmt.Sprintf("%s %s **%s**%s", item, verb, strings.Join(powers, "**, **"), c.because(f.Evidence))
	}
	words, ok := eventWords[f.Change.Event]
	if !ok {
		return item + ": changed"
	}
	words = strings.ReplaceAll(words, "ITEM", item)
	if at := f.Change.Path; at != "" && !c.o.NoWords && pathed[f.Change.Event] {
		words += " " + span(at, 60)
	}
	return words
}

// item names what changed, by its kind and, unless no words are quoted, its key.
func (c *comment) item(ch *finding.ChangeItem) string {
	noun, ok := nouns[ch.List]
	switch {
	case !ok:
		return "the server"
	case c.o.NoWords || ch.Item == "":
		return "a " + noun
	}
	return noun + " " + span(ch.Item, 40)
}

var nouns = map[string]string{
	"tools": "tool", "resources": "resource", "resourceTemplates": "resource template", "prompts": "prompt",
	"skills": "skill", "hooks": "hook", "commands": "command", "agents": "agent", "files": "file", "inventory": "part that runs",
}

// eventWords tell an event about an item.
var eventWords = map[string]string{
	"added": "new ITEM", "removed": "ITEM is gone", "renamed": "ITEM has another name than before",
	"description-changed": "ITEM: its description changed", "parameter-text-changed": "ITEM: the words of a parameter changed",
	"instructions-changed": "the server's instructions changed", "title-changed": "ITEM: its title changed",
	"parameter-added": "ITEM: new parameter", "parameter-removed": "ITEM: a parameter is gone:", "enum-widened": "ITEM: more values allowed in",
	"type-widened": "ITEM: more types allowed in", "constraint-dropped": "ITEM: a limit is gone from", "default-changed": "ITEM: another default of",
	"additional-properties-opened": "ITEM: takes parameters that it does not list", "schema-changed": "ITEM: its schema changed at",
	"capability-gained": "ITEM can do more than before, nothing dangerous", "became-destructive": "ITEM says that it destroys",
	"read-only-lost": "ITEM no longer says that it only reads", "annotation-changed": "ITEM: its annotations changed",
	"server-capability-gained": "the server declares more capabilities", "server-capability-lost": "the server declares fewer capabilities",
	"package-bytes": "the same version has other bytes", "install-script": "a package with an install script appeared",
}

// pathed are events that the place within the item explains.
var pathed = map[string]bool{
	"parameter-added": true, "parameter-removed": true, "enum-widened": true, "type-widened": true, "constraint-dropped": true,
	"default-changed": true, "schema-changed": true,
}

// because gives the first evidence.
func (c *comment) because(list []finding.Evidence) string {
	if len(list) == 0 || c.o.NoWords {
		return ""
	}
	e := list[0]
	if e.Quote == "" {
		return ", because of its " + span(e.Path, 40)
	}
	return fmt.Sprintf(", because its %s says %s", span(e.Path, 40), span(e.Quote, 60))
}

// plainText is a change's value as text: what JSON quotes, of an item its
// description.
func plainText(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		return text
	}
	var item struct {
		Description string `json:"description"`
	}
	if json.Unmarshal([]byte(value), &item) == nil {
		return item.Description
	}
	return value
}
