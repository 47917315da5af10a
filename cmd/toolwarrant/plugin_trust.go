package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/report"
)

// publisherFlags name a publisher.
type publisherFlags struct {
	outputFlags
	Publisher string `arg:"" help:"The fingerprint of the publisher's key: 64 hex digits, as plugin verify prints them."`
}

// pluginTrustCmd trusts a publisher.
type pluginTrustCmd struct{ publisherFlags }

// pluginRevokeCmd revokes one.
type pluginRevokeCmd struct{ publisherFlags }

// Run writes the policy of the work tree; it counts once it is merged.
func (c *pluginTrustCmd) Run(a *app) (finding.Outcome, error) {
	return c.edit(a, "trusted", policy.Trust)
}

// Run writes the policy of the work tree.
func (c *pluginRevokeCmd) Run(a *app) (finding.Outcome, error) {
	return c.edit(a, "revoked", policy.Revoke)
}

// publisherView is what trust and revoke tell.
type publisherView struct {
	Schema    string `json:"schema"`
	Publisher string `json:"publisher"`
	State     string `json:"state"` // trusted or revoked
	File      string `json:"file"`
	Changed   bool   `json:"changed"`
}

func (c publisherFlags) edit(a *app, state string, edit func([]byte, string) ([]byte, error)) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	key := strings.ToLower(c.Publisher)
	if !plugin.ValidPin(key) {
		return 0, usage("toolwarrant plugin verify FILE prints it", "a publisher is the SHA-256 of a key: 64 hex digits")
	}
	r, err := a.openFolder(findRoot(a.dir))
	if err != nil {
		return 0, err
	}
	defer r.close()
	old, err := fs.ReadFile(r.store.FS(), policy.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, usage("make it a plain file", "%s cannot be read", policy.File)
	}
	text, err := edit(old, key)
	switch {
	case errors.Is(err, policy.ErrRevoked):
		return 0, usage("who takes that back deletes it from publishers.revoked by hand", "the key %s is revoked", key)
	case errors.Is(err, policy.ErrBroken):
		return 0, usage("toolwarrant policy check tells what is wrong", "%s is not valid, and was left as it is", policy.File)
	case err != nil:
		return 0, usage("", "%v", err)
	}
	v := publisherView{Schema: "toolwarrant.publisher/1", Publisher: key, State: state, File: policy.File, Changed: string(text) != string(old)}
	if v.Changed {
		if err := r.store.Write(policy.File, text); err != nil {
			return 0, err
		}
	}
	return finding.Clean, c.write(a, view{json: v, text: v.text})
}

func (v publisherView) text(w io.Writer, _ report.Style) error {
	how := "was so before"
	if v.Changed {
		how = "in " + v.File + ", which counts once it is committed where the anchor is"
	}
	_, err := fmt.Fprintf(w, "%s is %s: %s\n", v.Publisher, v.State, how)
	return err
}
