package manifest

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The most files and folders in each other that are listed beside one skill.
const (
	maxBeside = 1000
	maxNested = 16
)

// usual are the folders of a skill that is a whole repository: there the rest
// belongs to something else.
var usual = []string{"scripts", "references", "assets"}

// beside lists what lies in the folder of a skill. Folders with a skill of their own
// are that one's.
func (inv *Inventory) beside(fsys fs.FS, ours func(string) bool) {
	b := besideReader{inv: inv, fsys: fsys, ours: ours}
	dir := path.Dir(inv.Path)
	if dir != "." {
		b.folder(dir, 0)
		return
	}
	for _, name := range usual {
		if info, err := fs.Lstat(fsys, name); err == nil && info.IsDir() {
			b.folder(name, 1)
		}
	}
}

type besideReader struct {
	inv   *Inventory
	fsys  fs.FS
	ours  func(string) bool
	count int
}

func (b *besideReader) folder(dir string, depth int) {
	list, err := fs.ReadDir(b.fsys, dir)
	switch {
	case err != nil:
		if depth > 0 || !b.inv.Unread {
			b.unread(dir, "the folder cannot be listed", "")
		}
		return
	case depth > maxNested:
		b.unread(dir, "folders in folders, more than are looked into", "")
		return
	case depth > 0 && slices.ContainsFunc(list, func(d fs.DirEntry) bool { return sameName(d.Name(), skillFile) }):
		return
	}
	for _, d := range list {
		name := path.Join(dir, d.Name())
		if b.count >= maxBeside {
			b.unread(dir, "more files than are looked into", "")
			return
		}
		switch {
		case name == b.inv.Path || d.Name() == ".git":
		case d.IsDir():
			b.folder(name, depth+1)
		case b.ours(name):
			b.count++
			b.entry(name, d)
		}
	}
}

func (b *besideReader) unread(name, why, content string) {
	i := unreadItem(visible(name), "", finding.At(visible(name), 1, 1), why)
	b.inv.add(i, why+"\x00"+content)
}

// entry looks at one name that is no folder.
func (b *besideReader) entry(name string, d fs.DirEntry) {
	if !utf8.ValidString(name) {
		b.unread(name, "its name is not UTF-8", "")
		return
	}
	info, err := fs.Stat(b.fsys, name)
	link := d.Type()&fs.ModeSymlink != 0
	switch {
	case link && err != nil:
		b.unread(name, "a link that leads out of the tree, nowhere or in a circle", identity(b.fsys, name))
	case link && info.IsDir():
		b.unread(name, "a link to a folder, which is not followed", identity(b.fsys, name))
	case err != nil || !info.Mode().IsRegular():
		b.unread(name, "not a regular file", identity(b.fsys, name))
	default:
		b.file(name, info.Mode().Perm()&0o111 != 0)
	}
}

func target(fsys fs.FS, link string) string {
	to, err := fs.ReadLink(fsys, link)
	if err != nil {
		return ""
	}
	return to
}

func (b *besideReader) file(name string, executable bool) {
	data, problem := load(b.fsys, name)
	if problem != nil {
		b.unread(name, strings.TrimPrefix(problem.Message, "not read: "), identity(b.fsys, name))
		return
	}
	i := Item{Place: name, At: finding.At(name, 1, 1), Group: name, Text: []string{}}
	switch why := opaque(name, data); {
	case why != "" && media(name, data) && !executable:
		i.Kind, i.Text, i.When = ItemAsset, []string{"a picture or font, not analysed"}, "when the skill uses it"
	case why != "":
		b.unread(name, why, string(data))
		return
	case executable || bytes.HasPrefix(data, []byte("#!")) || slices.Contains(code, strings.ToLower(path.Ext(name))):
		i.Kind, i.When = ItemScript, "when a model follows the skill and runs it"
	default:
		i.Kind, i.When = ItemAsset, "when a model reads it"
	}
	b.inv.add(i, string(data))
}

// code are the endings of files that an interpreter runs, or a build turns into a
// program.
var code = []string{
	".sh", ".bash", ".zsh", ".fish", ".ps1", ".psm1", ".bat", ".cmd", ".vbs", ".py", ".pyw", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".rb", ".pl", ".pm",
	".php", ".lua", ".r", ".jl", ".go", ".rs", ".c", ".cc", ".cpp", ".java", ".kts", ".kt", ".cs", ".swift", ".scpt", ".applescript", ".awk", ".sql", ".ipynb", ".mk",
}

// compiled are the endings of programs whose source does not stand there.
var compiled = []string{".pyc", ".pyo", ".class", ".jar", ".so", ".dll", ".dylib", ".exe", ".wasm", ".o", ".a", ".node"}

// packed are the first bytes of archives and compressed files.
var packed = []string{"PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "7z\xbc\xaf\x27\x1c", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "Rar!"}

// opaque says why bytes cannot be looked into, and nothing where they are text.
func opaque(name string, data []byte) string {
	starts := func(p string) bool { return bytes.HasPrefix(data, []byte(p)) }
	switch ext := strings.ToLower(path.Ext(name)); {
	case slices.Contains(compiled, ext):
		return "a compiled program, which need not be what the source beside it says"
	case slices.ContainsFunc(packed, starts) || len(data) > 262 && string(data[257:262]) == "ustar":
		return "an archive or compressed file"
	case starts(lfsPointer):
		return "a pointer of Git LFS, whose content is kept elsewhere"
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return "binary, or text in another encoding than UTF-8"
	}
	return ""
}

// pictures are the first bytes of pictures and fonts, by the ending of the name.
var pictures = map[string][]string{
	".png": {"\x89PNG\r\n\x1a\n"}, ".jpg": {"\xff\xd8\xff"}, ".jpeg": {"\xff\xd8\xff"}, ".gif": {"GIF87a", "GIF89a"}, ".webp": {"RIFF"}, ".ico": {"\x00\x00\x01\x00"},
	".woff": {"wOFF"}, ".woff2": {"wOF2"}, ".ttf": {"\x00\x01\x00\x00", "true"}, ".otf": {"OTTO"},
}

// media reports whether a file is what its name says it is: a picture or a font.
func media(name string, data []byte) bool {
	return slices.ContainsFunc(pictures[strings.ToLower(path.Ext(name))], func(p string) bool { return bytes.HasPrefix(data, []byte(p)) })
}
