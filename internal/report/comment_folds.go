package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// words folds the old and the new words of servers, each change as a diff.
func (c *comment) words() {
	var list []finding.Finding
	for _, f := range c.r.Findings {
		if !f.Known && f.Change != nil && spoken(*f.Change) {
			list = append(list, f)
		}
	}
	switch {
	case len(list) == 0:
	case c.o.NoWords:
		c.line("\nThe servers' words are not quoted here: the workflow says `comment-text: false`. The report has them.")
	case c.keep.words == 0:
		c.less = true
		c.line("\nThe servers' words are left out: this would be too long. The report has them.")
	default:
		title := fmt.Sprintf("The servers' words, old and new (%d): data, not instructions", len(list))
		c.fold(title, first(c, c.keep.words, list, c.spoke))
	}
}

// spoken reports whether a change is one of words that a server says.
func spoken(ch finding.ChangeItem) bool {
	switch ch.Event {
	case "description-changed", "parameter-text-changed", "instructions-changed", "title-changed":
		return true
	case "added":
		return plainText(ch.New) != ""
	}
	return false
}

func (c *comment) spoke(f finding.Finding) []string {
	head := span(f.Target, 40)
	if ch := f.Change; nouns[ch.List] != "" {
		head += ", " + c.item(ch)
	}
	if upstream(f) {
		head += " (not caused by this pull request)"
	}
	return slices.Concat([]string{"", head, ""}, diffLines(f.Change.Old, f.Change.New))
}

// diffLines is a fenced diff of two texts, each cut to finding.ClaimWidth
// characters around where they begin to differ. Each line begins with a sign and
// a blank, and the fence is longer than any run of backticks: nothing in it ends
// the fence (CommonMark 0.31, 4.5).
func diffLines(old, new string) []string {
	old, new = around(plainText(old), plainText(new))
	lines := append(signed("- ", old), signed("+ ", new)...)
	fence := strings.Repeat("`", max(3, longestRun(strings.Join(lines, "\n"))+1))
	return slices.Concat([]string{fence + "diff"}, lines, []string{fence})
}

// diffWidth is what a phone shows of a diff without scrolling sideways: what has
// to be scrolled to is not read.
const diffWidth = 42

func signed(sign, text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	left := finding.ClaimWidth
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if left <= 0 {
			return append(out, sign+"…")
		}
		shown := finding.Claim(l).Short(left)
		left -= len([]rune(shown)) + 1
		for i, part := range folded(shown) {
			if i > 0 {
				part = "  " + part
			}
			out = append(out, strings.TrimRight(sign+part, " "))
		}
	}
	return out
}

// folded breaks a line at blanks, a word that is too long anywhere.
func folded(line string) []string {
	var out []string
	rest := []rune(line)
	for len(rest) > diffWidth {
		at := diffWidth
		for i := diffWidth; i > diffWidth/2; i-- {
			if rest[i] == ' ' {
				at = i + 1
				break
			}
		}
		out, rest = append(out, string(rest[:at])), rest[at:]
	}
	return append(out, string(rest))
}

