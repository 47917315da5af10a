package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Inspection shows what a server can do: who it says it is, how it was started,
// the tools that can do something notable with the evidence, and what is not
// known.
func Inspection(w io.Writer, i finding.Inspection, s Style) error {
	p := &page{w: w, s: s}
	if s.Quiet {
		p.closing(i)
		return p.err
	}
	p.head(i)
	p.failure(i)
	if i.Failure == nil || len(i.Tools) > 0 {
		p.tools(i)
		p.others(i)
	}
	p.inspectionFindings(i)
	p.closing(i)
	return p.err
}

func (p *page) head(i finding.Inspection) {
	parts := slices.DeleteFunc([]string{i.Pin, protocol(i)}, func(part string) bool { return part == "" })
	p.beside(p.s.paint(bold, finding.Claim(i.Name).Short(60)), strings.Join(parts, "   "))
	if i.Server.Name != "" || i.Server.Version != "" {
		p.hang(2, "calls itself", dim, finding.Claim(i.Server.Name).Quote()+" "+finding.Claim(i.Server.Version).Short(40))
	}
	if len(i.Command) > 0 {
		p.hang(2, "command", dim, finding.Claim(strings.Join(i.Command, " ")).Short(finding.ClaimWidth))
	}
	if i.Artifact != nil {
		p.hang(2, "runs", dim, runs(*i.Artifact))
	}
	if i.Dir != "" {
		p.hang(2, "directory", dim, i.Dir)
	}
	p.environment(i.Environment)
	if i.Sandbox.Profile != "" {
		p.hang(2, "sandbox", dim, sandbox(i.Sandbox))
	}
	if i.Noise.Lines > 0 {
		p.hang(2, "noise", dim, fmt.Sprintf("%s (%s) of output that is not protocol", count(i.Noise.Lines, "line"), count(i.Noise.Bytes, "byte")))
	}
	if len(i.Asked) > 0 {
		p.hang(2, "asked", dim, "the server asked for "+claims(i.Asked)+"; it was refused")
	}
	p.line("")
}

// runs tells which bytes were started.
func runs(a finding.Artifact) string {
	parts := []string{finding.Claim(strings.TrimSpace(a.Name + " " + a.Version)).Short(100)}
	if a.Bin != "" {
		parts[0] += ", " + finding.Claim(a.Bin).Short(60)
	}
	if a.Packages > 0 {
		parts = append(parts, count(a.Packages, "package")+", integrity verified")
	} else if a.Integrity != "" {
		parts = append(parts, finding.Claim(a.Integrity).Short(19))
	}
	switch n := len(a.InstallScripts); {
	case n > 0:
		parts = append(parts, count(n, "install script")+" not run: "+claims(a.InstallScripts))
	case a.Packages > 0:
		parts = append(parts, "no install script")
	}
	return strings.Join(parts, "; ")
}

func claims(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, finding.Claim(n).Short(60))
	}
	return strings.Join(out, ", ")
}

func protocol(i finding.Inspection) string {
	if i.Protocol == "" {
		return ""
	}
	return "protocol " + finding.Claim(i.Protocol).Short(20)
}

func sandbox(s finding.Sandbox) string {
	text := s.Profile
	if s.Profile == "none" {
		text += ": nothing confined it"
	}
	text += reached("wanted to reach", "nothing on the network", s.Hosts) + reached("opened", "no decoy", s.Decoys) + reached("left", "no file outside", s.Wrote)
	switch s.Survivors {
	case 0:
		return text + "; it left no process behind"
	default:
		return fmt.Sprintf("%s; it left %s behind, ended by us", text, strings.Replace(count(s.Survivors, "process"), "processs", "processes", 1))
	}
}

// mostReached bounds how many things a line names.
const mostReached = 8

// reached tells one kind of observation; nothing where it could not be made.
func reached(did, nothing string, list []string) string {
	switch {
	case list == nil:
		return ""
	case len(list) == 0:
		return "; " + did + " " + nothing
	}
	text := claims(list[:min(len(list), mostReached)])
	if more := len(list) - mostReached; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return "; " + did + " " + text
}

func (p *page) environment(e finding.Environment) {
	if len(e.Given) == 0 {
		return
	}
	var given []string
	for _, v := range e.Given {
		name := finding.Claim(v.Name).Short(60)
		if v.Kind == "placeholder" || v.Kind == "real" {
			name += " (" + v.Kind + ")"
		}
		given = append(given, name)
	}
	p.hang(2, "given", dim, strings.Join(given, " "))
	withheld := claims(e.Withheld)
	if e.Others > 0 {
		withheld = strings.TrimSpace(withheld + fmt.Sprintf(" and %d more", e.Others))
	}
	if withheld != "" {
		p.hang(2, "withheld", dim, withheld)
	}
	if e.Exposed > 0 {
		p.hang(2, "exposed", yellow, count(e.Exposed, "credential-shaped name")+" by --inherit-env")
	}
}

