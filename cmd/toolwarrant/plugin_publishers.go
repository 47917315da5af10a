package main

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// judgeArchive judges an archive with what the anchor's policy says of
// publishers. What the default branch revokes counts whatever the anchor says.
// Under a policy that cannot be read in full nobody knows who is revoked, so that
// a signed archive is not accepted.
func judgeArchive(r io.Reader, o plugin.Options, anchor scanner.Options) (finding.Plugin, error) {
	known, sound := publishers(anchor.Anchor.FS)
	tip, tipSound := publishers(anchor.Tip)
	o.Trusted, o.Revoked = known.Trusted, slices.Concat(known.Revoked, tip.Revoked)
	v, err := plugin.Check(r, o)
	if v.Verdict == finding.Accepted && v.Signature.Valid && !(sound && tipSound) {
		v.Verdict, v.Outcome = "", finding.Undetermined
		v.Reason = "the anchor's policy cannot be read in full, so that nobody knows whether the publisher is revoked"
	}
	return v, err
}

// publishers are those of the policy of a tree, and whether all of it was
// understood. A tree without a policy trusts and revokes nobody.
func publishers(fsys fs.FS) (policy.Publishers, bool) {
	if fsys == nil {
		return policy.Publishers{}, true
	}
	data, err := fs.ReadFile(fsys, policy.File)
	if err != nil {
		return policy.Publishers{}, errors.Is(err, fs.ErrNotExist)
	}
	p, _ := policy.Parse(data, policy.File)
	return p.Publishers, !p.Broken()
}
