package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	rest "github.com/google/go-github/v62/github"
)

// Approval is who approved a commit of a pull request, of those whose word counts.
type Approval struct {
	By  []string // logins, sorted
	Why string   // where By is empty: one sentence that says why
}

// maxCommits is the most commits of a pull request that the API lists.
const maxCommits = 250

// Approval finds the reviews that approve exactly this head. One counts when it is
// of a person who may write to the repository, is named in approvers (empty: anyone
// is), is not the author of the pull request and neither author, nor committer, nor named
// as another author of one of its commits, and took the approval not back since. What cannot be read is
// no approval; the error is for arguments that are none and a context that is over.
//
// Who made a commit is what the commit says and GitHub finds an account for; who
// pushed it is not known here. That the last who pushed does not approve is for
// branch protection to ask.
func (c *Client) Approval(ctx context.Context, number int, headSHA string, approvers []string) (Approval, error) {
	if number <= 0 || !isID(headSHA) {
		return Approval{}, errors.New("a pull request without a number, or a commit that is no full id")
	}
	j := judgement{client: c, number: number, head: headSHA, approvers: approvers}
	by, why, err := j.judge(ctx)
	switch {
	case ctx.Err() != nil:
		return Approval{Why: "there was no time to read the reviews"}, fmt.Errorf("reading an approval: %w", ctx.Err())
	case err != nil:
		return Approval{Why: "it cannot be read who approved: " + err.Error()}, nil
	case len(by) == 0:
		return Approval{Why: why}, nil
	}
	return Approval{By: by}, nil
}

// judgement is one look at the reviews of a pull request.
type judgement struct {
	client    *Client
	number    int
	head      string
	approvers []string

	author  account
	makers  []account // of its commits
	refused []string  // why approvals do not count
}

// helpers are the accounts that a commit's message names as authors beside its own
// (docs.github.com, "Creating a commit with multiple authors"): by the address that
// GitHub gives every account, or by their login. Another address cannot be looked
// up, so that whom it belongs to is not known.
func helpers(message string) (out []account) {
	for line := range strings.Lines(message) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if !strings.EqualFold(strings.TrimSpace(key), "co-authored-by") {
			continue
		}
		name, mail, _ := strings.Cut(value, "<")
		if name = strings.TrimPrefix(strings.TrimSpace(name), "@"); isLogin(name) {
			out = append(out, account{login: name})
		}
		local, host, _ := strings.Cut(strings.TrimRight(mail, "> \t"), "@")
		if !strings.HasPrefix(strings.ToLower(host), "users.noreply.") {
			continue
		}
		digits, login, ok := strings.Cut(local, "+")
		if !ok { // of an account that is older than the numbers
			digits, login = "", local
		}
		id, _ := strconv.ParseInt(digits, 10, 64)
		out = append(out, account{id, login})
	}
	return out
}

// account is one of GitHub's, by id and login; what is not known of it is zero.
type account struct {
	id    int64
	login string
}

func accountOf(u *rest.User) account { return account{u.GetID(), u.GetLogin()} }

// known reports whether GitHub found an account at all.
func (a account) known() bool { return a.id != 0 && isLogin(a.login) }

// is compares accounts: a login can be given up and taken by another, an id not.
func (a account) is(b account) bool {
	return a.id != 0 && a.id == b.id || a.login != "" && strings.EqualFold(a.login, b.login)
}

func (j *judgement) judge(ctx context.Context) (by []string, why string, err error) {
	p, err := j.client.pull(ctx, j.number)
	if err != nil {
		return nil, "", err
	}
	if p.HeadSHA != j.head {
		return nil, "the pull request has moved on to another commit than the one that was judged", nil
	}
	if j.author = (account{p.authorID, p.Author}); !j.author.known() {
		return nil, "the account of the pull request's author is gone, so that nobody can be told from the author", nil
	}
	reviews, err := j.reviews(ctx)
	if err != nil {
		return nil, "", err
	}
	approving := j.approving(reviews)
	if len(approving) == 0 {
		return nil, j.nobody(reviews), nil
	}
	if why, err = j.readMakers(ctx, p.commits); err != nil || why != "" {
		return nil, why, err
	}
	for _, u := range approving {
		if j.counts(ctx, u) {
			by = append(by, u.GetLogin())
		}
	}
	slices.Sort(by)
	return by, "no approval counts: " + strings.Join(j.refused, "; "), nil
}

func (j *judgement) reviews(ctx context.Context) ([]*rest.PullRequestReview, error) {
	s := step{"reading the reviews", readPulls}
	return pages(ctx, j.client, s, func(api *rest.Client, o rest.ListOptions) ([]*rest.PullRequestReview, *rest.Response, error) {
		return api.PullRequests.ListReviews(ctx, j.client.owner, j.client.name, j.number, &o)
	})
}

