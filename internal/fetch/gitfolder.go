package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
)

// GitFile is one file of a folder.
type GitFile struct {
	Path       string // below the folder, slash-separated
	Executable bool
	SHA256     string // of its bytes, in hex
	Bytes      int64
	id         string
}

// GitFolder is what lies at a path of a commit.
type GitFolder struct {
	Files []GitFile // sorted by path
	// Digest is [canon.PluginTree] over one line a file, sorted by path: "r" or, for
	// an executable, "x", the SHA-256 in hex, the path, with a space between.
	Digest string
}

// Folder reads and hashes every file below a path; the empty one is the whole
// commit. [Commit.File] then gives the bytes of each without asking again.
//
// A folder holds plain files and folders: a link or a submodule, a name that not
// every system can write, two names that differ in case alone, more than 20,000
// entries and more than 256 MiB are refused. The error is a *DownloadError, or the
// context's.
func (c *Commit) Folder(ctx context.Context, path string) (GitFolder, error) {
	at, err := c.find(ctx, path)
	if err != nil {
		return GitFolder{}, err
	}
	if kind := gitKinds[at.mode]; kind != "folder" {
		return GitFolder{}, refuse(shown(path)+" is a "+kind+", not a folder", "")
	}
	w := &gitWalk{folded: map[string]bool{}}
	if err := c.walk(ctx, w, at.id); err != nil {
		return GitFolder{}, err
	}
	slices.SortFunc(w.files, func(a, b GitFile) int { return strings.Compare(a.Path, b.Path) })
	var ids []string
	for _, f := range w.files {
		ids = append(ids, f.id)
	}
	if err := c.want(ctx, maxGitFiles, ids); err != nil {
		return GitFolder{}, err
	}
	return c.contents(ctx, w.files)
}

// gitWalk lists a tree. A tree of trees may stand for more files than it has bytes:
// each is counted where it appears.
type gitWalk struct {
	objects *gitObjects
	files   []GitFile
	folded  map[string]bool
	entries int
}

func (c *Commit) walk(ctx context.Context, w *gitWalk, tree string) (err error) {
	if w.objects, err = c.store.read(ctx, "--batch"); err != nil {
		return err
	}
	defer w.objects.close()
	return w.folder(tree, "")
}

func (w *gitWalk) folder(tree, at string) error {
	entries, err := w.objects.folder(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.entry(e, at+e.name); err != nil {
			return err
		}
	}
	return nil
}

func (w *gitWalk) entry(e gitEntry, path string) error {
	if w.entries++; w.entries > maxEntries {
		return refuse(fmt.Sprintf("the folder has more than %d entries", maxEntries), "")
	}
	if err := gitPath(path); err != nil {
		return refuse("the path "+shown(path)+" cannot be used: "+err.Error(), "")
	}
	fold := strings.ToLower(strings.ToUpper(path))
	if w.folded[fold] {
		return refuse("the path "+shown(path)+" differs from another one in case alone", "")
	}
	w.folded[fold] = true
	switch kind := gitKinds[e.mode]; kind {
	case "file":
		w.files = append(w.files, GitFile{Path: path, Executable: e.mode == gitBinary, id: e.id})
		return nil
	case "folder":
		return w.folder(e.id, path+"/")
	default:
		return refuse(shown(path)+" is a "+kind+": a folder is taken with plain files alone", "")
	}
}

// contents reads the files one after the other.
func (c *Commit) contents(ctx context.Context, files []GitFile) (GitFolder, error) {
	objects, err := c.store.read(ctx, "--batch")
	if err != nil {
		return GitFolder{}, err
	}
	defer objects.close()
	left := int64(maxGitFiles)
	var l listing
	for i := range files {
		f := &files[i]
		if err := objects.file(f, left); err != nil {
			return GitFolder{}, err
		}
		left -= f.Bytes
		u := unpacked{path: f.Path, mode: fileMode, sum: f.SHA256}
		if f.Executable {
			u.mode = binaryMode
		}
		l = append(l, u)
	}
	return GitFolder{Files: files, Digest: canon.Digest(canon.PluginTree, l.bytes())}, nil
}

// file hashes one file.
func (o *gitObjects) file(f *GitFile, most int64) error {
	sum := sha256.New()
	n := &counting{w: sum}
	err := o.copy(n, f.id, "blob", most)
	f.Bytes, f.SHA256 = n.n, hex.EncodeToString(sum.Sum(nil))
	return err
}

// counting counts what is written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
