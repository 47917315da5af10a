package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

var sealWords = map[finding.SealState]struct{ word, color string }{
	finding.SealWritten: {"sealed", green}, finding.SealSame: {"unchanged", green},
	finding.SealDiffers: {"differs", yellow}, finding.SealRefused: {"refused", yellow}, finding.SealUnread: {"not read", yellow},
}

// Sealing shows what was written, and in full what was not and why.
func Sealing(w io.Writer, r finding.Sealing, s Style) error {
	p := &page{w: w, s: s}
	width := 0
	for _, x := range r.Sealed {
		width = max(width, len([]rune(finding.Claim(x.Name).Short(nameWidth))))
	}
	for _, x := range r.Sealed {
		if !s.Quiet {
			p.sealed(x, width)
		}
	}
	p.sealTotal(r)
	return p.err
}

func (p *page) sealed(x finding.Sealed, width int) {
	word := sealWords[x.State]
	label := p.s.paint(word.color, word.word) + strings.Repeat(" ", 12-len(word.word))
	name := finding.Claim(x.Name).Short(nameWidth)
	name += strings.Repeat(" ", width-len([]rune(name)))
	switch {
	case x.Version != "" && (x.State == finding.SealWritten || x.State == finding.SealSame):
		p.place(label+name+"   plugin "+finding.Claim(x.Version).Short(20), finding.Claim(x.File).Short(120))
	case (x.State == finding.SealWritten || x.State == finding.SealSame) && x.Surface == "":
		p.place(label+name+"   launch only", finding.Claim(x.File).Short(120))
	case x.State == finding.SealWritten || x.State == finding.SealSame:
		p.place(label+name+fmt.Sprintf("  %9s", count(x.Tools, "tool")), finding.Claim(x.File).Short(120))
	default:
		p.place(label+name, x.Location.String())
	}
	if x.Reason != "" { // of what was sealed: what its lock leaves open
		p.hang(2, "why", dim, x.Reason)
	}
	p.findings(x.Findings)
	if x.Inspection != nil && x.Inspection.Failure != nil {
		p.failure(finding.Inspection{Failure: x.Inspection.Failure})
	}
	if x.Next != "" && x.State == finding.SealDiffers {
		p.hang(2, "to accept", bold, x.Next)
	}
}

const nameWidth = 40

func (p *page) sealTotal(r finding.Sealing) {
	n := map[finding.SealState]int{}
	for _, x := range r.Sealed {
		n[x.State]++
	}
	text := ""
	for _, st := range []finding.SealState{finding.SealWritten, finding.SealSame, finding.SealDiffers, finding.SealRefused, finding.SealUnread} {
		if n[st] > 0 {
			text += fmt.Sprintf("%d %s, ", n[st], sealWords[st].word)
		}
	}
	if text == "" {
		text = "nothing declared, nothing to seal, "
	}
	p.line("%s   exit %d", text[:len(text)-2], r.ExitCode)
}
