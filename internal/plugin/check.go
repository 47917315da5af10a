package plugin

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Options are how an archive is checked.
type Options struct {
	File   string // how the archive is named in findings
	Pin    string // SHA-256 in hex that the archive must have; empty for none
	Strict bool   // doubts reject
	// Trusted and Revoked are fingerprints of publishers' keys, in hex, as the policy
	// has them.
	Trusted, Revoked []string
	// Source is where in a repository the archive lay; nil for one that comes from
	// elsewhere.
	Source *finding.PluginSource
}

// ValidPin reports whether s is a SHA-256 in hex.
func ValidPin(s string) bool { return digest(strings.ToLower(s)) }

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Check reads an archive and judges it for people and programs. One that has not
// the pinned digest is not opened, and of one that is too large no more is read
// than it takes to know that. An error is the reader's.
func Check(r io.Reader, o Options) (finding.Plugin, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxArchive+1))
	if err != nil {
		return finding.Plugin{}, err
	}
	if len(data) > MaxArchive {
		return Oversized(len(data), o), nil
	}
	if pin, got := strings.ToLower(o.Pin), sum(data); pin != "" && got != pin {
		p := Package{SHA256: got, Bytes: len(data)}
		p.Rejected = wrong(ruleDigest, "", "the archive's SHA-256 is %s, not the pinned %s", got, pin)
		return p.told(o), nil
	}
	return Read(data).told(o), nil
}

// Oversized is the result for an archive of which n bytes are there, or were read,
// and are more than an archive may have.
func Oversized(n int, o Options) finding.Plugin {
	return Package{Bytes: n, Rejected: tooLarge()}.told(o)
}

func tooLarge() *Problem { return wrong(ruleUnsafe, "", "an archive has 1 to %d bytes", MaxArchive) }

// told is a package as a result.
func (p Package) told(o Options) finding.Plugin {
	v := finding.Plugin{
		Schema: finding.PluginSchema, File: o.File, Pinned: o.Pin != "", Strict: o.Strict, Verdict: finding.Accepted, Outcome: finding.Clean, Source: o.Source,
		ArchiveSHA256: p.SHA256, ArchiveBytes: p.Bytes, PackageFingerprint: p.Fingerprint,
		Signature: finding.PluginSignature{Present: p.Signed, Valid: p.Valid, Trusted: o.trusts(p), PublisherFingerprint: p.Publisher},
		ID:        p.Manifest.ID, Version: p.Manifest.Version, Name: p.Manifest.Name, Publisher: p.Manifest.Publisher,
		Files: len(p.Manifest.Files), Inventory: []finding.PluginItem{}, Findings: []finding.Finding{},
	}
	for _, i := range p.Inventory {
		v.Inventory = append(v.Inventory, finding.PluginItem(i))
	}
	if p.Rejected == nil && p.Valid && slices.Contains(o.Revoked, p.Publisher) {
		p.Rejected = wrong(ruleRevoked, signatureName, "the policy has revoked the key %s", p.Publisher)
	}
	p.place(o.Source)
	if p.Rejected != nil {
		v.Findings = append(v.Findings, p.Rejected.finding(o, finding.Error))
		v.Reason = v.Findings[0].Message
	}
	for _, d := range p.Doubts {
		v.Findings = append(v.Findings, d.finding(o, finding.Warning))
	}
	if o.Strict && len(p.Doubts) > 0 {
		v.Reason = cmp.Or(v.Reason, fmt.Sprintf("%s (strict)", p.Doubts[0].Error()))
	}
	if v.Reason != "" {
		v.Verdict, v.Outcome = finding.Rejected, finding.Escalation
	}
	return v
}

// place judges whether the commit that an archive comes from belongs to its
// repository.
func (p *Package) place(s *finding.PluginSource) {
	if s == nil {
		return
	}
	switch s.Reach {
	case finding.Reached:
	case finding.Unreached:
		if p.Rejected == nil {
			p.Rejected = wrong(ruleCommitStray, "", "no branch and no tag of the repository leads to the commit %s", s.Commit)
		}
	default:
		p.Doubts = append(p.Doubts, *wrong(ruleCommitUnplaced, "", "the repository does not tell whether one of its branches or tags leads to the commit %s", s.Commit))
	}
}

// trusts reports whether somebody signed whom the policy trusts.
func (o Options) trusts(p Package) bool {
	return p.Valid && slices.Contains(o.Trusted, p.Publisher) && !slices.Contains(o.Revoked, p.Publisher)
}

// finding is a problem as it is told. A doubt counts in a strict check alone.
func (p Problem) finding(o Options, level finding.Level) finding.Finding {
	if level == finding.Warning && o.Strict {
		level = finding.Error
	}
	f := finding.New(p.Rule, level, finding.At(o.File, 0, 0), p.Error())
	if level == finding.Warning {
		f = f.As(finding.Clean)
	}
	if r, ok := find(p.Rule); ok && r.Level == finding.Error {
		f.Hint = r.Remedy
	}
	return f
}