func (p *page) failure(i finding.Inspection) {
	f := i.Failure
	if f == nil {
		return
	}
	p.hang(0, "not read", yellow, f.Reason+": "+f.Detail)
	for _, l := range lastLines(f.LastWords, 5) {
		p.hang(2, "server says", dim, finding.Claim(l).Quote())
	}
	if f.Hint != "" {
		p.hang(2, "hint", dim, f.Hint)
	}
	p.line("")
}

func lastLines(text string, n int) []string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	return lines[max(0, len(lines)-n):]
}

func (p *page) tools(i finding.Inspection) {
	notable := 0
	for _, t := range i.Tools {
		if t.Notable {
			notable++
		}
	}
	p.line("%s, %d able to do something notable", count(len(i.Tools), "tool"), notable)
	p.line("")
	rest := map[string]int{}
	for _, t := range i.Tools {
		if t.Notable || p.s.Verbose {
			p.tool(t)
			continue
		}
		for _, c := range t.Capabilities {
			rest[c]++
		}
	}
	if hidden := len(i.Tools) - notable; hidden > 0 && !p.s.Verbose {
		p.hang(2, fmt.Sprintf("%d others", hidden), dim, tally(rest)+"   --verbose shows them")
		p.line("")
	}
}

// tally is "pure 8, unknown 3 (unknown is not a low risk)".
func tally(n map[string]int) string {
	var names []string
	for name := range n {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, n[name])
		if name == "unknown" {
			names[i] += " (unknown is not a low risk)"
		}
	}
	return strings.Join(names, ", ")
}

func (p *page) tool(t finding.ToolView) {
	color := ""
	if t.Notable {
		color = bold
	}
	p.beside("  "+p.s.paint(color, finding.Claim(t.Name).Short(60)), strings.Join(t.Capabilities, ", "))
	for _, inf := range t.Inferences {
		p.hang(4, inf.Capability, yellow, reasons(inf))
	}
	if len(t.Inferences) == 0 {
		p.hang(4, "unknown", dim, "nothing in the declaration says what it can do, which is not a low risk")
	}
	for _, n := range t.Notes {
		p.hang(4, "note", dim, n)
	}
	if t.Contradiction != "" {
		p.hang(4, "claim", yellow, t.Contradiction)
	}
	if t.Description != "" {
		p.hang(4, "server says", dim, finding.Claim(t.Description).Quote())
	}
	p.line("")
}

func reasons(inf finding.Inference) string {
	var parts []string
	for _, e := range inf.Evidence {
		parts = append(parts, evidence(e))
	}
	return fmt.Sprintf("%s confidence; %s", inf.Confidence, strings.Join(parts, "; "))
}

// others tells the lists besides tools.
func (p *page) others(i finding.Inspection) {
	var parts []string
	for _, l := range []struct {
		items []finding.Declared
		noun  string
	}{{i.Resources, "resource"}, {i.Templates, "resource template"}, {i.Prompts, "prompt"}} {
		if len(l.items) > 0 {
			parts = append(parts, count(len(l.items), l.noun))
		}
	}
	if i.Server.Instructions != nil {
		parts = append(parts, fmt.Sprintf("instructions of %s", count(len([]rune(*i.Server.Instructions)), "character")))
	}
	if len(parts) > 0 {
		p.beside("also", strings.Join(parts, ", "))
	}
	if len(i.Unserved) > 0 {
		p.line("declared but not served: %s", strings.Join(i.Unserved, ", "))
	}
	for _, u := range i.Unread {
		p.hang(0, "not read", yellow, u.List+": "+u.Reason)
	}
	if len(parts)+len(i.Unserved)+len(i.Unread) > 0 {
		p.line("")
	}
}

func (p *page) inspectionFindings(i finding.Inspection) {
	if len(i.Findings) == 0 {
		return
	}
	p.findings(i.Findings)
	p.line("")
}

func (p *page) closing(i finding.Inspection) {
	if i.Surface == "" || !i.Complete() {
		p.line("incomplete: this is not everything that the server can do   exit 5")
		return
	}
	p.line("from declarations only: no tool was called   surface %s", shortDigest(i.Surface))
}

func shortDigest(d string) string {
	d = strings.TrimPrefix(d, "sha256:")
	return d[:min(12, len(d))]
}
