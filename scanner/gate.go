package scanner

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/policy"
)

// gate is what is to be said of the policy, and of whatever else decides how a
// change is judged: what is wrong with the anchor's, and how the change would
// have it otherwise.
func (sc *scan) gate() []finding.Finding {
	out := slices.Concat(sc.policyBad, sc.policy.Expired(sc.o.Date))
	if !sc.o.Anchor.Change {
		return out
	}
	head, bad := readPolicy(sc.o.Head)
	if !sc.sameFile(PolicyFile) {
		out = append(out, bad...)
	}
	return slices.Concat(out, policy.GateChanged(sc.written, head), sc.gateFiles())
}

// owners are the places in which GitHub looks for the file (docs.github.com,
// "About code owners").
var owners = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// gateFiles tells of each file that says when this program runs, or who approves,
// and that is not the anchor's; and of attributes that would hide one.
func (sc *scan) gateFiles() []finding.Finding {
	if sc.o.Anchor.FS == nil {
		return nil
	}
	names := slices.Concat(owners, workflows(sc.o.Anchor.FS, sc.o.Head))
	if at := sc.o.InputsAt.File; at != "" && !slices.Contains(names, at) {
		names = append(names, at) // it runs this program, in whatever words
	}
	var out []finding.Finding
	for _, name := range names {
		if !sc.sameFile(name) && (exists(sc.o.Anchor.FS, name) || exists(sc.o.Head, name)) {
			out = append(out, gateChanged(finding.At(name, 1, 1), "the change edits "+finding.Claim(name).Quote()+", which is part of the gate that judges changes"))
		}
	}
	if sc.o.Attributes == nil {
		return out
	}
	stood := map[string]bool{}
	for _, f := range sc.o.Attributes(sc.o.Anchor.FS, names) {
		stood[standingKey(f, f.Location.File)] = true
	}
	for _, f := range sc.o.Attributes(sc.o.Head, names) {
		if !stood[standingKey(f, f.Location.File)] {
			out = append(out, gateChanged(f.Location, "an attribute that the change sets hides or converts part of the gate"))
		}
	}
	return out
}

func gateChanged(at finding.Location, message string) finding.Finding {
	f := finding.New(ruleGateChanged.ID, ruleGateChanged.Level, at, message)
	f.Cause, f.Hint = finding.Change, "read what it would let pass, then approve or reject the change"
	return f
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return err == nil
}

// Bounds on the files of .github that are looked into.
const (
	maxWorkflows = 2_000
	maxWorkflow  = 1 << 20
)

// workflows are the files of .github, of either tree, that name this program, and
// those that name one of these: a workflow that calls another, an action of the
// repository's own. Where there are more than are looked into, all count.
func workflows(trees ...fs.FS) []string {
	texts := map[string][]byte{}
	for _, tree := range trees {
		_ = fs.WalkDir(tree, ".github", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || len(texts) >= maxWorkflows || path.Ext(name) != ".yml" && path.Ext(name) != ".yaml" {
				return nil
			}
			texts[name] = append(texts[name], workflow(tree, name)...)
			return nil
		})
		localActions(tree, texts)
	}
	ours := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for name, text := range texts {
			if !ours[name] && (len(texts) >= maxWorkflows || namesOurs(text, ours)) {
				ours[name], grown = true, true
			}
		}
	}
	var out []string
	for name := range ours {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// localAction is a folder of the repository that a text uses as an action.
var localAction = pattern.Of(`(?i)uses["']?\s*:\s*["']?\./([^\s"'#@,}]*)`)

// localActions adds the actions that texts use and that lie outside of .github,
// and those that these use.
func localActions(tree fs.FS, texts map[string][]byte) {
	for list := slices.Collect(maps.Values(texts)); len(list) > 0 && len(texts) < maxWorkflows; list = list[1:] {
		for _, m := range localAction.FindAllSubmatch(list[0], -1) {
			for _, base := range []string{"action.yml", "action.yaml"} {
				name := path.Join(".", string(m[1]), base)
				if texts[name] == nil && fs.ValidPath(name) && exists(tree, name) {
					texts[name] = workflow(tree, name)
					list = append(list, texts[name])
				}
			}
		}
	}
}

// workflow is a file's text. One that cannot be read in full is taken for ours.
func workflow(tree fs.FS, name string) []byte {
	info, err := fs.Stat(tree, name)
	if err == nil && info.Size() <= maxWorkflow {
		if text, err := fs.ReadFile(tree, name); err == nil {
			return text
		}
	}
	return []byte("toolwarrant")
}

// namesOurs reports whether a text names this program, or a file that does: an
// action of the repository is named by its folder.
func namesOurs(text []byte, ours map[string]bool) bool {
	text = bytes.ToLower(text)
	if bytes.Contains(text, []byte("toolwarrant")) {
		return true
	}
	for name := range ours {
		name = strings.ToLower(name)
		if base := path.Base(name); base == "action.yml" || base == "action.yaml" {
			if name = path.Dir(name); name == "." {
				name = "./"
			}
		}
		if bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}
