package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/toolwarrant/toolwarrant/internal/fetch"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/scanner"
)

// pluginSources gets declared plugins for a run.
type pluginSources struct {
	a      *app
	root   string // of the repository: nothing of it is started or believed
	cache  func() (fetch.Archives, error)
	permit fetch.Permit
}

func (f liveFlags) plugins(a *app, root string, permit fetch.Permit) scanner.Plugins {
	return pluginSources{a: a, root: root, permit: permit, cache: func() (fetch.Archives, error) {
		where, err := f.cacheFolders(a)
		return fetch.OpenArchives(filepath.Join(filepath.Dir(where.tarballs), "archives")), err
	}}
}

// Get asks the cache for bytes that a digest names, and else the source. A commit is
// always asked for: only its repository can say that it holds the archive.
func (s pluginSources) Get(ctx context.Context, p policy.Plugin) (scanner.PluginBytes, error) {
	config, err := fetch.EnvironmentConfig(s.a.environ, s.root)
	if err != nil {
		return scanner.PluginBytes{}, err
	}
	cache, err := s.cache()
	if err != nil {
		return scanner.PluginBytes{}, err
	}
	var got scanner.PluginBytes
	if p.Git != "" {
		got, err = s.commit(ctx, config, p)
	} else {
		got, err = s.archive(ctx, config, cache, p)
	}
	if err != nil {
		return got, explained(ctx, err)
	}
	if len(got.Archive) <= plugin.MaxArchive {
		_ = cache.Put(got.Archive) // what cannot be kept is fetched again
	}
	return got, nil
}

func (s pluginSources) archive(ctx context.Context, config fetch.Config, cache fetch.Archives, p policy.Plugin) (scanner.PluginBytes, error) {
	if data := cache.Get(p.SHA256, plugin.MaxArchive); data != nil {
		return scanner.PluginBytes{Archive: data}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	body, err := config.Archive(ctx, p.URL, s.permit)
	if err != nil {
		return scanner.PluginBytes{}, err
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(io.LimitReader(body, plugin.MaxArchive+1))
	return scanner.PluginBytes{Archive: data}, err
}

func (s pluginSources) commit(ctx context.Context, config fetch.Config, p policy.Plugin) (scanner.PluginBytes, error) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	c, err := config.Commit(ctx, p.Git, p.Commit, fetch.GitOptions{PATH: s.a.getenv("PATH"), Forbidden: []string{s.root}, Permit: s.permit})
	if err != nil {
		return scanner.PluginBytes{}, err
	}
	defer c.Close()
	data, err := c.File(ctx, p.Path, plugin.MaxArchive)
	if err != nil {
		return scanner.PluginBytes{}, err
	}
	reach, err := c.Reach(ctx)
	return scanner.PluginBytes{Archive: data, Reach: reach}, err
}

// explained is why nothing came, in our words.
func explained(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("it did not come in time")
	}
	failed, ok := errors.AsType[*fetch.DownloadError](err)
	switch {
	case ok && failed.Way != "":
		return fmt.Errorf("%s: %s", failed.Detail, failed.Way)
	case ok:
		return err
	}
	return errors.New("it broke off")
}

// pluginsNamed splits names into the plugins that they mean and the rest.
func (r *repository) pluginsNamed(names []string) (found []scanner.PluginTarget, rest []string) {
	for _, n := range names {
		known := false
		for _, t := range r.Plugins {
			if t.Named(n) {
				found, known = append(found, t), true
			}
		}
		if !known {
			rest = append(rest, n)
		}
	}
	return found, rest
}

// signers are the publishers by which a person's decision is judged: whom the work
// tree's policy trusts, which is what is proposed, and whom it, the anchor or the
// default branch revokes. Beside them comes the anchor, which alone says what private
// hosts may be asked: a work tree may come from anywhere.
func (a *app) signers(r *repository) (out policy.Publishers, anchor fs.FS, err error) {
	o := scanner.Options{Root: r.root, Head: r.store.FS()}
	if err := a.quietly(func() error { return anchorFlags{}.setAnchor(a, &o) }); err != nil {
		return out, nil, err
	}
	for i, fsys := range []fs.FS{r.store.FS(), o.Anchor.FS, o.Tip} {
		p, sound := publishers(fsys)
		if !sound {
			return out, nil, usage("toolwarrant policy check tells what is wrong", "a policy cannot be read in full, so that nobody knows whom it revokes")
		}
		if i == 0 {
			out.Trusted = p.Trusted
		}
		out.Revoked = append(out.Revoked, p.Revoked...)
	}
	return out, o.Anchor.FS, nil
}
