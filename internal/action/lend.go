package action

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
	"time"
)

// The scanner has no token. The files of a commit that only the API has are lent to
// it by the conductor: one question and one answer at a time, as JSON.

// question is about one name of one commit.
type question struct{ Commit, Op, Name string }

// answer has what was asked, or why not.
type answer struct {
	Missing bool   `json:",omitempty"` // the name does not exist
	Failed  bool   `json:",omitempty"`
	Data    []byte `json:",omitempty"` // of a file, or where a link points
	Info    *about `json:",omitempty"`
	List    []about
	ID      string `json:",omitempty"`
}

// about describes one name; it is an fs.FileInfo.
type about struct {
	Called string
	Bytes  int64
	Bits   fs.FileMode
}

func (a about) Name() string       { return a.Called }
func (a about) Size() int64        { return a.Bytes }
func (a about) Mode() fs.FileMode  { return a.Bits }
func (a about) ModTime() time.Time { return time.Time{} }
func (a about) IsDir() bool        { return a.Bits.IsDir() }
func (a about) Sys() any           { return nil }

func aboutOf(i fs.FileInfo) *about { return &about{i.Name(), i.Size(), i.Mode()} }

// lend answers questions until there are no more.
func lend(trees map[string]fs.FS, in io.Reader, out io.Writer) {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q question
		if questions.Decode(&q) != nil || answers.Encode(answerTo(trees[q.Commit], q)) != nil {
			return
		}
	}
}

func answerTo(fsys fs.FS, q question) (a answer) {
	if fsys == nil {
		return answer{Failed: true}
	}
	var err error
	var info fs.FileInfo
	switch q.Op {
	case "read":
		a.Data, err = fs.ReadFile(fsys, q.Name)
	case "list":
		var list []fs.DirEntry
		list, err = fs.ReadDir(fsys, q.Name)
		for _, d := range list {
			if info, err := d.Info(); err == nil {
				a.List = append(a.List, *aboutOf(info))
			}
		}
	case "stat":
		info, err = fs.Stat(fsys, q.Name)
	case "lstat":
		info, err = fs.Lstat(fsys, q.Name)
	case "link":
		var to string
		to, err = fs.ReadLink(fsys, q.Name)
		a.Data = []byte(to)
	case "id":
		if known, ok := fsys.(interface{ ID(string) (string, bool) }); ok {
			a.ID, _ = known.ID(q.Name)
		}
	default:
		err = fs.ErrInvalid
	}
	if info != nil {
		a.Info = aboutOf(info)
	}
	if err != nil {
		return answer{Missing: errors.Is(err, fs.ErrNotExist), Failed: true}
	}
	return a
}

// Lender asks the conductor. It is safe for use by several goroutines.
type Lender struct {
	mu        sync.Mutex
	questions *json.Encoder
	answers   *json.Decoder
}

// NewLender asks on the descriptors that the scanner is given.
func NewLender() *Lender {
	return newLender(os.NewFile(5, "questions"), os.NewFile(6, "answers"))
}

func newLender(out io.Writer, in io.Reader) *Lender {
	return &Lender{questions: json.NewEncoder(out), answers: json.NewDecoder(in)}
}

// Tree is the tree of a commit that is lent.
func (l *Lender) Tree(commit string) fs.FS { return lent{l, commit} }

func (l *Lender) ask(q question) (answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var a answer
	if l.questions.Encode(q) != nil || l.answers.Decode(&a) != nil {
		return a, errUnread
	}
	switch {
	case a.Missing:
		return a, fs.ErrNotExist
	case a.Failed:
		return a, errUnread
	}
	return a, nil
}

var errUnread = errors.New("it cannot be read over the API")

// lent is one commit's files.
type lent struct {
	from   *Lender
	commit string
}

func (t lent) ask(op, name string) (answer, error) {
	if !fs.ValidPath(name) {
		return answer{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	a, err := t.from.ask(question{t.commit, op, name})
	if err != nil {
		return a, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return a, nil
}

// ReadFile is all of a file; links are followed.
func (t lent) ReadFile(name string) ([]byte, error) {
	a, err := t.ask("read", name)
	return a.Data, err
}

// ReadDir lists a folder.
func (t lent) ReadDir(name string) ([]fs.DirEntry, error) {
	a, err := t.ask("list", name)
	if err != nil {
		return nil, err
	}
	out := make([]fs.DirEntry, len(a.List))
	for i, e := range a.List {
		out[i] = fs.FileInfoToDirEntry(e)
	}
	return out, nil
}

// Stat describes what a name leads to.
func (t lent) Stat(name string) (fs.FileInfo, error) { return t.info("stat", name) }

// Lstat describes a name itself.
func (t lent) Lstat(name string) (fs.FileInfo, error) { return t.info("lstat", name) }

func (t lent) info(op, name string) (fs.FileInfo, error) {
	a, err := t.ask(op, name)
	if err != nil {
		return nil, err
	}
	if a.Info == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: errUnread}
	}
	return *a.Info, nil
}

// ReadLink is where a link points.
func (t lent) ReadLink(name string) (string, error) {
	a, err := t.ask("link", name)
	return string(a.Data), err
}

// ID is git's id of what a name leads to.
func (t lent) ID(name string) (string, bool) {
	a, err := t.ask("id", name)
	return a.ID, err == nil && a.ID != ""
}

// Open opens a file or folder.
func (t lent) Open(name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	f := &lentFile{tree: t, name: name, info: about{path.Base(name), info.Size(), info.Mode()}}
	if !info.IsDir() {
		f.data, err = t.ReadFile(name)
	}
	return f, err
}

// lentFile is an open file or folder.
type lentFile struct {
	tree lent
	name string
	info about
	data []byte
	list []fs.DirEntry
	read bool
}

func (f *lentFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *lentFile) Close() error               { return nil }

func (f *lentFile) Read(p []byte) (int, error) {
	if f.info.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
	}
	if len(f.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.data)
	f.data = f.data[n:]
	return n, nil
}

// ReadDir lists the next n names, or all that are left.
func (f *lentFile) ReadDir(n int) (out []fs.DirEntry, err error) {
	if !f.read {
		if f.list, err = f.tree.ReadDir(f.name); err != nil {
			return nil, err
		}
		f.read = true
	}
	if n > 0 && len(f.list) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.list) {
		n = len(f.list)
	}
	out, f.list = f.list[:n], f.list[n:]
	return out, nil
}