// approving are the accounts whose last word on this head is an approval. Reviews
// come in the order in which they were given. A comment takes nothing back, and
// neither does an approval of another commit; asking for changes does, and so does
// a review that was dismissed.
func (j *judgement) approving(reviews []*rest.PullRequestReview) []*rest.User {
	var out []*rest.User
	for _, r := range reviews {
		state, by := r.GetState(), accountOf(r.User)
		takes := state == "APPROVED" && r.GetCommitID() == j.head || state == "CHANGES_REQUESTED" || state == "DISMISSED"
		if !by.known() || !takes {
			continue
		}
		out = slices.DeleteFunc(out, func(u *rest.User) bool { return by.is(accountOf(u)) })
		if state == "APPROVED" {
			out = append(out, r.User)
		}
	}
	return out
}

// nobody says why no account approves this head.
func (j *judgement) nobody(reviews []*rest.PullRequestReview) string {
	older, withdrawn := 0, 0
	for _, r := range reviews {
		switch {
		case r.GetState() == "DISMISSED" || r.GetState() == "CHANGES_REQUESTED":
			withdrawn++
		case r.GetState() == "APPROVED" && r.GetCommitID() != j.head:
			older++
		}
	}
	switch {
	case withdrawn > 0:
		return "no review approves this commit: one was dismissed, or asks for changes"
	case older > 0:
		return "no review approves this commit: an approval of another commit does not count, a new push needs a new one"
	}
	return "no review approves this commit"
}

// readMakers reads who made the commits; why says which of them is nobody that
// GitHub knows.
func (j *judgement) readMakers(ctx context.Context, total int) (why string, err error) {
	if total > maxCommits {
		return fmt.Sprintf("the pull request has %d commits, and the API names the authors of %d at most", total, maxCommits), nil
	}
	s := step{"reading the commits of the pull request", readPulls}
	commits, err := pages(ctx, j.client, s, func(api *rest.Client, o rest.ListOptions) ([]*rest.RepositoryCommit, *rest.Response, error) {
		return api.PullRequests.ListCommits(ctx, j.client.owner, j.client.name, j.number, &o)
	})
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(commits, func(c *rest.RepositoryCommit) bool { return c.GetSHA() == j.head })
	if len(commits) == 0 || len(commits) != total || at < 0 {
		return "the commits of the pull request cannot be read in full", nil
	}
	for _, commit := range commits {
		author, committer := accountOf(commit.Author), accountOf(commit.Committer)
		if !author.known() || !committer.known() {
			return fmt.Sprintf("a commit (%s) was made under an address that belongs to no account, so that no reviewer can be told from who made it", short(commit.GetSHA())), nil
		}
		j.makers = append(append(j.makers, author), helpers(commit.GetCommit().GetMessage())...)
		if committer.login != "web-flow" { // GitHub itself, for what was done on its pages
			j.makers = append(j.makers, committer)
		}
	}
	return "", nil
}

// short is the beginning of a commit's id.
func short(id string) string {
	if !isID(id) {
		return "unnamed"
	}
	return id[:12]
}

// counts reports whether an approval of this account is one; why not is noted.
func (j *judgement) counts(ctx context.Context, u *rest.User) bool {
	who := accountOf(u)
	why := ""
	switch {
	case u.GetType() != "User" || strings.HasSuffix(who.login, "[bot]"):
		why = "is no person"
	case who.is(j.author):
		why = "opened the pull request"
	case slices.ContainsFunc(j.makers, who.is):
		why = "made one of its commits"
	case len(j.approvers) > 0 && !slices.ContainsFunc(j.approvers, func(a string) bool { return strings.EqualFold(a, who.login) }):
		why = "is none of the policy's approvers"
	default:
		why = j.mayNotWrite(ctx, who)
	}
	if why != "" {
		j.refused = append(j.refused, who.login+" "+why)
	}
	return why == ""
}

// mayNotWrite says why an account may not write to the repository, or that it is
// not known; empty for one that may.
func (j *judgement) mayNotWrite(ctx context.Context, who account) string {
	s := step{"reading a reviewer's permission", "contents: read"}
	var level *rest.RepositoryPermissionLevel
	_, err := j.client.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		level, answer, err = api.Repositories.GetPermissionLevel(ctx, j.client.owner, j.client.name, who.login)
		return answer, err
	})
	switch {
	case err != nil:
		return "may write or not, which cannot be read (" + err.Error() + ")"
	case level.GetUser().GetID() != who.id:
		return "may write or not, which cannot be read"
	case level.GetPermission() != "admin" && level.GetPermission() != "write":
		return "may not write to the repository"
	}
	return ""
}
