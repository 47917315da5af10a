package main

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/secret"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// fromGit fetches the archive at the path of a commit and judges it. A folder is
// fetched and hashed, and judged by nobody: it is undetermined.
func (c *pluginFetchCmd) fromGit(ctx context.Context, a *app, config fetch.Config, o scanner.Options) (finding.Plugin, []byte, error) {
	source := finding.PluginSource{Commit: c.Commit, Path: c.Path, Reach: finding.Unknown}
	commit, err := config.Commit(ctx, c.URL, c.Commit, fetch.GitOptions{PATH: a.getenv("PATH"), Forbidden: []string{o.Root}, Permit: permitted(o.Anchor.FS)})
	if err != nil {
		return c.unfetched(ctx, err), nil, nil
	}
	defer commit.Close()
	if weak := commit.Note(); weak != "" {
		a.note(weak)
	}
	name, _ := secret.Mask(c.URL)
	options := plugin.Options{File: name, Pin: c.SHA256, Strict: c.Strict, Source: &source}
	if folder, ok := strings.CutSuffix(c.Path, "/"); ok {
		return c.folder(ctx, commit, folder, options), nil, nil
	}
	archive, err := commit.File(ctx, c.Path, plugin.MaxArchive)
	failed, _ := errors.AsType[*fetch.DownloadError](err)
	large := failed != nil && failed.TooLarge
	if err == nil || large {
		source.Reach, err = commit.Reach(ctx)
	}
	switch {
	case err != nil:
		return c.unfetched(ctx, err), nil, nil
	case large:
		return plugin.Oversized(plugin.MaxArchive+1, options), nil, nil
	}
	v, err := judgeArchive(bytes.NewReader(archive), options, o)
	if err != nil {
		return c.unfetched(ctx, err), nil, nil
	}
	return v, archive, nil
}

// folder is the result for a folder: its digest, and no verdict.
func (c *pluginFetchCmd) folder(ctx context.Context, commit *fetch.Commit, path string, o plugin.Options) finding.Plugin {
	got, err := commit.Folder(ctx, path)
	if err == nil {
		o.Source.Reach, err = commit.Reach(ctx)
	}
	if err != nil {
		return c.unfetched(ctx, err)
	}
	o.Source.Digest, o.Source.Files = got.Digest, len(got.Files)
	v := finding.UnreadPlugin(o.File, finding.Undetermined, "it is a folder, which was fetched and hashed; plugin.v1 archives alone are judged")
	v.Source = o.Source
	return v
}

// valid holds the flags that name what is fetched against each other.
func (c *pluginFetchCmd) valid() error {
	switch {
	case c.SHA256 == "" && c.Commit == "":
		return usage("--sha256 HEX for an archive, --commit HEX for a repository", "nothing says which bytes are meant")
	case c.Commit == "" && c.Path != "":
		return usage("", "--path is a path in a repository, and needs --commit")
	case c.Commit != "" && !fetch.ValidCommit(c.Commit):
		return usage("40 or 64 hex digits, as git rev-parse prints them", "--commit: %q is no full id of a commit", c.Commit)
	case strings.HasSuffix(c.Path, "/") && c.SHA256+c.Out != "":
		return usage("", "--sha256 and --out are about an archive, and %q is a folder", c.Path)
	case c.SHA256 != "":
		return validPin(c.SHA256)
	}
	return nil
}
