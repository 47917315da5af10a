package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// pluginFetchCmd gets one archive and judges it.
type pluginFetchCmd struct {
	reportFlags
	anchorFlags
	SHA256 string `name:"sha256" placeholder:"HEX" help:"The archive's SHA-256. Other bytes are not opened."`
	Commit string `placeholder:"HEX" help:"URL is a git repository: the full id of the commit that holds the archive."`
	Path   string `placeholder:"PATH" help:"Where in the commit; a folder ends in a slash, and is hashed alone. (plugin.zip)"`
	Strict bool   `help:"Reject what the format lets pass and other readers may see otherwise."`
	Out    string `placeholder:"FILE" help:"Write the archive there, if it is accepted."`
	URL    string `arg:"" help:"Where the archive lies, or with --commit the repository, as https://HOST/PATH."`
}

// The whole of a download is bounded: an archive has 4 MiB at most, a folder more.
const (
	fetchTime  = 2 * time.Minute
	commitTime = 5 * time.Minute
)

func (c *pluginFetchCmd) limit() time.Duration {
	if c.Commit != "" {
		return commitTime
	}
	return fetchTime
}

// Run writes nothing but --out, and that only if the archive is accepted.
func (c *pluginFetchCmd) Run(a *app) (finding.Outcome, error) {
	if _, err := c.outputs(); err != nil {
		return 0, err
	}
	if err := c.valid(); err != nil {
		return 0, err
	}
	if c.Commit != "" && c.Path == "" {
		c.Path = "plugin.zip"
	}
	v, archive, err := c.fetch(a)
	if err != nil {
		return 0, err
	}
	if v.Verdict == finding.Accepted && c.Out != "" {
		if err := a.writeFile(c.Out, archive); err != nil {
			return 0, err
		}
	}
	place := ""
	if c.Out != "" {
		place = a.fromRoot(c.Out)
	}
	return c.tell(a, v, place)
}

// fetch judges what comes. The anchor's policy says which private hosts may be
// asked.
func (c *pluginFetchCmd) fetch(a *app) (finding.Plugin, []byte, error) {
	o := scanner.Options{Root: findRoot(a.dir)}
	if err := a.quietly(func() error { return c.setAnchor(a, &o) }); err != nil {
		return finding.Plugin{}, nil, err
	}
	config, err := fetch.EnvironmentConfig(a.environ, findRoot(a.dir))
	if err != nil {
		return finding.Plugin{}, nil, usage(hintOf(err), "%v", err)
	}
	ctx, cancel := context.WithTimeout(a.ctx, c.limit())
	defer cancel()
	if c.Commit != "" {
		return c.fromGit(ctx, a, config, o)
	}
	body, err := config.Archive(ctx, c.URL, permitted(o.Anchor.FS))
	if err != nil {
		return c.unfetched(ctx, err), nil, nil
	}
	defer func() { _ = body.Close() }()
	var archive bytes.Buffer
	name, _ := secret.Mask(c.URL)
	v, err := judgeArchive(io.TeeReader(body, &archive), plugin.Options{File: name, Pin: c.SHA256, Strict: c.Strict}, o)
	if err != nil {
		return c.unfetched(ctx, err), nil, nil
	}
	return v, archive.Bytes(), nil
}

// unfetched is the result where no archive came: refused where a rule of ours
// says so, else unread.
func (c *pluginFetchCmd) unfetched(ctx context.Context, err error) finding.Plugin {
	outcome, reason := finding.Undetermined, "it was not fetched"
	if failed, ok := errors.AsType[*fetch.DownloadError](err); ok {
		if reason = failed.Detail; failed.Way != "" {
			reason += ": " + failed.Way
		}
		if failed.Refused {
			outcome = finding.Refused
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		reason = fmt.Sprintf("it did not come within %s", c.limit())
	}
	name, _ := secret.Mask(c.URL)
	return finding.UnreadPlugin(name, outcome, reason)
}
