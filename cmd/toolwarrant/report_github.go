package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/github"
	"github.com/toolwarrant/toolwarrant/internal/report"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// publish posts a saved report where GitHub's event says: as the comment of a pull
// request, or as the issue of a scheduled run. It starts and fetches nothing. What
// cannot be posted is told and changes no exit code.
func (c *reportCmd) publish(a *app, r finding.Report) error {
	event, err := a.publishable()
	if err != nil {
		return err
	}
	client, err := github.New(github.Config{API: a.getenv("GITHUB_API_URL"), Repository: a.getenv("GITHUB_REPOSITORY"), Token: a.token(), UserAgent: "toolwarrant/" + version})
	if err != nil {
		return usage("", "nothing can be posted: %s", err)
	}
	run := a.workflowRun()
	posting := github.Posting{}
	if p := event.PullRequest; p != nil {
		o := report.CommentOptions{Category: c.Category, Head: p.HeadSHA, Branch: p.BaseRef, Fails: r.Outcome != finding.Clean && !r.Approved}
		if r.Approved {
			o.Approval = report.ApprovalGiven
		}
		posting = client.PostComment(a.ctx, github.CommentOrder{Number: p.Number, Head: p.HeadSHA, Body: report.Comment(r, o), Verdict: r.Outcome, Run: run})
	} else {
		posting = client.KeepIssue(a.ctx, github.IssueOrder{Key: report.MarkerKey("", c.Category), Report: r, Run: run})
	}
	_, err = fmt.Fprintf(a.stderr, "toolwarrant: %s\n", posting.Told())
	return err
}

// publishable reads the event, unless a report may not be posted from it: in one
// that has rights which the report's author has not, the report is the author's.
func (a *app) publishable() (github.Event, error) {
	name := a.getenv("GITHUB_EVENT_NAME")
	switch name {
	case "pull_request", "pull_request_review":
	case "schedule":
		return github.Event{Name: name}, nil
	case "workflow_run", "pull_request_target":
		return github.Event{}, usage("post from a job of the event pull_request", "nothing is posted on %s: a report that reaches it may be anybody's", name)
	default:
		return github.Event{}, usage("", "--github posts on pull_request, pull_request_review and schedule, and this is none of them")
	}
	f, err := os.Open(a.getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return github.Event{}, usage("", "the event's file cannot be read: GITHUB_EVENT_PATH names none")
	}
	defer func() { _ = f.Close() }()
	event, err := github.ReadEvent(name, f)
	if err != nil {
		return event, usage("", "%s", err)
	}
	return event, nil
}

// token is the one to post with. It comes by the environment only: an argument
// stands in lists of processes.
func (a *app) token() secret.Value {
	for _, name := range []string{"GITHUB_TOKEN", "INPUT_GITHUB-TOKEN"} {
		if value := a.getenv(name); value != "" {
			return secret.New(value)
		}
	}
	return secret.Value{}
}

func (a *app) workflowRun() (r github.Run) {
	r.ID, _ = strconv.ParseInt(a.getenv("GITHUB_RUN_ID"), 10, 64) // without one nothing is posted
	r.Attempt, _ = strconv.Atoi(a.getenv("GITHUB_RUN_ATTEMPT"))
	return r
}
