package fakegithub_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	rest "github.com/google/go-github/v62/github"

	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

const owner, name = "octo-org", "tool"

func serve(t *testing.T) (*fakegithub.Server, *rest.Client) {
	t.Helper()
	s := fakegithub.New(owner, name)
	url, stop := s.Serve()
	t.Cleanup(stop)
	c := rest.NewClient(nil).WithAuthToken("t")
	c.BaseURL.Scheme, c.BaseURL.Host = "http", strings.TrimPrefix(url, "http://")
	return s, c
}

func status(err error) int {
	var e *rest.ErrorResponse
	if errors.As(err, &e) {
		return e.Response.StatusCode
	}
	return 0
}

func TestComments(t *testing.T) {
	s, c := serve(t)
	number := s.AddIssue(fakegithub.Issue{Title: "one", Author: "octocat"})
	for range 35 {
		s.AddComment(number, "octocat", "hello")
	}
	first, answer, err := c.Issues.ListComments(t.Context(), owner, name, number, nil)
	if err != nil || len(first) != 30 || answer.NextPage != 2 {
		t.Errorf("%d comments, next page %d, %v", len(first), answer.NextPage, err)
	}
	second, answer, err := c.Issues.ListComments(t.Context(), owner, name, number, &rest.IssueListCommentsOptions{ListOptions: rest.ListOptions{Page: 2}})
	if err != nil || len(second) != 5 || answer.NextPage != 0 {
		t.Errorf("%d comments, next page %d, %v", len(second), answer.NextPage, err)
	}
	made, _, err := c.Issues.CreateComment(t.Context(), owner, name, number, &rest.IssueComment{Body: rest.String("ours")})
	if err != nil || made.GetUser().GetType() != "Bot" {
		t.Fatalf("%v, %v", made, err)
	}
	if _, _, err := c.Issues.EditComment(t.Context(), owner, name, made.GetID(), &rest.IssueComment{Body: rest.String("edited")}); err != nil {
		t.Error(err)
	}
	if got, _, err := c.Issues.GetComment(t.Context(), owner, name, made.GetID()); err != nil || got.GetBody() != "edited" {
		t.Errorf("%v, %v", got, err)
	}
	if _, _, err := c.Issues.EditComment(t.Context(), owner, name, first[0].GetID(), &rest.IssueComment{Body: rest.String("x")}); status(err) != http.StatusForbidden {
		t.Errorf("another's comment: %v", err)
	}
	long := &rest.IssueComment{Body: rest.String(strings.Repeat("ü", 65_537))}
	if _, _, err := c.Issues.CreateComment(t.Context(), owner, name, number, long); status(err) != http.StatusUnprocessableEntity {
		t.Errorf("a body that is too long: %v", err)
	}
	if _, err := c.Issues.DeleteComment(t.Context(), owner, name, made.GetID()); err != nil || len(s.Comments(number)) != 35 {
		t.Errorf("%d comments, %v", len(s.Comments(number)), err)
	}
	if _, _, err := c.Issues.CreateComment(t.Context(), owner, name, 99, &rest.IssueComment{Body: rest.String("x")}); status(err) != http.StatusNotFound {
		t.Errorf("a comment on nothing: %v", err)
	}
}

