package main

import (
	"io"
	"slices"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// pluginActions are what a review of a plugin may do.
var pluginActions = []string{"approve", "enable", "disable", "revoke", "rollback"}

// reviewPlugin decides about one version of a plugin. It fetches nothing: what is
// approved stands in the lock.
func (c *reviewCmd) reviewPlugin(a *app, r *repository, t scanner.PluginTarget) (finding.Outcome, error) {
	if err := c.aboutPlugins(); err != nil {
		return 0, err
	}
	sealed := finding.Sealed{Name: t.Name, Location: t.At(), State: finding.SealRefused}
	signers, _, err := a.signers(r)
	if err != nil {
		return 0, err
	}
	only := slices.Sorted(slices.Values(c.Only))
	next, refused := t.Review(scanner.PluginReview{Action: c.Action, Package: c.Package, Replaces: c.Replaces, Only: slices.Compact(only),
		ConfirmUntrusted: c.ConfirmUntrusted, By: c.By}, signers)
	if sealed.Reason = refused; refused == "" {
		data, err := next.Bytes()
		if err != nil {
			return 0, err
		}
		record, err := a.approvals(r.root)
		if err != nil {
			return 0, err
		}
		defer func() { _ = record.Close() }()
		if err := writePlugin(r, record, pluginWrite{t.Lock.File, data, t.Lock.Digest()}); err != nil {
			return 0, err
		}
		sealed.State, sealed.File = finding.SealWritten, t.Lock.File
		sealed.Version, sealed.Surface = t.Reviewed(next)
	}
	sealing := finding.NewSealing([]finding.Sealed{sealed})
	sealing.ExitCode = exitCodes[sealing.Outcome]
	return sealing.Outcome, c.write(a, view{json: sealing, text: func(w io.Writer, s report.Style) error { return report.Sealing(w, sealing, s) }})
}

// aboutPlugins holds the flags against the action.
func (c *reviewCmd) aboutPlugins() error {
	switch {
	case !slices.Contains(pluginActions, c.Action):
		return usage("for a plugin: "+inWords(pluginActions), "%s is about servers", c.Action)
	case c.Launch != "" || c.Surface != "":
		return usage("--package names a version of a plugin", "--launch and --surface are about servers")
	case len(c.Only) > 0 && c.Action != "enable":
		return usage("", "--only is about enable")
	case c.Replaces != "" && c.Action != "enable" && c.Action != "rollback":
		return usage("", "--replaces is about enable and rollback")
	case c.ConfirmUntrusted && (c.Action == "disable" || c.Action == "revoke"):
		return usage("", "--confirm-untrusted is about approve, enable and rollback")
	}
	return nil
}

// aboutServers is the same for a server.
func (c *reviewCmd) aboutServers() error {
	switch {
	case c.Action == "approve" || c.Action == "enable" || c.Action == "rollback":
		return usage("for a server: approve-launch, approve-surface, disable and revoke", "%s is about plugins, and no plugin is named %q", c.Action, c.Name)
	case c.Package != "" || c.Replaces != "" || len(c.Only) > 0 || c.ConfirmUntrusted:
		return usage("", "--package, --replaces, --only and --confirm-untrusted are about plugins, and no plugin is named %q", c.Name)
	}
	return nil
}
