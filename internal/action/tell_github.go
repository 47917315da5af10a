package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/policy"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Remark says which comment or issue this run keeps.
type Remark struct {
	Number         int // of the pull request to comment on; 0 for none
	Head, Branch   string
	Path, Category string
	Adoption       bool // the anchor has no folder of ours
	NoWords        bool
	OnDrift        string // of a scheduled run; empty for every other
	Run            github.Run
}

// lockFolder is where locks and the policy are.
const lockFolder = ".toolwarrant"

// remark is what the inputs and the event want told where.
func (c *conductor) remark(e github.Event) Remark {
	r := Remark{Run: c.runner.Run, Path: path.Clean(filepath.ToSlash(c.runner.input("path"))), Category: c.runner.input("category"), NoWords: c.runner.input("comment-text") == "false"}
	if r.Path == "." {
		r.Path = ""
	}
	if p := e.PullRequest; p != nil && c.runner.input("comment") == "true" {
		r.Number, r.Head, r.Branch = p.Number, p.HeadSHA, p.BaseRef
	}
	return r
}

// judgedBy adds what the anchor says. A scheduled run is of the default branch,
// whose owners write the workflow: the input stands in the policy's place.
func (r *Remark) judgedBy(files fs.FS, base policy.Policy, event, input string) {
	_, err := fs.Stat(files, lockFolder)
	r.Adoption = errors.Is(err, fs.ErrNotExist)
	if event == "schedule" {
		if r.OnDrift = input; input == "" {
			r.OnDrift = base.OnDrift.String()
		}
	}
}

// tellGitHub keeps the comment of a pull request, or the issue of a scheduled run.
// What cannot be posted is a line in the log: summary and annotations say the same,
// and the verdict stays.
func tellGitHub(p *poster, s Said) error {
	r := s.Remark
	if s.Broken || r.Number == 0 && (r.OnDrift == "" || r.OnDrift == policy.DriftNone.String()) {
		return nil
	}
	client, err := github.New(github.Config{API: s.API, Repository: s.Repository, Token: secret.New(s.Bearer), UserAgent: "toolwarrant/" + s.Version})
	if err != nil {
		return p.say("no comment: no address of the API is known")
	}
	ctx, cancel := context.WithTimeout(context.Background(), postTime)
	defer cancel()
	if r.Number > 0 {
		o := github.CommentOrder{Number: r.Number, Head: r.Head, Body: report.Comment(s.Report, s.commentOptions()), Verdict: s.Outcome, Run: r.Run}
		return p.posted("comment", client.PostComment(ctx, o))
	}
	if r.OnDrift == policy.DriftPullRequest.String() {
		if err := p.say("on-drift: this version opens no pull request, an issue stands in for it"); err != nil {
			return err
		}
	}
	return p.posted("issue", client.KeepIssue(ctx, github.IssueOrder{Key: report.MarkerKey(r.Path, r.Category), Report: s.Report, Run: r.Run}))
}

func (s Said) commentOptions() report.CommentOptions {
	r := s.Remark
	o := report.CommentOptions{Path: r.Path, Category: r.Category, Head: r.Head, Branch: r.Branch, Adoption: r.Adoption, Fails: s.Fails, NoWords: r.NoWords}
	switch {
	case s.Approved:
		o.Approval = report.ApprovalGiven
	case s.Proposal && s.Posting.Approval == policy.ApprovalCodeowners.String():
		o.Approval = report.ByCodeOwners
	case s.Proposal && s.Fails:
		o.Approval = report.ByReview
	}
	return o
}

func (p *poster) posted(what string, g github.Posting) error {
	return p.say(what + ": " + g.Told())
}

func (p *poster) say(text string) error {
	_, err := fmt.Fprintf(p.log, "toolwarrant: %s\n", finding.Claim(text))
	return err
}
