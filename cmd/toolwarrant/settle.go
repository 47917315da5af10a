package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// settle decides over one proposal and writes its lock where that is accepted.
func (s *sealRun) settle(p scanner.Proposal, started bool, code string) (finding.Sealed, error) {
	out := finding.Sealed{Name: p.Target.Name, Location: p.Target.At(), File: s.file(p), Reason: p.Reason, Findings: p.Findings, Next: s.next(p)}
	if len(p.Data) > 0 {
		out.Surface, out.Launch, out.Accept = p.New.Surface(), p.New.Launch.Digest, scanner.Short(p.Accept())
		out.Tools = len(p.New.Tools())
	}
	if !started {
		out.State, out.Reason = finding.SealRefused, "its start was not approved: --yes approves it, a terminal asks"
		return out, nil
	}
	switch p.Fate {
	case scanner.NotRead:
		out.State, out.Inspection = finding.SealUnread, &p.Inspection
	case scanner.Unclear:
		out.State = finding.SealUnread
	case scanner.Worthless, scanner.Barred, scanner.Unconfined:
		out.State = finding.SealRefused
	case scanner.Same:
		out.State = finding.SealSame
	case scanner.Fresh, scanner.Refreshed:
		out.State = finding.SealWritten
	case scanner.Differs:
		out.State = s.accepted(p, out)
	}
	if s.Out != "" && out.State == finding.SealSame {
		out.State = finding.SealWritten
	}
	return out, s.carryOut(p, out.State, code)
}

// file is where the lock goes, for people.
func (s *sealRun) file(p scanner.Proposal) string {
	if s.Out != "" {
		return s.Out
	}
	return p.File
}

func (s *sealRun) next(p scanner.Proposal) string {
	if p.Fate != scanner.Differs {
		return ""
	}
	who := scanner.Short(p.Target.Launch.Digest)
	if !s.given(s.a) {
		return fmt.Sprintf("toolwarrant seal %s --accept %s", who, strings.TrimPrefix(scanner.Short(p.Accept()), "sha256:"))
	}
	return "the same command with --accept " + strings.TrimPrefix(scanner.Short(p.Accept()), "sha256:")
}

// accepted reports whether the user takes the difference.
func (s *sealRun) accepted(p scanner.Proposal, shown finding.Sealed) finding.SealState {
	if s.Force || slices.ContainsFunc(s.Accept, func(d string) bool { return accepts(d, p.Accept()) }) {
		return finding.SealWritten
	}
	if len(s.Accept) > 0 || !s.a.interactive() {
		return finding.SealDiffers
	}
	shown.State = finding.SealDiffers
	var b bytes.Buffer
	if report.Sealing(&b, finding.NewSealing([]finding.Sealed{shown}), report.Style{Width: s.a.width(), Color: s.color(s.a)}) != nil {
		return finding.SealDiffers
	}
	_, _ = s.a.stderr.Write(b.Bytes())
	if s.a.ask("Replace the lock?") {
		return finding.SealWritten
	}
	return finding.SealDiffers
}

// accepts reports whether a digest given by the user is that of the proposal.
func accepts(given, digest string) bool {
	const enough = 12
	given = strings.TrimPrefix(strings.ToLower(given), "sha256:")
	return len(given) >= enough && strings.HasPrefix(strings.TrimPrefix(digest, "sha256:"), given)
}

// carryOut writes the lock and remembers the user's approval of the launch.
func (s *sealRun) carryOut(p scanner.Proposal, state finding.SealState, code string) error {
	switch {
	case state != finding.SealWritten && state != finding.SealSame:
		return nil
	case state == finding.SealWritten && s.Out != "":
		if tree := scanner.TreeFile(s.Out, p.New.Artifact); tree != "" {
			if err := s.a.writeFile(tree, p.TreeData); err != nil {
				return err
			}
		}
		if err := s.a.writeFile(s.Out, p.Data); err != nil {
			return err
		}
	case state == finding.SealWritten:
		files := sealedFiles{lock: p.File, data: p.Data, tree: scanner.TreeFile(p.File, p.New.Artifact), treeData: p.TreeData}
		if old := p.Target.Lock; old != nil && old.File == p.File {
			files.old = scanner.TreeFile(old.File, old.Entry.Artifact)
		}
		if err := files.write(s.r.store); err != nil {
			return err
		}
	}
	if code == "" {
		return nil // more repository code than is looked at: each start asks anew
	}
	if err := s.approved.Add(p.Target.Launch.Digest, scanner.Approval(code, p.New.Artifact)); err != nil {
		return err
	}
	return s.approved.Add(p.Target.Launch.Digest, asked(code))
}

// asked is recorded beside an approval: sealing again takes what the registry gives
// by then, and does not ask again whether it may.
func asked(code string) string { return "asked " + code }
