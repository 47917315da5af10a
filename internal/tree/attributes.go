package tree

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
)

// The rules about what a .gitattributes file does to files that are judged.
const (
	// RuleHidden: a line takes a file out of the sight of a reviewer.
	RuleHidden = "lock/hidden"
	// RuleConverted: a line makes the file of a work tree differ from git's.
	RuleConverted = "lock/converted"
)

// ours is the folder of locks and policy.
const ours = ".toolwarrant"

// future are files of ours that need not exist yet: a line that will hide the first
// lock is told before there is one.
var future = []string{ours + "/policy.yaml", ours + "/servers/server.lock.json", ours + "/plugins/plugin.lock.json"}

// maxOurs is the most files under .toolwarrant/ that are looked at.
const maxOurs = 20_000

// Attributes reads the .gitattributes files of a tree that say something of paths,
// or of anything under .toolwarrant/, and reports each line that hides one of them
// (rule [RuleHidden], an error) or converts it (rule [RuleConverted], an error with
// outcome refused), at the line's pattern. The line is the one that git would obey:
// a later or nearer line that takes an attribute back is heard. What a machine's
// own configuration adds (core.attributesFile, info/attributes) is not in a tree.
//
// Paths are slash-separated from the root. The findings are sorted by place.
func Attributes(fsys fs.FS, paths []string) []finding.Finding {
	s := attributeScan{fsys: fsys, files: map[string]*attributeFile{}, told: map[tale]*told{}}
	names := append(slices.Clone(paths), s.ours()...)
	for _, name := range names {
		names = append(names, s.real(name))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if fs.ValidPath(name) {
			s.judge(name)
		}
	}
	return s.findings()
}

type attributeScan struct {
	fsys  fs.FS
	files map[string]*attributeFile // by folder
	told  map[tale]*told
}

// told is a finding and every path that it is about.
type told struct {
	finding finding.Finding
	names   []string
}

// maxRelated is the most paths that one finding lists as places.
const maxRelated = 10

// tale is what is told once, however many paths it is about.
type tale struct {
	file string
	line int
	rule string
	what string
}

// ours lists what is under .toolwarrant/ and what will be.
func (s *attributeScan) ours() []string {
	out := slices.Clone(future)
	// What cannot be listed cannot be read as a lock either, which is told there.
	_ = fs.WalkDir(s.fsys, ours, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(out) > maxOurs:
			return fs.SkipDir
		case !d.IsDir():
			out = append(out, name)
		}
		return nil
	})
	return out
}

