package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/store"
	"github.com/toolwarrant/toolwarrant/lockfile"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// plugins seals what the policy declares: fetching an archive starts nothing, so
// that nobody is asked before it comes.
func (s *sealRun) plugins(targets []scanner.PluginTarget) error {
	if len(targets) == 0 {
		return nil
	}
	signers, anchor, err := s.a.signers(s.r)
	if err != nil {
		return err
	}
	o := s.o
	o.Plugins = s.liveFlags.plugins(s.a, s.r.root, permitted(anchor))
	for _, t := range targets {
		if t.Declared == nil {
			if !s.All {
				return usage("delete the lock if it is not needed", "nothing declares %s", t.Name)
			}
			continue
		}
		result, err := s.settlePlugin(scanner.ProposePlugin(s.a.ctx, o, s.r.Repo, t, signers))
		if err != nil {
			return err
		}
		s.results = append(s.results, result)
	}
	return nil
}

// settlePlugin decides over one proposal and writes its lock where that is accepted.
func (s *sealRun) settlePlugin(p scanner.PluginProposal) (finding.Sealed, error) {
	out := finding.Sealed{Name: p.Target.Name, Location: p.Target.At(), File: p.File, Reason: p.Reason, Findings: p.Findings}
	if p.Version != nil {
		out.Version, out.Surface, out.Accept = p.Version.Version, p.Version.Package, scanner.Short(p.Accept())
	}
	switch p.Fate {
	case scanner.Worthless, scanner.Barred:
		out.State = finding.SealRefused
	case scanner.Same:
		out.State = finding.SealSame
	case scanner.Fresh, scanner.Refreshed:
		out.State = finding.SealWritten
	case scanner.Differs:
		out.Next = "toolwarrant seal " + scanner.PluginName(p.Target.Name) + " --accept " + strings.TrimPrefix(out.Accept, "sha256:")
		out.State = s.acceptedPlugin(p, out)
	default:
		out.State = finding.SealUnread
	}
	if out.State != finding.SealWritten && out.State != finding.SealSame {
		return out, nil
	}
	return out, writePlugin(s.r, s.approved, pluginWrite{p.File, p.Data, p.Replaces})
}

// acceptedPlugin reports whether the user takes the difference.
func (s *sealRun) acceptedPlugin(p scanner.PluginProposal, shown finding.Sealed) finding.SealState {
	for _, d := range s.Accept {
		if accepts(d, p.Accept()) {
			return finding.SealWritten
		}
	}
	if s.Force {
		return finding.SealWritten
	}
	if shown.State = finding.SealDiffers; len(s.Accept) > 0 || !s.a.interactive() {
		return shown.State
	}
	var b bytes.Buffer
	if report.Sealing(&b, finding.NewSealing([]finding.Sealed{shown}), report.Style{Width: s.a.width(), Color: s.color(s.a)}) != nil {
		return shown.State
	}
	_, _ = s.a.stderr.Write(b.Bytes())
	if s.a.ask("Replace the lock?") {
		return finding.SealWritten
	}
	return shown.State
}

// pluginWrite is a lock of a plugin to be written, and the digest of the one that it
// was made from; empty where none was believed.
type pluginWrite struct {
	file     string
	data     []byte
	replaces string
}

// writePlugin writes the lock of a plugin, by one rename, and records that this user
// wrote it. A lock that is no longer the one that was read is left alone: what
// changed may be a revocation.
func writePlugin(r *repository, record *store.Approvals, w pluginWrite) error {
	err := r.store.Swap(w.file, w.follows, w.data)
	if errors.Is(err, store.ErrChanged) {
		return fmt.Errorf("%w: run the command again", err)
	} else if err != nil {
		return err
	}
	return record.Add(scanner.PluginApproval(w.data), scanner.PluginApproved)
}

func (w pluginWrite) follows(now []byte) bool {
	if w.replaces != "" {
		return scanner.PluginApproval(now) == w.replaces
	}
	_, err := lockfile.ParsePlugin(now)
	return err != nil
}