func TestIssues(t *testing.T) {
	s, c := serve(t)
	made, _, err := c.Issues.Create(t.Context(), owner, name, &rest.IssueRequest{Title: rest.String("drift"), Body: rest.String("b"), Labels: &[]string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	s.AddIssue(fakegithub.Issue{Title: "other", Author: "octocat"})
	if _, _, err := c.Issues.AddLabelsToIssue(t.Context(), owner, name, made.GetNumber(), []string{"b", "a"}); err != nil {
		t.Error(err)
	}
	got, _, err := c.Issues.ListByRepo(t.Context(), owner, name, &rest.IssueListByRepoOptions{Labels: []string{"a", "b"}})
	if err != nil || len(got) != 1 || got[0].GetTitle() != "drift" || len(got[0].Labels) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if _, _, err := c.Issues.Edit(t.Context(), owner, name, made.GetNumber(), &rest.IssueRequest{State: rest.String("closed")}); err != nil {
		t.Error(err)
	}
	if got, _, err := c.Issues.ListByRepo(t.Context(), owner, name, nil); err != nil || len(got) != 1 || got[0].GetTitle() != "other" {
		t.Errorf("open: %v, %v", got, err)
	}
	if all := s.Issues(); len(all) != 2 || all[0].State != "closed" || all[0].Author != "github-actions[bot]" {
		t.Errorf("%+v", all)
	}
	if _, _, err := c.Issues.Create(t.Context(), owner, name, &rest.IssueRequest{}); status(err) != http.StatusUnprocessableEntity {
		t.Errorf("without a title: %v", err)
	}
	for i, want := range []int{0, http.StatusUnprocessableEntity} {
		if _, _, err := c.Issues.CreateLabel(t.Context(), owner, name, &rest.Label{Name: rest.String("a")}); status(err) != want {
			t.Errorf("label %d: %v", i, err)
		}
	}
}

func TestFiles(t *testing.T) {
	s, c := serve(t)
	base := s.Commit(fakegithub.Commit{Message: "x", Files: map[string]fakegithub.File{"dir/a.txt": {Text: "a"}, "b": {Text: "b"}}})
	s.Branch("main", base)
	file, _, _, err := c.Repositories.GetContents(t.Context(), owner, name, "dir/a.txt", &rest.RepositoryContentGetOptions{Ref: base})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := file.GetContent(); text != "a" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	_, folder, _, err := c.Repositories.GetContents(t.Context(), owner, name, "", nil)
	if err != nil || len(folder) != 2 {
		t.Errorf("%v, %v", folder, err)
	}
	if _, _, _, err := c.Repositories.GetContents(t.Context(), owner, name, "c", nil); status(err) != http.StatusNotFound {
		t.Errorf("a file that is not there: %v", err)
	}
	if b, _, err := c.Repositories.GetBranch(t.Context(), owner, name, "main", 0); err != nil || b.GetCommit().GetSHA() != base {
		t.Errorf("%v, %v", b, err)
	}
	// The id is what git write-tree gives for one file "a" of the text "a".
	one := s.Commit(fakegithub.Commit{Message: "x", Files: map[string]fakegithub.File{"a": {Text: "a"}}})
	if at, _, err := c.Git.GetCommit(t.Context(), owner, name, one); err != nil || at.GetTree().GetSHA() != "b39954843ff6e09ec3aa2b942938c30c6bd1629e" {
		t.Errorf("%v, %v", at, err)
	}
}

func TestMisbehaves(t *testing.T) {
	s, c := serve(t)
	s.Fail("", fakegithub.Failure{Status: 500, Times: 1})
	if _, _, err := c.Repositories.Get(t.Context(), owner, name); status(err) != 500 {
		t.Errorf("%v", err)
	}
	if _, _, err := c.Repositories.Get(t.Context(), owner, name); err != nil {
		t.Error(err)
	}
	s.Fail("POST /issues", fakegithub.Failure{Status: 403, Message: "Resource not accessible by integration"})
	if _, _, err := c.Issues.Create(t.Context(), owner, name, &rest.IssueRequest{Title: rest.String("x")}); status(err) != 403 {
		t.Errorf("%v", err)
	}
	if _, _, err := c.Issues.ListByRepo(t.Context(), owner, name, nil); err != nil {
		t.Error(err)
	}
	s.Demand("other", "x")
	if _, _, err := c.Repositories.Get(t.Context(), owner, name); status(err) != http.StatusUnauthorized {
		t.Errorf("%v", err)
	}
	if _, _, err := c.Repositories.Get(t.Context(), "another", "one"); status(err) == 0 {
		t.Errorf("another repository: %v", err)
	}
	var log []string
	for _, q := range s.Requests() {
		log = append(log, q.String())
	}
	want := []string{"GET /repos/octo-org/tool", "GET /repos/octo-org/tool", "POST /repos/octo-org/tool/issues", "GET /repos/octo-org/tool/issues", "GET /repos/octo-org/tool", "GET /repos/another/one"}
	if !slices.Equal(log, want) {
		t.Errorf("requests %q, want %q", log, want)
	}
}
