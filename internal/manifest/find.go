package manifest

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// Found is a file that declares servers, by its path in the tree.
type Found struct {
	Path    string
	Dialect string
	// Steers is Project or Skill for a file that has an [Inventory], and empty for one
	// that declares servers.
	Steers string
	linked bool // found through a link: what is there depends on other folders
}

// Find walks a tree for files that any dialect claims or that steer an agent, in
// every folder except ".git". Names are compared as file systems that fold them do, so that
// ".MCP.json" is found; such a file is a finding of its own. A claimed name that
// is a link is found when it leads to a file of the tree, else it is a finding;
// other links to folders are not walked, their targets are walked where they
// are. Folders that cannot be listed are findings too.
func Find(fsys fs.FS) (files []Found, problems []finding.Finding) {
	return (&walker{fsys: fsys}).walk()
}

// FindLike is Find over a tree that resembles another one: a folder of which same
// says that it is the other's holds what was found there.
func FindLike(fsys fs.FS, same func(dir string) bool, files []Found, problems []finding.Finding) ([]Found, []finding.Finding) {
	return (&walker{fsys: fsys, known: same, knownFiles: files, knownProblems: problems}).walk()
}

// leadsOut reports whether something below a folder was found through a link, or
// was told of a link: the same folder elsewhere may hold other files.
func (w *walker) leadsOut(dir string) bool {
	below := func(name string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }
	return slices.ContainsFunc(w.knownFiles, func(f Found) bool { return f.linked && below(f.Path) }) ||
		slices.ContainsFunc(w.knownProblems, func(p finding.Finding) bool { return p.Outcome == finding.Undetermined && below(p.Location.File) })
}

// takeOver copies what was found below a folder of the other tree.
func (w *walker) takeOver(dir string) {
	below := func(name string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }
	for _, f := range w.knownFiles {
		if below(f.Path) {
			w.found(f)
		}
	}
	for _, p := range w.knownProblems {
		if below(p.Location.File) {
			w.problem(p)
		}
	}
}

// walker lists folders, several at once: what a walk waits for is the system.
type walker struct {
	fsys          fs.FS
	known         func(dir string) bool
	knownFiles    []Found
	knownProblems []finding.Finding

	busy  sync.WaitGroup
	slots chan struct{}

	mu       sync.Mutex
	files    []Found
	problems []finding.Finding
}

// width is how many folders are listed at once.
const width = 8

func (w *walker) walk() ([]Found, []finding.Finding) {
	w.slots = make(chan struct{}, width)
	if w.known != nil && w.known(".") && !w.leadsOut(".") {
		w.takeOver(".")
	} else {
		w.busy.Go(func() { w.folder(".") })
	}
	w.busy.Wait()
	slices.SortFunc(w.files, func(a, b Found) int {
		return cmp.Or(strings.Compare(inOrder(a.Path), inOrder(b.Path)), cmp.Compare(a.Steers, b.Steers))
	})
	slices.SortStableFunc(w.problems, func(a, b finding.Finding) int {
		return cmp.Or(strings.Compare(inOrder(a.Location.File), inOrder(b.Location.File)), strings.Compare(a.Rule, b.Rule))
	})
	return w.files, w.problems
}

// inOrder sorts a path as a walk by folders would come to it.
func inOrder(path string) string { return strings.ReplaceAll(path, "/", "\x00") }

func (w *walker) folder(dir string) {
	w.slots <- struct{}{}
	list, err := fs.ReadDir(w.fsys, dir)
	<-w.slots
	if err != nil {
		w.problem(*unread(finding.At(visible(dir), 1, 1), "the folder cannot be listed", "check its permissions"))
	}
	for _, d := range list {
		if name := path.Join(dir, d.Name()); w.visit(name, d) {
			w.busy.Go(func() { w.folder(name) })
		}
	}
}

// visit takes one name and reports whether it is a folder to go into.
func (w *walker) visit(name string, d fs.DirEntry) bool {
	switch {
	case !utf8.ValidString(name):
		w.unnamed(name, d.IsDir())
	case d.IsDir() && d.Name() == ".git":
	case d.IsDir() && w.known != nil && w.known(name) && !w.leadsOut(name):
		w.takeOver(name)
	case d.IsDir():
		return true
	case d.Type()&fs.ModeSymlink != 0:
		w.link(name)
	case d.Type()&fs.ModeIrregular != 0: // as trees of git objects have submodules
		w.problem(finding.New("check/submodule", finding.Note, finding.At(name, 1, 1), "a submodule: its files are in another repository and were not searched"))
	default:
		w.file(name, false)
	}
	return false
}

// unnamed reports a name that is not UTF-8. A folder may hold configurations, so
// that one leaves the scan incomplete; no claimed name has such bytes.
func (w *walker) unnamed(name string, dir bool) {
	at := finding.At(visible(name), 1, 1)
	if dir {
		w.problem(*unread(at, "the folder's name is not UTF-8", "rename it"))
		return
	}
	w.problem(finding.New("check/unread-name", finding.Note, at, "not read: the file's name is not UTF-8"))
}

// file takes a name that is no folder if a dialect claims it, or if it steers an
// agent.
func (w *walker) file(name string, linked bool) {
	kind, meant := steers(name)
	if kind != "" {
		w.found(Found{Path: name, Steers: kind, linked: linked})
	}
	d, exact := claim(name)
	if d != nil {
		w.found(Found{Path: name, Dialect: d.name, linked: linked})
	}
	if d != nil && !exact {
		meant = strings.Join(d.claims[0], "/")
	}
	if meant == "" {
		return
	}
	f := finding.New("launch/variant-spelling", finding.Error, finding.At(name, 1, 1),
		fmt.Sprintf("file systems that fold names read this file as %s", meant))
	f.Hint = "rename it to " + meant + ", or to a name that no host reads"
	w.problem(f)
}

// link follows a link that bears a claimed name, or the name of a folder that
// claimed files stand in, to see where it leads.
func (w *walker) link(name string) {
	d, _ := claim(name)
	kind, _ := steers(name)
	folder := claimsFolder(path.Base(name))
	gone, ours := lost(name)
	if d == nil && !folder && !ours {
		return
	}
	info, err := fs.Stat(w.fsys, name)
	switch {
	case err != nil && (d != nil || folder):
		w.problem(*unread(finding.At(name, 1, 1), "a link that leads out of the tree or nowhere", "replace it by what it points to"))
	case err != nil:
		w.found(gone)
	case info.IsDir() && (folder || settingsFolder(name)):
		w.linkedFolder(name)
	case !info.IsDir() && (d != nil || kind != ""):
		w.file(name, true)
	}
}

// linkedFolder looks for claimed files in a folder that only the link's name
// makes a claimed one.
func (w *walker) linkedFolder(name string) {
	list, err := fs.ReadDir(w.fsys, name)
	if err != nil {
		w.problem(*unread(finding.At(name, 1, 1), "the folder cannot be listed", "check its permissions"))
		return
	}
	for _, d := range list {
		inside := name + "/" + d.Name()
		kind, _ := steers(d.Name())
		if own, _ := claim(d.Name()); own != nil || kind != "" || d.IsDir() || !utf8.ValidString(inside) {
			continue
		}
		w.file(inside, true)
	}
}

func (w *walker) problem(f finding.Finding) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, f)
}

func (w *walker) found(f Found) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = append(w.files, f)
}

// visible writes the bytes of a name that are no UTF-8 as \xHH.
func visible(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}
