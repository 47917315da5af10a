package fetch

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// maxGitObject is the most bytes of a commit or a tree.
const maxGitObject = 16 << 20

// gitObjects is one git cat-file, which answers an id with a line "ID KIND SIZE"
// and, in its mode --batch, the bytes and a line feed.
type gitObjects struct {
	process *sandbox.Process
	release func()
	out     *bufio.Reader
}

// read starts one. It knows of no remote, so that what is missing stays missing.
func (s *gitStore) read(ctx context.Context, mode string) (*gitObjects, error) {
	b := bounds{write: []string{s.dir}}
	p, release, err := b.start(ctx, s.order(nil, "cat-file", mode))
	if err != nil {
		return nil, &DownloadError{Detail: "git cannot be started"}
	}
	go func() { _, _ = io.Copy(io.Discard, p.Stderr) }()
	return &gitObjects{p, release, bufio.NewReader(p.Stdout)}, nil
}

func (o *gitObjects) close() {
	o.process.End(0)
	o.release()
}

var errNoObject = errors.New("an object is not there")

// errUnread says that git, which has little memory, ended or said something odd.
var errUnread = &DownloadError{Detail: "git cannot read what the repository sent", Way: "try again"}

func badObject(why string) error {
	return refuse("the repository's objects are not what git makes: "+why, "")
}

// ask is the kind and size of an object; errNoObject for one that did not come.
func (o *gitObjects) ask(id string) (kind string, size int64, err error) {
	if _, err := io.WriteString(o.process.Stdin, id+"\n"); err != nil {
		return "", 0, errUnread
	}
	line, err := o.out.ReadSlice('\n')
	if err != nil {
		return "", 0, errUnread
	}
	f := strings.Fields(string(line))
	if len(f) == 2 && f[1] == "missing" {
		return "", 0, errNoObject
	}
	if len(f) != 3 || f[0] != id {
		return "", 0, errUnread
	}
	size, err = strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return "", 0, errUnread
	}
	return f[1], size, nil
}

// get is an object of a kind and a bounded size, held against its id.
func (o *gitObjects) get(id, kind string, most int64) ([]byte, error) {
	var b bytes.Buffer
	err := o.copy(&b, id, kind, most)
	return b.Bytes(), err
}

// copy writes an object. What was written is worth nothing where an error comes.
func (o *gitObjects) copy(w io.Writer, id, kind string, most int64) error {
	got, size, err := o.ask(id)
	switch {
	case errors.Is(err, errNoObject):
		return &DownloadError{Detail: "the repository left out an object that was asked for", Way: "try again"}
	case err != nil:
		return err
	case got != kind:
		return refuse("it is a "+got+", not a "+kind, "")
	case size > most:
		return tooLarge(fmt.Sprintf("it has %d bytes, and at most %d are read", size, most))
	}
	h, sum := identify(kind, size, len(id))
	if _, err := io.CopyN(io.MultiWriter(h, w), o.out, size); err != nil {
		return errUnread
	}
	if _, err := o.out.Discard(1); err != nil || sum() != id {
		return badObject("bytes that are not those of their id")
	}
	return nil
}

// identify begins the hash that is an object's id: what is written is hashed, and
// id is the id then. SHA-1 is the one that detects collisions.
func identify(kind string, size int64, digits int) (w io.Writer, id func() string) {
	if digits == 2*sha256.Size {
		h := sha256.New()
		_, _ = fmt.Fprintf(h, "%s %d\x00", kind, size)
		return h, func() string { return hex.EncodeToString(h.Sum(nil)) }
	}
	t, _ := plumbing.ParseObjectType(kind) // ours, and known
	h := plumbing.NewHasher(t, size)
	return h, func() string { return h.Sum().String() }
}

// treeOf reads the first line of a commit.
func treeOf(id string, data []byte) (string, error) {
	line, _, _ := strings.Cut(string(data), "\n")
	tree, ok := strings.CutPrefix(line, "tree ")
	if !ok || len(tree) != len(id) || !ValidCommit(tree) {
		return "", badObject("a commit without a tree")
	}
	return tree, nil
}

// gitEntry is one name of a tree.
type gitEntry struct{ name, mode, id string }

// The modes of entries that hold something.
const (
	gitPlain  = "100644"
	gitGroup  = "100664" // of a git of 2005
	gitBinary = "100755"
	gitFolder = "40000"
	gitLink   = "120000"
	gitModule = "160000"
)

var gitKinds = map[string]string{gitPlain: "file", gitGroup: "file", gitBinary: "file", gitFolder: "folder", gitLink: "link", gitModule: "submodule"}

// parseGitTree reads "MODE NAME\0ID" until the end; digits is the length of an id in
// hex. An entry of no known mode, a name that is no file's and one that is there
// twice are errors.
func parseGitTree(digits int, data []byte) ([]gitEntry, error) {
	var out []gitEntry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		if !ok || !spaced || gitKinds[mode] == "" || len(rest) < digits/2 {
			return nil, badObject("a tree that is cut, or holds an entry of no known kind")
		}
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, badObject("a tree with a name that is no file's")
		}
		out = append(out, gitEntry{name, mode, hex.EncodeToString(rest[:digits/2])})
		data = rest[digits/2:]
	}
	slices.SortFunc(out, func(a, b gitEntry) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(out); i++ {
		if out[i].name == out[i-1].name {
			return nil, badObject("a tree with one name twice")
		}
	}
	return out, nil
}
