package scanner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/lockfile"
)

// PluginReview is what somebody decides about a version of a plugin.
type PluginReview struct {
	Action           string // approve, enable, disable, revoke or rollback
	Package          string // digits of the package's digest; empty for the declared version
	Replaces         string // digits of the digest of the version that is enabled now
	Only             []string
	ConfirmUntrusted bool
	By               string
}

// Review is the lock after a decision, or why there is none. It is one value, so
// that writing it is one rename: at no moment are two versions enabled, or is none
// where one was replaced.
func (t PluginTarget) Review(d PluginReview, publishers policy.Publishers) (lockfile.Plugin, string) {
	v, refused := t.chosen(d)
	if refused != "" {
		return lockfile.Plugin{}, refused
	}
	now := *v
	if d.Action != "disable" && d.Action != "revoke" {
		if refused := mayTake(&now, d, publishers); refused != "" {
			return lockfile.Plugin{}, refused
		}
	}
	p := t.Lock.Plugin
	if refused := pluginMove(&now, d); refused != "" {
		return lockfile.Plugin{}, refused
	}
	if d.Action == "enable" || d.Action == "rollback" {
		if p, refused = replaced(p, now, d); refused != "" {
			return lockfile.Plugin{}, refused
		}
	}
	if now.By = d.By; len(d.Only) > 0 {
		now.Only = d.Only
	}
	return p.With(now), ""
}

// Reviewed is the version, with its package's digest, in which the lock after a
// decision differs; the one that was enabled where two do.
func (t PluginTarget) Reviewed(next lockfile.Plugin) (version, digest string) {
	for _, v := range next.Versions {
		was := t.Lock.Plugin.From(v.Source, v.Pin)
		if was != nil && was.State == v.State && was.ConfirmUntrusted == v.ConfirmUntrusted && was.By == v.By && slices.Equal(was.Only, v.Only) {
			continue
		}
		if version == "" || v.State == lockfile.PluginEnabled {
			version, digest = v.Version, v.Package
		}
	}
	if version == "" {
		last := next.Versions[len(next.Versions)-1]
		return last.Version, last.Package
	}
	return version, digest
}

