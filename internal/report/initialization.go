package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

var fileWords = map[finding.FileState]struct{ word, color string }{
	finding.FileWritten: {"written", green}, finding.FileThere: {"there", dim}, finding.FilePlanned: {"would write", yellow},
	finding.FileLeft: {"left out", yellow}, finding.FileProposed: {"proposed", yellow}, finding.FileUnknown: {"left out", yellow},
}

// Initialization shows what was found, what was written and sealed, and what is
// to be done next.
func Initialization(w io.Writer, r finding.Initialization, s Style) error {
	p := &page{w: w, s: s}
	if s.Quiet {
		p.line("%s   exit %d", initialized(r), r.ExitCode)
		return p.err
	}
	p.found(r.Found)
	for _, x := range r.Sealed {
		p.sealed(x, nameRoom(r.Sealed))
	}
	for _, f := range r.Files {
		p.newFile(f)
	}
	p.line("%s   exit %d", initialized(r), r.ExitCode)
	for _, n := range r.Next {
		command, why, _ := strings.Cut(n, "   ")
		p.beside("next: "+finding.Claim(command).String(), why)
	}
	return p.err
}

func nameRoom(list []finding.Sealed) int {
	width := 0
	for _, x := range list {
		width = max(width, len([]rune(finding.Claim(x.Name).Short(nameWidth))))
	}
	return width
}

// found tells of each server how it is pinned, and what is wrong with files.
func (p *page) found(l finding.Listing) {
	width := 0
	for _, x := range l.Servers {
		width = max(width, len([]rune(finding.Claim(x.Name).Short(listName))))
	}
	for _, x := range l.Servers {
		name := finding.Claim(x.Name).Short(listName)
		p.place(fmt.Sprintf("found       %s%s   %s", name, strings.Repeat(" ", width-len([]rune(name))), pinWords(x.Pin)), x.Location.String())
	}
	for _, f := range append(append([]finding.Finding{}, l.Invalid...), l.Unread...) {
		if f.Level != finding.Note {
			p.line("%s", f.Location)
			p.finding(f)
		}
	}
	if len(l.Servers) > 0 {
		p.line("")
	}
}

// pinWords tell how far a declaration fixes what runs.
func pinWords(pin string) string {
	switch pin {
	case "immutable":
		return "pinned by digest"
	case "exact":
		return "exact version "
	case "floating":
		return "version floats"
	case "lockfile":
		return "by a lock file"
	case "local":
		return "code of the repository"
	case "remote":
		return "remote address"
	case "":
		return "not understood"
	}
	return pin
}

func (p *page) newFile(f finding.NewFile) {
	word := fileWords[f.State]
	p.line("%s%s%s", p.s.paint(word.color, word.word), strings.Repeat(" ", 12-len(word.word)), finding.Claim(f.Path).Short(120))
	if f.Why != "" {
		p.hang(2, "", "", f.Why)
	}
	if f.Text == "" || f.State != finding.FileProposed && !p.s.Verbose {
		return
	}
	for l := range strings.SplitSeq(strings.TrimSuffix(f.Text, "\n"), "\n") {
		p.line("    %s", finding.Claim(l))
	}
}

// initialized counts what was done.
func initialized(r finding.Initialization) string {
	n := map[finding.SealState]int{}
	for _, x := range r.Sealed {
		n[x.State]++
	}
	files := map[finding.FileState]int{}
	for _, f := range r.Files {
		files[f.State]++
	}
	if r.DryRun {
		return fmt.Sprintf("%s found, %s would be written, nothing was written or started", count(len(r.Found.Servers), "server"), count(files[finding.FilePlanned], "file"))
	}
	var parts []string
	for _, st := range []finding.SealState{finding.SealWritten, finding.SealSame, finding.SealDiffers, finding.SealRefused, finding.SealUnread} {
		if n[st] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[st], sealWords[st].word))
		}
	}
	if len(r.Found.Servers) == 0 {
		parts = append(parts, "nothing declared")
	}
	return strings.Join(append(parts, count(files[finding.FileWritten], "file")+" written"), ", ")
}
