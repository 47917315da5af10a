package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// acts are the kinds of an inventory that do something by themselves or unasked.
// The others are counted unless asked for.
var acts = map[string]string{
	"hook": "runs", "helper": "runs", "skill-command": "runs", "environment": "sets", "permission": "allows", "approval": "approves", "allowed-tool": "allows",
	"mcp-server": "brings", "mcp-remote": "talks to",
	"not-analysed": "unread",
}

// shownItems is how many items of one inventory are shown unless asked for more.
const shownItems = 12

// acting splits an inventory into what is shown and how much is left out.
func acting(t finding.Target, all bool) (shown []finding.InventoryItem, more int) {
	for _, i := range t.Inventory {
		if acts[i.Kind] != "" || all {
			shown = append(shown, i)
		}
	}
	if !all && len(shown) > shownItems {
		shown = shown[:shownItems]
	}
	return shown, len(t.Inventory) - len(shown)
}

// maxFiles is how many inventories are shown unless asked for more. Of more only
// those are that something is said about.
const maxFiles = 20

// steeringTargets are the targets whose inventories are shown.
func steeringTargets(r finding.Report, all bool) (out []finding.Target, more int) {
	for _, t := range r.Targets {
		if shown, _ := acting(t, all); len(shown) > 0 {
			out = append(out, t)
		}
	}
	n := len(out)
	if n > maxFiles && !all {
		out = slices.DeleteFunc(out, func(t finding.Target) bool { return t.Status == finding.Verified || t.Status == finding.NotStarted })
	}
	return out, n - len(out)
}

// steering lists what settings files and skills make a host do.
func (p *page) steering(r finding.Report) {
	targets, left := steeringTargets(r, p.s.Verbose)
	for _, t := range targets {
		shown, more := acting(t, p.s.Verbose)
		p.place(p.s.paint(bold, finding.Claim(t.Name).Short(60)), t.Location.String())
		for _, i := range shown {
			word := acts[i.Kind]
			if word == "" {
				word = i.Kind
			}
			p.hang(2, word, yellow, inventoryText(i))
			p.hang(4, "", dim, inventoryPlace(i))
		}
		if more > 0 {
			p.hang(2, "", "", fmt.Sprintf("and %d more (--verbose shows them)", more))
		}
		p.line("")
	}
	if left > 0 {
		p.line("%d more files make a host do something, as before (--verbose shows them)", left)
	}
	if len(targets) > 0 || left > 0 {
		p.line("nothing of this was run")
		p.line("")
	}
}

// inventoryText is an item on one line.
func inventoryText(i finding.InventoryItem) string {
	if len(i.Text) == 0 {
		return finding.Claim(i.Place).Short(120)
	}
	return finding.Claim(strings.Join(i.Text, "; ")).Short(finding.ClaimWidth)
}

func inventoryPlace(i finding.InventoryItem) string {
	file, _, _ := strings.Cut(i.Place, "#")
	at := fmt.Sprintf("%s:%d", finding.Claim(file).Short(120), i.Line)
	if i.When == "" {
		return at
	}
	return i.When + "   " + at
}

// steering lists the same in a table for each file that has any.
func (d *document) steering(r finding.Report) {
	targets, left := steeringTargets(r, false)
	if len(targets) == 0 {
		return
	}
	d.line("")
	d.line("What settings and skills make a host do (nothing of it was run):")
	d.line("")
	d.line("| does | what | when | place |")
	d.line("| --- | --- | --- | --- |")
	for _, t := range targets {
		shown, more := acting(t, false)
		for _, i := range shown {
			file, _, _ := strings.Cut(i.Place, "#")
			d.line("| %s | %s | %s | %s |", acts[i.Kind], cell(strings.Join(i.Text, "; ")), cell(i.When), cell(fmt.Sprintf("%s:%d", file, i.Line)))
		}
		if more > 0 {
			d.line("| | %d more | | %s |", more, cell(t.Location.File))
		}
	}
	if left > 0 {
		d.line("| | %d more files, as before | | |", left)
	}
}
