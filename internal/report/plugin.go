package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Plugin shows one checked archive: what it calls itself, its digests and its
// signature, everything in it that runs or steers an agent, what there is to
// say against it, and the verdict.
func Plugin(w io.Writer, v finding.Plugin, s Style) error {
	p := &page{w: w, s: s}
	if !s.Quiet {
		p.pluginHead(v)
		p.inventory(v)
		p.pluginFindings(v.Findings)
	}
	p.pluginVerdict(v)
	if !s.Quiet && v.Verdict == finding.Accepted && !v.Pinned && v.Source == nil {
		p.line("next: keep the digest of the archive; --sha256 holds later copies against it")
	}
	return p.err
}

func (p *page) pluginHead(v finding.Plugin) {
	if v.ID != "" {
		says := finding.Claim(v.Name).Quote() + " by " + finding.Claim(v.Publisher).Quote()
		p.beside(p.s.paint(bold, finding.Claim(v.ID).Short(60))+" "+finding.Claim(v.Version).Short(30), "calls itself "+says)
	} else {
		p.line("%s", p.s.paint(bold, finding.Claim(v.File).Short(60)))
	}
	if v.Source != nil {
		p.hang(2, "commit", dim, v.Source.Commit+", "+reachWords[v.Source.Reach])
		p.hang(2, "path", dim, finding.Claim(v.Source.Path).Short(120))
		if v.Source.Digest != "" {
			p.hang(2, "folder", dim, v.Source.Digest+", "+count(v.Source.Files, "file"))
		}
	}
	if v.ArchiveSHA256 != "" {
		p.hang(2, "archive", dim, v.ArchiveSHA256)
	}
	if v.PackageFingerprint != "" {
		p.hang(2, "package", dim, v.PackageFingerprint)
		p.hang(2, "signature", dim, signatureWords(v.Signature))
		if v.Signature.Valid {
			p.hang(2, "key", dim, v.Signature.PublisherFingerprint)
		}
	}
	p.line("")
}

// reachWords say whether a commit is the repository's own.
var reachWords = map[finding.Reach]string{
	finding.Reached: "which a branch or tag leads to", finding.Unreached: "which no branch or tag leads to",
	finding.Unknown: "which may be on no branch or tag",
}

func signatureWords(s finding.PluginSignature) string {
	switch {
	case s.Trusted:
		return "valid, by a key that the policy trusts"
	case s.Valid:
		return "valid, which says who signed, not that anybody trusts them"
	case s.Present:
		return "there and wrong"
	}
	return "none"
}

// itemWords say what each kind of an inventory does.
var itemWords = map[string]string{
	"mcp-server": "starts", "mcp-remote": "talks to", "hook": "applies", "skill": "instructs", "skill-command": "may run",
}

func (p *page) inventory(v finding.Plugin) {
	if v.PackageFingerprint == "" {
		return
	}
	switch n := len(v.Inventory); n {
	case 0:
		p.line("nothing in it runs or steers an agent")
	case 1:
		p.line("1 thing in it runs or steers an agent")
	default:
		p.line("%d things in it run or steer an agent", n)
	}
	for _, i := range v.Inventory {
		word, known := itemWords[i.Kind]
		if !known {
			word = i.Kind
		}
		p.hang(2, word, yellow, itemText(i))
		p.hang(2, "", dim, finding.Claim(i.Place).Short(120)+"   "+shortDigest(i.Digest))
	}
	p.line("")
}

// itemText is an item on one line. What a plugin says to people or models is in
// quotes.
func itemText(i finding.PluginItem) string {
	if len(i.Text) == 0 {
		return ""
	}
	first, rest := finding.Claim(i.Text[0]), i.Text[1:]
	switch {
	case i.Kind == "mcp-server":
		return finding.Claim(strings.Join(i.Text, " ")).Short(finding.ClaimWidth)
	case i.Kind == "skill" && len(rest) > 0:
		return first.Quote() + "; depends on " + claims(rest)
	case i.Kind == "skill":
		return first.Quote()
	case i.Kind == "hook" && len(rest) > 0:
		return first.Short(finding.ClaimWidth) + "; " + finding.Claim(rest[0]).Quote()
	}
	return finding.Claim(strings.Join(i.Text, "; ")).Short(finding.ClaimWidth)
}

func (p *page) pluginFindings(list []finding.Finding) {
	for n, f := range list {
		if n == shownFindings && !p.s.Verbose {
			p.hang(2, "", "", fmt.Sprintf("and %d more (--verbose shows them)", len(list)-n))
			break
		}
		label := string(f.Level)
		p.hang(2, label, levelWords[f.Level].color, f.Message+"  ["+f.Rule+"]")
		if f.Hint != "" {
			p.hang(4, "hint", dim, f.Hint)
		}
	}
	if len(list) > 0 {
		p.line("")
	}
}

// shownFindings is how many findings of an archive are shown unless asked for
// more.
const shownFindings = 12

func (p *page) pluginVerdict(v finding.Plugin) {
	exit := fmt.Sprintf("   exit %d", v.ExitCode)
	parts := []string{"unsigned"}
	if v.Signature.Valid {
		parts = []string{"signed"}
	}
	switch {
	case v.Verdict == finding.Accepted:
		if n := len(v.Findings); n > 0 {
			parts = append(parts, count(n, "warning"))
		}
		p.line("%s, %s%s", p.s.paint(green, "accepted"), strings.Join(parts, ", "), exit)
	case v.Verdict == finding.Rejected:
		p.line("%s by %s%s", p.s.paint(red, "REJECTED"), v.Findings[0].Rule, exit)
	default:
		word := map[bool]string{true: "refused", false: "not read"}[v.Outcome == finding.Refused]
		lines := wrap(v.Reason, p.s.width()-len(word)-len(": ")-len(exit))
		lines[len(lines)-1] += exit
		p.line("%s: %s", p.s.paint(yellow, word), lines[0])
		for _, l := range lines[1:] {
			p.line("  %s", l)
		}
	}
}