// real is where the links of a name lead: attributes count for the file that is
// read. A name whose links lead out, or in a circle, is left as it is.
func (s *attributeScan) real(name string) string {
	at, todo := ".", strings.Split(name, "/")
	for hops := 0; len(todo) > 0; {
		next := path.Join(at, todo[0])
		todo = todo[1:]
		target, err := fs.ReadLink(s.fsys, next)
		if err != nil {
			at = next
			continue
		}
		if hops++; hops > maxLinks || path.IsAbs(target) {
			return name
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return at
}

// judge reports what the files on the way to a path say of it.
func (s *attributeScan) judge(name string) {
	v := verdict{name: name, says: map[string]said{}}
	root := s.read(".")
	v.macros = root.macros
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		f := s.read(dir)
		if f.broken != "" {
			s.tooMuch(dir, f.broken)
		}
		v.hear(f, strings.TrimPrefix(name, dir+"/"))
		if dir == "." {
			break
		}
	}
	for _, e := range effects {
		if w, ok := v.says[e.attribute]; ok && e.on(w.state) && (e.of == nil || e.of(s, v)) {
			s.tell(e, w, name)
		}
	}
}

// said is the state that a line gives an attribute.
type said struct {
	state string // "set", "unset", "unspecified" or "=VALUE"
	line  *attributeLine
	via   string // the attribute as the line has it: a macro's name, or itself
}

// verdict gathers what is said of one path. The first to speak wins: files are
// heard from the nearest, lines and attributes from the last.
type verdict struct {
	name   string
	macros map[string][]attribute
	says   map[string]said
}

func (v *verdict) hear(f *attributeFile, rel string) {
	for _, l := range slices.Backward(f.lines) {
		if !l.glob.match(rel) {
			continue
		}
		for _, a := range slices.Backward(l.attributes) {
			v.take(a, l, a.text, 0)
		}
	}
}

// take notes one attribute, and those of the macro that it is, where it is set.
func (v *verdict) take(a attribute, l *attributeLine, via string, depth int) {
	if _, ok := v.says[a.name]; ok || depth > maxMacros {
		return
	}
	v.says[a.name] = said{a.state, l, via}
	if a.state != "set" {
		return
	}
	for _, b := range slices.Backward(v.macros[a.name]) {
		v.take(b, l, via, depth+1)
	}
}

// effect is what an attribute does to a file.
type effect struct {
	rule      string
	attribute string
	does      string
	on        func(state string) bool
	of        func(s *attributeScan, v verdict) bool // nil: of every file
}

var effects = []effect{
	{RuleHidden, "diff", "hides its differences", hidesDiff, nil},
	{RuleHidden, "linguist-generated", "folds its differences away as generated", isTrue, nil},
	{RuleHidden, "gitlab-generated", "folds its differences away as generated", isTrue, nil},
	{RuleHidden, "linguist-vendored", "marks it as somebody else's", isTrue, nil},
	{RuleHidden, "export-ignore", "leaves it out of archives", is("set"), nil},
	{RuleHidden, "merge", "merges it without a person's look", ownMerge, nil},
	{RuleConverted, "filter", "passes it through a program", hasValue, nil},
	{RuleConverted, "working-tree-encoding", "re-encodes it", reencodes, nil},
	{RuleConverted, "ident", "writes into it", is("set"), hasIdent},
	{RuleConverted, "eol", "changes its line ends", is("=crlf"), hasLineEnds},
}

func is(want string) func(string) bool { return func(state string) bool { return state == want } }
func isTrue(state string) bool         { return state == "set" || state == "=true" || state == "=1" }
func hasValue(state string) bool       { return strings.HasPrefix(state, "=") && state != "=" }

// builtinDrivers come with git (gitattributes(5), "Defining a custom hunk-header"):
// they name the function in a hunk's header and show every line.
var builtinDrivers = strings.Fields("ada bash bibtex cpp csharp css default dts elixir fortran fountain golang html ini java kotlin markdown matlab objc pascal perl php python r ruby rust scheme tex")

func hidesDiff(state string) bool {
	return state == "unset" || hasValue(state) && !slices.Contains(builtinDrivers, state[1:])
}

// ownMerge: text is how git merges anyway, binary leaves a conflict to a person.
func ownMerge(state string) bool { return hasValue(state) && state != "=text" && state != "=binary" }

func reencodes(state string) bool {
	return hasValue(state) && !strings.EqualFold(state, "=utf-8") && !strings.EqualFold(state, "=utf8")
}

func hasIdent(s *attributeScan, v verdict) bool {
	data, err := fs.ReadFile(s.fsys, v.name)
	return err == nil && bytes.Contains(data, []byte("$Id"))
}

// hasLineEnds: eol counts for text, which a file is if it is said to be, if nothing
// is said, or, with text=auto, if it holds no zero byte. A file that does not exist
// yet, or cannot be read, is taken to be one.
func hasLineEnds(s *attributeScan, v verdict) bool {
	text := v.says["text"].state
	if text == "unset" {
		return false
	}
	data, err := fs.ReadFile(s.fsys, v.name)
	if err != nil {
		return true
	}
	return bytes.Contains(data, []byte("\n")) && (text != "=auto" || !bytes.Contains(data, []byte{0}))
}

func (s *attributeScan) tell(e effect, w said, name string) {
	key := tale{w.line.file, w.line.line, e.rule, e.does}
	t := s.told[key]
	if t == nil {
		message := fmt.Sprintf("%s of %s %s: %s", finding.Claim(w.via).Quote(), finding.Claim(w.line.file), e.does, finding.Claim(name))
		f := finding.New(e.rule, finding.Error, finding.At(w.line.file, w.line.line, w.line.column), message)
		f.Hint = "give these files no such attribute, or take it back for them in a later line"
		if e.rule == RuleConverted {
			f = f.As(finding.Refused)
		}
		t = &told{finding: f}
		s.told[key] = t
	}
	t.names = append(t.names, name)
}

// tooMuch reports a file of attributes that is not read in full, once.
func (s *attributeScan) tooMuch(dir, why string) {
	file := path.Join(dir, attributesName)
	f := finding.New(RuleHidden, finding.Error, finding.At(file, 1, 1), "what this file hides cannot be told: "+why).As(finding.Undetermined)
	s.told[tale{file: file, rule: RuleHidden}] = &told{finding: f}
}

func (s *attributeScan) findings() []finding.Finding {
	keys := make([]tale, 0, len(s.told))
	for k := range s.told {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, tale.compare)
	out := make([]finding.Finding, len(keys))
	for i, k := range keys {
		out[i] = s.told[k].whole()
	}
	return out
}

// whole is the finding with its paths, as places and as a count.
func (t *told) whole() finding.Finding {
	f := t.finding
	for _, name := range t.names[:min(len(t.names), maxRelated)] {
		f.Related = append(f.Related, finding.At(name, 1, 1))
	}
	if n := len(t.names); n > 1 {
		f.Message += fmt.Sprintf(" and %d more", n-1)
	}
	return f
}

func (t tale) compare(u tale) int {
	for _, c := range []int{strings.Compare(t.file, u.file), t.line - u.line, strings.Compare(t.rule, u.rule), strings.Compare(t.what, u.what)} {
		if c != 0 {
			return c
		}
	}
	return 0
}
