package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// pluginCmd is about plugin archives.
type pluginCmd struct {
	Fetch  pluginFetchCmd  `cmd:"" help:"Gets a plugin.v1 archive over https and judges it: one address, no redirect, only the bytes that --sha256 or a commit of a git repository names."`
	Trust  pluginTrustCmd  `cmd:"" help:"Trusts a publisher's key: writes it into the policy of this work tree, and nothing else of it."`
	Revoke pluginRevokeCmd `cmd:"" help:"Revokes a publisher's key in the policy of this work tree: nothing signed by it is taken any more."`
	Verify pluginVerifyCmd `cmd:"" help:"Is this plugin.v1 archive what it says? Its digests, signature, and everything in it that runs. Opens it in memory alone."`
}

// pluginVerifyCmd judges one archive.
type pluginVerifyCmd struct {
	reportFlags
	anchorFlags
	SHA256 string `name:"sha256" placeholder:"HEX" help:"The archive's SHA-256. Other bytes are not opened."`
	Strict bool   `help:"Reject what the format lets pass and other readers may see otherwise."`
	File   string `arg:"" help:"The archive."`
}

// Run writes nothing and starts nothing.
func (c *pluginVerifyCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	if c.SHA256 != "" {
		if err := validPin(c.SHA256); err != nil {
			return 0, err
		}
	}
	v, err := c.check(a)
	if err != nil {
		return 0, err
	}
	return c.tell(a, v, a.fromRoot(c.File))
}

func validPin(pin string) error {
	if !plugin.ValidPin(pin) {
		return usage("64 hex digits, as sha256sum prints them", "--sha256: %q is no SHA-256", pin)
	}
	return nil
}

// tell writes the result, which decides the exit code. place is the archive as a file
// of the work tree.
func (f reportFlags) tell(a *app, v finding.Plugin, place string) (finding.Outcome, error) {
	v.ExitCode = exitCodes[v.Outcome]
	return v.Outcome, f.write(a, view{json: v, more: pluginFormats(v, place), text: func(w io.Writer, s report.Style) error { return report.Plugin(w, v, s) }})
}

// check opens the archive. What is no plain file is refused before it is opened:
// reading a pipe or a device may wait, or do something.
func (c *pluginVerifyCmd) check(a *app) (finding.Plugin, error) {
	unread := func(o finding.Outcome, why string) (finding.Plugin, error) {
		return finding.UnreadPlugin(c.File, o, why), nil
	}
	info, err := os.Stat(a.abs(c.File))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding.Plugin{}, usage("", "there is no file %s", c.File)
	case err != nil:
		return unread(finding.Undetermined, "it cannot be opened")
	case !info.Mode().IsRegular():
		return unread(finding.Refused, "it is no plain file")
	}
	f, err := os.Open(a.abs(c.File))
	if err != nil {
		return unread(finding.Undetermined, "it cannot be opened")
	}
	defer func() { _ = f.Close() }()
	o := scanner.Options{Root: findRoot(a.dir)}
	if err := a.quietly(func() error { return c.setAnchor(a, &o) }); err != nil {
		return finding.Plugin{}, err
	}
	v, err := judgeArchive(f, plugin.Options{File: c.File, Pin: c.SHA256, Strict: c.Strict}, o)
	if err != nil {
		return unread(finding.Undetermined, "it cannot be read")
	}
	return v, nil
}

// quietly does something without its notes, which are about servers.
func (a *app) quietly(do func() error) error {
	stderr := a.stderr
	a.stderr = io.Discard
	defer func() { a.stderr = stderr }()
	return do()
}
