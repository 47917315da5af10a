package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// listName is how many characters of a name leave room for the other columns.
const listName = 26

// List shows what is declared and sealed, one server a line.
func List(w io.Writer, l finding.Listing, s Style) error {
	p := &page{w: w, s: s}
	name := len("NAME")
	for _, x := range append(l.Servers[:len(l.Servers):len(l.Servers)], l.Plugins...) {
		name = max(name, len([]rune(finding.Claim(x.Name).Short(listName))))
	}
	if len(l.Servers) > 0 {
		p.place(fmt.Sprintf("%-*s  %-15s %-9s %-12s %-12s", name, "NAME", "STATE", "PIN", "LAUNCH", "SURFACE"), "DECLARED")
	}
	for _, x := range l.Servers {
		label := finding.Claim(x.Name).Short(listName)
		p.place(fmt.Sprintf("%s%s  %-15s %-9s %-12s %-12s", label, strings.Repeat(" ", name-len([]rune(label))), x.State, x.Pin,
			shortDigest(x.Launch), shortDigest(x.Surface)), x.Location.String())
		if s.Verbose {
			p.hang(2, "command", dim, finding.Claim(strings.Join(x.Command, " ")).Short(finding.ClaimWidth))
			p.clients(x.Clients)
			p.findings(x.Findings)
		}
	}
	if len(l.Plugins) > 0 {
		p.place(fmt.Sprintf("%-*s  %-15s %-9s %-12s %-12s", name, "PLUGIN", "STATE", "PIN", "", "PACKAGE"), "DECLARED")
	}
	for _, x := range l.Plugins {
		label := finding.Claim(x.Name).Short(listName)
		p.place(fmt.Sprintf("%s%s  %-15s %-9s %-12s %-12s", label, strings.Repeat(" ", name-len([]rune(label))), x.State, x.Pin, "", shortDigest(x.Surface)), x.Location.String())
	}
	for _, f := range append(l.Invalid, l.Unread...) {
		p.line("%s", f.Location)
		p.finding(f)
	}
	what := count(len(l.Servers), "server")
	if len(l.Plugins) > 0 {
		what += ", " + count(len(l.Plugins), "plugin")
	}
	p.line("%s, %s searched", what, count(len(l.Files), "file"))
	return p.err
}

func (p *page) clients(clients []finding.Client) {
	for _, c := range clients {
		word := "loads it"
		if !c.Loads {
			word = "does not load it"
		}
		if c.Why != "" {
			word += ": " + c.Why
		}
		p.hang(2, c.Name, dim, word)
	}
}

// PluginLock shows every version of a plugin that a lock holds, with what runs and
// what a model reads in full.
func PluginLock(w io.Writer, l finding.PluginLockView, s Style) error {
	p := &page{w: w, s: s}
	p.line("%s   %s", p.s.paint(bold, finding.Claim(l.Name).Short(60)), finding.Claim(l.File).Short(120))
	for _, v := range l.Versions {
		p.line("")
		signed := v.Signature
		if v.Publisher != "" {
			signed += ", by the key " + v.Publisher
		}
		if v.ConfirmUntrusted {
			signed += ", taken though nobody trusted signed it"
		}
		p.line("%s   %s", finding.Claim(v.Version).Short(20), v.State)
		p.hang(2, "source", dim, finding.Claim(v.Source).Short(finding.ClaimWidth))
		p.hang(2, "pin", dim, v.Pin)
		p.hang(2, "package", dim, v.Package)
		p.hang(2, "signature", dim, signed)
		for _, i := range append(v.Inventory[:len(v.Inventory):len(v.Inventory)], v.Skills...) {
			p.hang(2, finding.Claim(i.Kind).Short(20), "", finding.Claim(i.Place).Short(80))
			for _, t := range i.Text {
				p.line("    | %s", finding.Claim(t).String())
			}
		}
	}
	return p.err
}

// Environments shows which variables servers would get, names and lengths only.
func Environments(w io.Writer, e finding.Environments, s Style) error {
	p := &page{w: w, s: s}
	for _, x := range e.Servers {
		p.line("%s", p.s.paint(bold, finding.Claim(x.Name).Short(60)))
		for _, v := range x.Environment.Given {
			text := v.Kind
			if v.Length > 0 {
				text += ", " + count(v.Length, "byte")
			}
			p.hang(2, finding.Claim(v.Name).Short(60), "", text)
		}
		if len(x.Environment.Withheld) > 0 {
			p.hang(2, "withheld", yellow, claims(x.Environment.Withheld))
		}
		p.line("  %d further names of your environment are not passed", x.Environment.Others)
		if x.Environment.Exposed > 0 {
			p.line("  %s passed by --inherit-env", count(x.Environment.Exposed, "credential-shaped name"))
		}
	}
	if len(e.Servers) == 0 {
		p.line("no server is declared here")
	}
	return p.err
}

// Lock shows a lock.
func Lock(w io.Writer, v finding.LockView, s Style) error {
	p := &page{w: w, s: s}
	p.beside(p.s.paint(bold, finding.Claim(v.Inspection.Name).Short(60)), v.State)
	p.hang(2, "lock", dim, finding.Claim(v.File).Short(200))
	p.hang(2, "command", dim, finding.Claim(strings.Join(v.Inspection.Command, " ")).Short(finding.ClaimWidth))
	if len(v.Variables) > 0 {
		p.hang(2, "variables", dim, claims(v.Variables))
	}
	for _, place := range v.Places {
		p.hang(2, "declared", dim, finding.Claim(place).Short(200))
	}
	p.hang(2, "launch", dim, shortDigest(v.LaunchID))
	p.line("")
	if v.Inspection.Surface == "" {
		p.line("only the launch is approved; nobody has read what it can do")
		return p.err
	}
	p.tools(*v.Inspection)
	p.others(*v.Inspection)
	p.line("surface %s", shortDigest(v.Inspection.Surface))
	return p.err
}

// Rules lists rules, one a line.
func Rules(w io.Writer, rules []finding.Explanation, s Style) error {
	p := &page{w: w, s: s}
	for _, r := range rules {
		p.beside(fmt.Sprintf("%-32s %-8s %-12s", r.ID, r.Level, r.Outcome), r.Title)
	}
	return p.err
}

// Rule tells one rule.
func Rule(w io.Writer, r finding.Explanation, s Style) error {
	p := &page{w: w, s: s}
	p.line("%s   %s   counts as %s", p.s.paint(bold, r.ID), r.Level, r.Outcome)
	p.line("")
	for _, part := range []struct{ label, text string }{{"what", r.Title}, {"why", r.Why}, {"remedy", r.Remedy}} {
		p.hang(2, part.label, dim, part.text)
	}
	p.sample("fires on", r.Bad)
	p.sample("not on", r.Good)
	return p.err
}

func (p *page) sample(label string, s finding.Sample) {
	switch {
	case s.Manifest != "":
		p.hang(2, label, dim, s.File+": "+s.Manifest)
	case len(s.New) > 0:
		p.hang(2, label, dim, fmt.Sprintf("%s, then %s", s.Old, s.New))
	case s.Text != "":
		p.hang(2, label, dim, s.Text)
	}
}