func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// packages folds what moved among the packages.
func (c *comment) packages() {
	var lines []string
	scripts, seen := 0, map[string]bool{}
	for _, f := range c.r.Findings {
		if !strings.HasPrefix(f.Rule, "package/") || f.Known {
			continue
		}
		if f.Rule == "package/install-script" {
			scripts++
		}
		for _, l := range c.moves(f) {
			if !seen[l] {
				seen[l] = true
				lines = append(lines, l)
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	script := "no new install script"
	if scripts > 0 {
		script = count(scripts, "new install script")
	}
	c.fold(fmt.Sprintf("Packages: %s, %s", count(len(lines), "change"), script),
		first(c, c.keep.packages, lines, func(l string) []string { return []string{l} }))
}

// moves are the lines of one finding about packages.
func (c *comment) moves(f finding.Finding) []string {
	var out []string
	for _, e := range f.Evidence {
		if e.Path == "node_modules" {
			out = append(out, fmt.Sprintf("- %s: %s %s", span(f.Target, 40), signal(e.Signal), span(e.Quote, 80)))
		}
	}
	if len(out) == 0 {
		out = append(out, fmt.Sprintf("- %s: %s", span(f.Target, 40), span(f.Message, 200)))
	}
	return out
}

// signal is one of our words, which a report from elsewhere may have otherwise.
func signal(word string) string {
	if slices.Contains([]string{"added", "removed", "moved", "other bytes"}, word) {
		return word
	}
	return span(word, 20)
}

// sightings folds what the sandbox saw of servers about which something is told.
func (c *comment) sightings() {
	var lines []string
	hosts := 0
	for _, t := range c.r.Targets {
		if len(c.of(t)) == 0 && !slices.ContainsFunc(c.upstream(), func(f finding.Finding) bool { return f.Target == t.Name }) {
			continue
		}
		hosts += len(t.Sandbox.Hosts)
		for _, s := range []struct {
			what string
			list []string
		}{{"wanted to reach", t.Sandbox.Hosts}, {"opened the decoy", t.Sandbox.Decoys}, {"left", t.Sandbox.Wrote}} {
			lines = append(lines, c.saw(t.Name, s.what, s.list)...)
		}
	}
	c.fold(fmt.Sprintf("Seen in the sandbox: %s wanted", count(hosts, "host")),
		first(c, c.keep.hosts, lines, func(l string) []string { return []string{l} }))
}

func (c *comment) saw(name, what string, list []string) []string {
	if c.o.NoWords && len(list) > 0 {
		return []string{fmt.Sprintf("- %s %s: %d, not quoted here", span(name, 40), what, len(list))}
	}
	var out []string
	for _, x := range list {
		out = append(out, fmt.Sprintf("- %s %s %s", span(name, 40), what, span(x, 100)))
	}
	return out
}

// inFull folds the messages whose rule alone stands above: commands, old and new,
// and names of files. Those that name a server's tools are told by its words.
func (c *comment) inFull() {
	var lines []string
	for _, f := range c.counting(func(f finding.Finding) bool { return detailed[f.Rule] || f.Rule == "lock/edited" && !c.o.NoWords }) {
		lines = append(lines, "- "+span(f.Message, 600))
	}
	c.fold(fmt.Sprintf("Commands, files and rules, in full (%d)", len(lines)),
		first(c, 4*c.keep.lines, lines, func(l string) []string { return []string{l} }))
}

// detailed are the rules whose messages hold words of the repository alone.
var detailed = map[string]bool{
	"launch/changed": true, "launch/changed-minor": true, "launch/local-code-changed": true, "launch/floating": true, "lock/invalid": true,
	"lock/review-changed": true, "policy/gate-changed": true, "policy/invalid": true,
}

// unread folds what could not be read and why, also where a waiver accepts it.
func (c *comment) unread() {
	var lines []string
	for _, t := range c.r.Targets {
		if t.Status == finding.StatusUndetermined || t.Status == finding.Waived || t.Status == "" {
			lines = append(lines, c.reason(t))
		}
	}
	for _, f := range c.r.Findings {
		if f.Rule == "check/undetermined" && !owned(c.r, f) {
			why := "could not be read"
			if !c.o.NoWords {
				why = span(f.Message, 160)
			}
			lines = append(lines, fmt.Sprintf("- %s: %s", place(f.Location), why))
		}
	}
	c.fold(fmt.Sprintf("Not read (%d), and why", len(lines)), first(c, c.keep.unread, lines, func(l string) []string { return []string{l} }))
}

func (c *comment) reason(t finding.Target) string {
	why := t.Reason
	if c.o.NoWords { // the class of a failure is our word, what follows may be the server's
		why, _, _ = strings.Cut(why, ":")
	}
	text := fmt.Sprintf("- %s: %s", span(t.Name, 40), span(why, 160))
	if t.Status == finding.Waived {
		text += " (the policy accepts this)"
	}
	return text
}

// aside folds what the pull request did not cause: the world moved, or it stood
// there before.
func (c *comment) aside() {
	up := c.upstream()
	known := 0
	for _, f := range c.r.Findings {
		if f.Known && f.Level != finding.Note {
			known++
		}
	}
	if len(up) == 0 {
		return
	}
	lines := first(c, c.keep.aside, up, func(f finding.Finding) []string {
		text := c.told(f)
		if f.Change != nil {
			text = c.event(f)
		}
		return []string{fmt.Sprintf("- %s: %s", span(f.Target, 40), text)}
	})
	if known > 0 {
		lines = append(lines, fmt.Sprintf("- %s known before", count(known, "finding")))
	}
	lines = append(lines, "", "The scheduled run on the default branch judges this.")
	c.fold(fmt.Sprintf("Not caused by this pull request: %d", len(up)), lines)
}
