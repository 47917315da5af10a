package github

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	rest "github.com/google/go-github/v62/github"
)

// The bounds on what is read over the API: git's own files are fetched one by
// one, so that a tree is read where few of them matter.
const (
	maxEntries = 100_000  // as many as the API lists
	maxBlob    = 4 << 20  // bytes of one file
	maxBlobs   = 32 << 20 // bytes of all files that were opened
)

// The kinds of entries that git has, by mode.
const (
	modeFolder     = "040000"
	modeFile       = "100644"
	modeExecutable = "100755"
	modeLink       = "120000"
	modeSubmodule  = "160000"
)

var modes = map[string]fs.FileMode{
	modeFolder: fs.ModeDir | 0o755, modeFile: 0o644, modeExecutable: 0o755, modeLink: fs.ModeSymlink | 0o777, modeSubmodule: fs.ModeIrregular,
}

// node is one name of a tree.
type node struct {
	path string // from the root; "." for it
	mode fs.FileMode
	id   string
	size int64
	list []*node // of a folder, by name
}

func (n *node) name() string { return path.Base(n.path) }

// Tree is the tree of a commit as an [fs.FS] with ReadDir, ReadFile, Stat, Lstat,
// ReadLink and ID. Links are followed in every element of a name, inside the tree
// only. The listing is read now, as a whole: one that the API cut short is an
// error. Files are read when they are opened, and kept; what cannot be read is an
// error of type *[APIError], never absent and never empty. The context is that of
// all reading, also of the files.
func (c *Client) Tree(ctx context.Context, commit string) (fs.FS, error) {
	if !isID(commit) {
		return nil, errors.New("a commit that is no full id")
	}
	s := step{"reading the files of a commit", readContents}
	var at *rest.Commit
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		at, answer, err = api.Git.GetCommit(ctx, c.owner, c.name, commit)
		return answer, err
	})
	if err != nil {
		return nil, err
	}
	if at.GetSHA() != commit || !isID(at.GetTree().GetSHA()) {
		return nil, s.odd("the answer is not the commit that was asked for")
	}
	var listing *rest.Tree
	_, err = c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		listing, answer, err = api.Git.GetTree(ctx, c.owner, c.name, at.GetTree().GetSHA(), true)
		return answer, err
	})
	switch {
	case err != nil:
		return nil, err
	case listing.GetTruncated() || len(listing.Entries) > maxEntries:
		return nil, s.odd("it has more files than the API lists")
	case listing.GetSHA() != at.GetTree().GetSHA():
		return nil, s.odd("the answer is not the listing that was asked for")
	}
	root, reason := plant(listing)
	if reason != "" {
		return nil, s.odd(reason)
	}
	return &files{client: c, ctx: ctx, root: root, blobs: map[string][]byte{}}, nil
}

// plant makes a tree of a listing. The reason says what is wrong with it.
func plant(listing *rest.Tree) (root *node, reason string) {
	root = &node{path: ".", mode: modes[modeFolder], id: listing.GetSHA()}
	all := map[string]*node{".": root}
	for _, e := range listing.Entries {
		n := &node{path: e.GetPath(), mode: modes[e.GetMode()], id: e.GetSHA(), size: int64(e.GetSize())}
		switch {
		case !fs.ValidPath(n.path) || n.path == "." || all[n.path] != nil:
			return nil, "a name in the listing is none, or stands there twice"
		case n.mode == 0 || !isID(n.id) || n.size < 0:
			return nil, "an entry of the listing is not one of git's"
		}
		all[n.path] = n
	}
	for name, n := range all {
		if n == root {
			continue
		}
		up := all[path.Dir(name)]
		if up == nil || !up.mode.IsDir() {
			return nil, "a name in the listing lies in no folder of it"
		}
		up.list = append(up.list, n)
	}
	for _, n := range all {
		slices.SortFunc(n.list, func(a, b *node) int { return strings.Compare(a.path, b.path) })
	}
	return root, ""
}

// files is a tree that is read over the API.
type files struct {
	client *Client
	ctx    context.Context
	root   *node

	mu    sync.Mutex
	blobs map[string][]byte // by id
	total int64
}

// blob reads a file once.
func (f *files) blob(n *node) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if data, ok := f.blobs[n.id]; ok {
		return data, nil
	}
	s := step{"reading a file of a commit", readContents}
	if n.size > maxBlob || f.total+n.size > maxBlobs {
		return nil, s.odd("it is larger than what is read over the API")
	}
	var data []byte
	_, err := f.client.read(f.ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		data, answer, err = api.Git.GetBlobRaw(f.ctx, f.client.owner, f.client.name, n.id)
		return answer, err
	})
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != n.size {
		return nil, s.odd("it is not as long as the listing says")
	}
	f.blobs[n.id] = data
	f.total += n.size
	return data, nil
}
