package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/tree"
)

// The files that init writes beside the locks.
const (
	workflowFolder = ".github/workflows"
	workflowFile   = workflowFolder + "/toolwarrant.yml"
	policyPath     = policy.File
	readmeFile     = ".toolwarrant/README.md"
)

// actionCommit is set by the linker in releases: the commit of the release, which
// a workflow names.
var actionCommit string

// plan lists the files that init writes beside the locks, and says which are
// there.
func (i *initRun) plan() []finding.NewFile {
	return []finding.NewFile{i.planned(policyPath), i.planned(readmeFile), i.plannedWorkflow()}
}

func (i *initRun) planned(path string) finding.NewFile {
	if i.there(path) {
		return finding.NewFile{Path: path, State: finding.FileThere, Why: i.thereWords(path)}
	}
	return finding.NewFile{Path: path, State: finding.FilePlanned}
}

// there reports whether something has that name, whatever it is.
func (i *initRun) there(path string) bool {
	_, err := fs.Lstat(i.r.store.FS(), path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (i *initRun) thereWords(path string) string {
	if path != policyPath {
		return "it stays as it is"
	}
	data, err := fs.ReadFile(i.r.store.FS(), path)
	if err != nil {
		return "it stays as it is, and cannot be read"
	}
	p, found := policy.Parse(data, path)
	if len(found) > 0 {
		return "it stays as it is, and is not valid: toolwarrant policy check"
	}
	if i.Trial && p.FailOn != policy.FailNever {
		return "it stays as it is; for a trial it has to say fail-on: never"
	}
	return "it stays as it is"
}

// plannedWorkflow looks for any workflow that names our action already.
func (i *initRun) plannedWorkflow() finding.NewFile {
	f := i.planned(workflowFile)
	if f.State == finding.FileThere {
		return f
	}
	names, _ := fs.ReadDir(i.r.store.FS(), workflowFolder)
	for _, n := range names {
		data, err := fs.ReadFile(i.r.store.FS(), workflowFolder+"/"+n.Name())
		if err == nil && ourAction.Match(data) {
			return finding.NewFile{Path: workflowFolder + "/" + n.Name(), State: finding.FileThere, Why: "it uses toolwarrant already"}
		}
	}
	if i.commit() == "" {
		f.State, f.Why = finding.FileUnknown, "this program does not know its commit: --action COMMIT names one"
	}
	return f
}

var ourAction = regexp.MustCompile(`(?m)^[ \t-]*uses:[ \t]*["']?` + regexp.QuoteMeta(actionName) + `(/[^@\s]*)?@`)

// commit is what the workflow pins: of --action, of the release, or of the
// checkout that this program was built in.
func (i *initRun) commit() string {
	if i.Action != "" {
		return i.Action
	}
	if isCommit(actionCommit) {
		return actionCommit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	at := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" })
	if at < 0 || !isCommit(info.Settings[at].Value) {
		return ""
	}
	return info.Settings[at].Value
}

// files writes what is planned.
func (i *initRun) files(planned []finding.NewFile, write bool) error {
	for _, f := range planned {
		if f.State == finding.FilePlanned {
			text, err := i.text(f.Path)
			if err != nil {
				return err
			}
			switch {
			case i.DryRun:
				f.Text = text
			case !write && !(f.Path == policyPath && i.waived()):
				f.State = finding.FileLeft
			default:
				if err := i.r.store.Write(f.Path, []byte(text)); err != nil {
					return err
				}
				f.State = finding.FileWritten
			}
		}
		i.result.Files = append(i.result.Files, f)
	}
	return nil
}

// waived reports whether a waiver was accepted, which the policy has to say.
func (i *initRun) waived() bool {
	return slices.ContainsFunc(i.result.Waivers, func(w finding.Waiver) bool { return w.Accepted })
}

func (i *initRun) text(path string) (string, error) {
	switch path {
	case workflowFile:
		return workflowText(i.commit(), i.branch()), nil
	case readmeFile:
		return folderText, nil
	}
	text := policyText(i.Trial, i.result.Waivers)
	if _, found := policy.Parse([]byte(text), path); len(found) > 0 {
		return "", fmt.Errorf("the policy that was made is not valid: %s", found[0].Message)
	}
	return text, nil
}

// branch is the default branch, where its name is a plain word: a workflow takes
// patterns.
func (i *initRun) branch() string {
	repo, err := tree.OpenRepository(i.r.root)
	if err != nil {
		return ""
	}
	name := repo.DefaultBranch()
	_ = repo.Close()
	if !plainBranch.MatchString(name) {
		return ""
	}
	return name
}

var plainBranch = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

// owners says whether CODEOWNERS covers what decides, and proposes lines where it
// does not. Who owns it is for people to say.
func (i *initRun) owners() []finding.NewFile {
	for _, name := range policy.OwnersFiles {
		data, err := fs.ReadFile(i.r.store.FS(), name)
		if err != nil {
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(ownedPaths), func(p [2]string) bool { return len(policy.Owners(data, p[1])) > 0 })
		if len(missing) == 0 {
			return []finding.NewFile{{Path: name, State: finding.FileThere, Why: "it covers .toolwarrant/ and the workflow"}}
		}
		return []finding.NewFile{proposal(name, missing)}
	}
	return []finding.NewFile{proposal(policy.OwnersFiles[0], ownedPaths)}
}

// ownedPaths are patterns for CODEOWNERS and a path that each has to cover.
var ownedPaths = [][2]string{
	{"/.toolwarrant/", ".toolwarrant/servers/a.lock.json"},
	{"/" + workflowFile, workflowFile},
}

func proposal(file string, missing [][2]string) finding.NewFile {
	var lines []string
	for _, m := range missing {
		lines = append(lines, m[0]+" @OWNER")
	}
	return finding.NewFile{Path: file, State: finding.FileProposed, Text: strings.Join(lines, "\n") + "\n",
		Why: "nobody owns these, so a change of them needs nobody's review: add them with an owner"}
}
