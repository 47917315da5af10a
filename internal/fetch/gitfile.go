package fetch

import (
	"context"
	"errors"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// File reads the regular file at a path, of at most so many bytes. A link, a
// submodule or a folder at the path is refused, and so is a link on the way. The
// error is a *DownloadError, or the context's.
func (c *Commit) File(ctx context.Context, path string, most int64) ([]byte, error) {
	e, err := c.find(ctx, path)
	if err != nil {
		return nil, err
	}
	if kind := gitKinds[e.mode]; kind != "file" {
		way := ""
		if kind == "folder" {
			way = "write a slash behind the path to mean the folder"
		}
		return nil, refuse(shown(path)+" is a "+kind+", not a file", way)
	}
	// What is packed may be larger than what it stands for, but not by much.
	if err := c.want(ctx, most+1<<20, []string{e.id}); err != nil {
		return nil, err
	}
	objects, err := c.store.read(ctx, "--batch")
	if err != nil {
		return nil, err
	}
	defer objects.close()
	return objects.get(e.id, "blob", most)
}

// find walks down to a path; the empty one is the whole commit.
func (c *Commit) find(ctx context.Context, path string) (gitEntry, error) {
	at := gitEntry{mode: gitFolder, id: c.tree}
	if path == "" {
		return at, nil
	}
	if err := gitPath(path); err != nil {
		return at, refuse("the path cannot be used: "+err.Error(), "")
	}
	objects, err := c.store.read(ctx, "--batch")
	if err != nil {
		return at, err
	}
	defer objects.close()
	for name := range strings.SplitSeq(path, "/") {
		if at.mode != gitFolder {
			return at, refuse("on the way to "+shown(path)+" is a "+gitKinds[at.mode]+", not a folder", "")
		}
		if at, err = objects.entry(at.id, name); err != nil {
			return at, err
		}
		if at.id == "" {
			return at, &DownloadError{Detail: "the commit has no " + shown(path), Way: "check the path"}
		}
	}
	return at, nil
}

// entry is one name of a tree, or nothing.
func (o *gitObjects) entry(tree, name string) (gitEntry, error) {
	entries, err := o.folder(tree)
	if err != nil {
		return gitEntry{}, err
	}
	for _, e := range entries {
		if e.name == name {
			return e, nil
		}
	}
	return gitEntry{}, nil
}

func (o *gitObjects) folder(tree string) ([]gitEntry, error) {
	data, err := o.get(tree, "tree", maxGitObject)
	if err != nil {
		return nil, err
	}
	return parseGitTree(len(tree), data)
}

func shown(path string) string { return finding.Claim(path).Quote() }

// perFetch is how many objects one git command is asked for: every system takes a
// command line of that length.
const perFetch = 400

// want fetches the blobs that a server which knows no filters has not sent already.
func (c *Commit) want(ctx context.Context, most int64, ids []string) error {
	missing, err := c.missing(ctx, ids)
	if err != nil {
		return err
	}
	for len(missing) > 0 {
		n := min(perFetch, len(missing))
		args := append([]string{"--filter=blob:none", "origin"}, missing[:n]...)
		if err := c.fetch(ctx, most, gitTime, args...); err != nil {
			return err
		}
		most -= c.gateway.came()
		missing = missing[n:]
	}
	return nil
}

func (c *Commit) missing(ctx context.Context, ids []string) (out []string, err error) {
	objects, err := c.store.read(ctx, "--batch-check")
	if err != nil {
		return nil, err
	}
	defer objects.close()
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if _, _, err := objects.ask(id); errors.Is(err, errNoObject) {
			out = append(out, id)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}