// chosen is the version that a decision is about.
func (t PluginTarget) chosen(d PluginReview) (*lockfile.PluginVersion, string) {
	if t.Lock == nil {
		return nil, "it has no lock: toolwarrant seal comes first"
	}
	if d.Package == "" {
		if v := t.version(); v != nil && d.Action != "rollback" {
			return v, ""
		}
		return nil, "name the version with --package; the lock has " + t.Lock.versions()
	}
	var found []*lockfile.PluginVersion
	for i, v := range t.Lock.Plugin.Versions {
		if digitsOf(d.Package, v.Package) || digitsOf(d.Package, v.Archive) {
			found = append(found, &t.Lock.Plugin.Versions[i])
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Sprintf("no version is %s; the lock has %s", finding.Claim(d.Package).Short(80), t.Lock.versions())
	case 1:
		return found[0], ""
	}
	if v := t.version(); v != nil && slices.Contains(found, v) { // the same package from two sources
		return v, ""
	}
	return nil, "several archives hold that package; name one by its archive: " + archivesOf(found)
}

// archivesOf tells archives of one package apart: one may be the other without its
// signature.
func archivesOf(versions []*lockfile.PluginVersion) string {
	var out []string
	for _, v := range versions {
		out = append(out, fmt.Sprintf("%s (signature %s, %s)", strings.TrimPrefix(Short(v.Archive), "sha256:"), v.Signature.State, v.State))
	}
	return strings.Join(out, ", ")
}

// digitsOf reports whether at least 12 digits are the beginning of a digest.
func digitsOf(given, digest string) bool {
	given = strings.TrimPrefix(strings.ToLower(given), "sha256:")
	return len(given) >= 12 && strings.HasPrefix(strings.TrimPrefix(digest, "sha256:"), given)
}

// versions are those of a lock for a sentence.
func (l PluginLock) versions() string {
	var out []string
	for _, v := range l.Plugin.Versions {
		out = append(out, fmt.Sprintf("%s %s (%s)", finding.Claim(v.Version).Short(20), strings.TrimPrefix(Short(v.Package), "sha256:"), v.State))
	}
	return strings.Join(out, ", ")
}

// mayTake asks who signed. A revoked key is never taken, whatever else is said.
func mayTake(v *lockfile.PluginVersion, d PluginReview, publishers policy.Publishers) string {
	if v.Signature.State == lockfile.SignatureValid && slices.Contains(publishers.Revoked, v.Signature.Publisher) {
		return "the policy has revoked the key that signed it"
	}
	if !Untrusted(*v, publishers.Trusted) {
		return ""
	}
	if !d.ConfirmUntrusted && !v.ConfirmUntrusted {
		return untrustedReason(*v) + ": --confirm-untrusted takes it all the same"
	}
	v.ConfirmUntrusted = true
	return ""
}

// pluginMoves are the states from which each action leads, and where to; an empty
// one leaves the state as it is.
var pluginMoves = map[string]map[lockfile.PluginState]lockfile.PluginState{
	"approve": {lockfile.PluginStaged: lockfile.PluginApproved, lockfile.PluginRolledBack: lockfile.PluginApproved,
		lockfile.PluginApproved: lockfile.PluginApproved, lockfile.PluginEnabled: lockfile.PluginEnabled},
	"enable": {lockfile.PluginApproved: lockfile.PluginEnabled, lockfile.PluginDisabled: lockfile.PluginEnabled, lockfile.PluginEnabled: lockfile.PluginEnabled},
	"disable": {lockfile.PluginStaged: lockfile.PluginDisabled, lockfile.PluginApproved: lockfile.PluginDisabled,
		lockfile.PluginEnabled: lockfile.PluginDisabled, lockfile.PluginDisabled: lockfile.PluginDisabled},
	"revoke": {lockfile.PluginStaged: lockfile.PluginRevoked, lockfile.PluginApproved: lockfile.PluginRevoked, lockfile.PluginEnabled: lockfile.PluginRevoked,
		lockfile.PluginDisabled: lockfile.PluginRevoked, lockfile.PluginRolledBack: lockfile.PluginRevoked, lockfile.PluginRevoked: lockfile.PluginRevoked},
	"rollback": {lockfile.PluginRolledBack: lockfile.PluginEnabled, lockfile.PluginApproved: lockfile.PluginEnabled},
}

func pluginMove(v *lockfile.PluginVersion, d PluginReview) string {
	to, ok := pluginMoves[d.Action][v.State]
	if !ok {
		return fmt.Sprintf("%s does not lead out of %s", d.Action, v.State)
	}
	if d.Action == "enable" {
		for _, kind := range d.Only {
			if !slices.Contains(PluginKinds(*v), kind) {
				return fmt.Sprintf("it brings no %s; it brings %s", finding.Claim(kind).Short(40), strings.Join(PluginKinds(*v), ", "))
			}
		}
		v.Only = nil
	}
	v.State = to
	return ""
}

// replaced rolls back the version that is enabled, where another one is. Both are
// to be named: who upgrades says from what to what.
func replaced(p lockfile.Plugin, now lockfile.PluginVersion, d PluginReview) (lockfile.Plugin, string) {
	e := p.Enabled()
	switch {
	case e == nil && d.Replaces != "":
		return p, "no version is enabled, so that none is replaced"
	case e == nil || e.Source == now.Source && e.Pin == now.Pin:
		return p, ""
	case d.Package == "" || d.Replaces == "" || !digitsOf(d.Replaces, e.Package) && !digitsOf(d.Replaces, e.Archive):
		return p, fmt.Sprintf("%s is enabled: name both, with --package %s --replaces %s", finding.Claim(e.Version).Short(20),
			strings.TrimPrefix(Short(now.Package), "sha256:"), strings.TrimPrefix(Short(e.Package), "sha256:"))
	}
	was := *e
	was.State = lockfile.PluginRolledBack
	return p.With(was), ""
}

// contributions are the kinds of contributions by the kinds of an inventory.
var contributions = map[string]string{"mcp-server": "mcp_servers", "mcp-remote": "mcp_servers", "hook": "hooks", "skill": "skills", "skill-command": "skills"}

// PluginKinds are the kinds of contributions of a version, sorted.
func PluginKinds(v lockfile.PluginVersion) []string {
	var out []string
	for _, i := range v.Inventory {
		if kind := contributions[i.Kind]; kind != "" {
			out = append(out, kind)
		}
	}
	for _, f := range v.Files {
		if strings.HasPrefix(f.Path, "ui/") {
			out = append(out, "ui_metadata")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
