package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

// proposal is a pull request of "author" with one commit on main, in a repository
// to which "author", "maker", "owner" and "reviewer" may write.
type proposal struct {
	*hub
	base, head string
	number     int
}

func newProposal(t *testing.T) *proposal {
	p := &proposal{hub: newHub(t)}
	p.base, p.head, p.number = p.history(1, "author")
	for _, login := range []string{"author", "maker", "reviewer"} {
		p.Permit(login, "write")
	}
	p.Permit("owner", "admin")
	return p
}

// push adds a commit to the pull request, made by these addresses.
func (p *proposal) push(author, committer string) {
	p.head = p.Commit(fakegithub.Commit{Parents: []string{p.head}, Author: author, Committer: committer, Message: "more"})
	p.Open(fakegithub.PullRequest{Number: p.number, Author: "author", Head: p.head, Base: p.base})
}

// pushWith adds a commit of the author's with this message.
func (p *proposal) pushWith(message string) {
	p.head = p.Commit(fakegithub.Commit{Parents: []string{p.head}, Author: mail("author"), Committer: mail("author"), Message: message})
	p.Open(fakegithub.PullRequest{Number: p.number, Author: "author", Head: p.head, Base: p.base})
}

// numbered is the address of an account's number, under a login that it gave up.
func (p *proposal) numbered(login string) string {
	return fmt.Sprintf("%d+gone@users.noreply.github.com", p.Account(login).ID)
}

func (p *proposal) review(login, state, commit string) {
	p.Server.Review(p.number, fakegithub.Review{User: login, State: state, Commit: commit})
}

func (p *proposal) approve(login string) { p.review(login, "APPROVED", p.head) }

func TestApproval(t *testing.T) {
	var (
		fails = func(path string, status int) func(*proposal) {
			return func(p *proposal) { p.approve("reviewer"); p.Fail(path, fakegithub.Failure{Status: status}) }
		}
		approve = func(logins ...string) func(*proposal) {
			return func(p *proposal) {
				for _, login := range logins {
					p.approve(login)
				}
			}
		}
	)
	tests := []struct {
		name      string
		given     func(*proposal)
		approvers []string
		want      []string
		why       string // a word of the reason
	}{
		{"by who may write", approve("reviewer"), nil, []string{"reviewer"}, ""},
		{"by an administrator", approve("owner"), nil, []string{"owner"}, ""},
		{"by two", approve("reviewer", "owner"), nil, []string{"owner", "reviewer"}, ""},
		{"by one who counts and one who does not", approve("author", "reviewer"), nil, []string{"reviewer"}, ""},
		{"by nobody", func(*proposal) {}, nil, nil, "no review"},
		{"commented only", func(p *proposal) { p.review("reviewer", "COMMENTED", p.head) }, nil, nil, "no review"},
		{"pending", func(p *proposal) { p.review("reviewer", "PENDING", p.head) }, nil, nil, "no review"},
		{"by the author", approve("author"), nil, nil, "author opened"},
		{"by the author, spelt otherwise", approve("AUTHOR"), nil, nil, "opened"},
		{"by the author of a commit", func(p *proposal) { p.push(mail("maker"), mail("author")); p.approve("maker") }, nil, nil, "maker made"},
		{"by the committer of a commit", func(p *proposal) { p.push(mail("author"), mail("maker")); p.approve("maker") }, nil, nil, "maker made"},
		{"by the author of an older commit", func(p *proposal) {
			p.push(mail("maker"), mail("maker"))
			p.push(mail("author"), mail("author"))
			p.approve("maker")
		}, nil, nil, "maker made"},
		{"of a commit made on GitHub's pages", func(p *proposal) { p.push(mail("author"), "noreply@github.com"); p.approve("reviewer") }, nil, []string{"reviewer"}, ""},
		{"by web-flow itself", func(p *proposal) {
			p.push("noreply@github.com", "noreply@github.com")
			p.Permit("web-flow", "write")
			p.approve("web-flow")
		}, nil, nil, "made one"},
		{"of a commit whose author has no account", func(p *proposal) { p.push("someone@example.com", mail("author")); p.approve("reviewer") }, nil, nil, "no account"},
		{"of a commit whose committer has no account", func(p *proposal) { p.push(mail("author"), "someone@example.com"); p.approve("reviewer") }, nil, nil, "no account"},
		{"by who is named beside the author, by address", func(p *proposal) {
			p.pushWith("more\n\nCo-authored-by: Somebody Else <" + mail("maker") + ">")
			p.approve("maker")
		}, nil, nil, "maker made"},
		{"by who is named beside the author, by number", func(p *proposal) {
			p.pushWith("more\r\n\r\nco-authored-BY :Former Name <" + p.numbered("maker") + ">\r\n")
			p.approve("maker")
		}, nil, nil, "maker made"},
		{"by who is named beside the author, by login", func(p *proposal) {
			p.pushWith("more\n\nCo-authored-by: @Maker <maker@example.com>")
			p.approve("maker")
		}, nil, nil, "maker made"},
		{"of a commit with a program beside its author", func(p *proposal) {
			p.pushWith("more\n\nCo-authored-by: Helper <noreply@example.com>\nCo-authored-by:\nCo-authored-by: <@users.noreply.github.com>")
			p.approve("reviewer")
		}, nil, []string{"reviewer"}, ""},
		{"by an app", func(p *proposal) { p.Permit("helper[bot]", "write"); p.approve("helper[bot]") }, nil, nil, "no person"},
		{"by a machine that is called like a person", func(p *proposal) { p.Type("reviewer", "Bot"); p.approve("reviewer") }, nil, nil, "no person"},
		{"by an app that is called a person", func(p *proposal) {
			p.Permit("helper[bot]", "write")
			p.Type("helper[bot]", "User")
			p.approve("helper[bot]")
		}, nil, nil, "no person"},
		{"by an organization", func(p *proposal) { p.Type("reviewer", "Organization"); p.approve("reviewer") }, nil, nil, "no person"},
		{"by an account that is gone", approve(""), nil, nil, "no review"},
		{"by a reader", approve("stranger"), nil, nil, "stranger may not write"},
		{"by nobody's collaborator", func(p *proposal) { p.Permit("stranger", "none"); p.approve("stranger") }, nil, nil, "may not write"},
		{"with a permission of no known name", func(p *proposal) { p.Permit("reviewer", "writer"); p.approve("reviewer") }, nil, nil, "may not write"},
		{"of an older commit", func(p *proposal) { p.approve("reviewer"); p.push(mail("author"), mail("author")) }, nil, nil, "another commit"},
		{"of the base", func(p *proposal) { p.review("reviewer", "APPROVED", p.base) }, nil, nil, "another commit"},
		{"dismissed", func(p *proposal) { p.review("reviewer", "DISMISSED", p.head) }, nil, nil, "dismissed"},
		{"approved, then changes asked for", func(p *proposal) { p.approve("reviewer"); p.review("reviewer", "CHANGES_REQUESTED", p.head) }, nil, nil, "asks for changes"},
		{"approved, then one that was dismissed", func(p *proposal) { p.approve("reviewer"); p.review("reviewer", "DISMISSED", p.head) }, nil, nil, "dismissed"},
		{"changes asked for, then approved", func(p *proposal) { p.review("reviewer", "CHANGES_REQUESTED", p.head); p.approve("reviewer") }, nil, []string{"reviewer"}, ""},
		{"approved, then commented", func(p *proposal) { p.approve("reviewer"); p.review("reviewer", "COMMENTED", p.head) }, nil, []string{"reviewer"}, ""},
		{"approved, then an older commit too", func(p *proposal) { p.approve("reviewer"); p.review("reviewer", "APPROVED", p.base) }, nil, []string{"reviewer"}, ""},
		{"another asks for changes", func(p *proposal) { p.approve("reviewer"); p.review("owner", "CHANGES_REQUESTED", p.head) }, nil, []string{"reviewer"}, ""},
		{"named in the policy", approve("reviewer"), []string{"someone", "Reviewer"}, []string{"reviewer"}, ""},
		{"not named in the policy", approve("owner"), []string{"reviewer"}, nil, "none of the policy's"},
		{"named in the policy, and a reader", approve("stranger"), []string{"stranger"}, nil, "may not write"},
		{"named in the policy, and the author", approve("author"), []string{"author"}, nil, "opened"},
		{"the author's account is gone", func(p *proposal) {
			p.approve("reviewer")
			p.Open(fakegithub.PullRequest{Number: p.number, Head: p.head, Base: p.base})
		}, nil, nil, "is gone"},
		{"more commits than are listed", func(p *proposal) {
			for range maxCommits {
				p.push(mail("author"), mail("author"))
			}
			p.approve("reviewer")
		}, nil, nil, "251 commits"},
		{"as many commits as are listed", func(p *proposal) {
			for range maxCommits - 1 {
				p.push(mail("author"), mail("author"))
			}
			p.approve("reviewer")
		}, nil, []string{"reviewer"}, ""},
		{"the pull request is hidden", fails("/pulls/1", 404), nil, nil, "cannot be read"},
		{"the reviews are hidden", fails("/pulls/1/reviews", 403), nil, nil, "cannot be read"},
		{"the reviews break", fails("/pulls/1/reviews", 500), nil, nil, "cannot be read"},
		{"the commits are hidden", fails("/pulls/1/commits", 403), nil, nil, "cannot be read"},
		{"the commits are no list", func(p *proposal) {
			p.approve("reviewer")
			p.Fail("/pulls/1/commits", fakegithub.Failure{Body: []byte(`[]`)})
		}, nil, nil, "in full"},
		{"the commits are others", func(p *proposal) {
			p.approve("reviewer")
			p.Fail("/pulls/1/commits", fakegithub.Failure{Body: []byte(`[{"sha": "` + p.base + `"}]`)})
		}, nil, nil, "in full"},
		{"the commits are some", func(p *proposal) {
			p.push(mail("author"), mail("author"))
			p.approve("reviewer")
			maker := `{"id": 99, "login": "someone"}`
			p.Fail("/pulls/1/commits", fakegithub.Failure{Body: []byte(`[{"sha": "` + p.head + `", "author": ` + maker + `, "committer": ` + maker + `}]`)})
		}, nil, nil, "in full"},
		{"a permission is hidden", fails("/collaborators/reviewer/permission", 403), nil, nil, "cannot be read"},
		{"a permission is another's", func(p *proposal) {
			p.approve("reviewer")
			p.Fail("/collaborators/reviewer/permission", fakegithub.Failure{Body: []byte(`{"permission": "admin", "user": {"id": 1, "login": "reviewer"}}`)})
		}, nil, nil, "cannot be read"},
		{"one permission is hidden, another is not", func(p *proposal) {
			p.approve("reviewer")
			p.approve("owner")
			p.Fail("/collaborators/reviewer/permission", fakegithub.Failure{Status: 404})
		}, nil, []string{"owner"}, ""},
		{"a limit, then an answer", func(p *proposal) {
			p.approve("reviewer")
			p.Fail("/pulls/1/reviews", fakegithub.Failure{Status: 403, Secondary: true, Times: 1})
		}, nil, []string{"reviewer"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProposal(t)
			tt.given(p)
			got, err := p.client.Approval(t.Context(), p.number, p.head, tt.approvers)
			if err != nil || !slices.Equal(got.By, tt.want) {
				t.Errorf("approved by %q (%s), %v; want %q", got.By, got.Why, err, tt.want)
			}
			if (len(got.By) == 0) != (got.Why != "") || !strings.Contains(got.Why, tt.why) || strings.Contains(got.Why, "\n") {
				t.Errorf("the reason is %q, want one with %q", got.Why, tt.why)
			}
		})
	}
}

// TestApprovalOfAnotherHead: what was judged is what must be approved.
func TestApprovalOfAnotherHead(t *testing.T) {
	p := newProposal(t)
	p.approve("reviewer")
	judged := p.head
	p.push(mail("author"), mail("author"))
	got, err := p.client.Approval(t.Context(), p.number, judged, nil)
	if err != nil || len(got.By) != 0 || !strings.Contains(got.Why, "moved on") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestApprovalInTime(t *testing.T) {
	p := newProposal(t)
	p.approve("reviewer")
	ctx, cancel := context.WithCancel(t.Context())
	p.Fail("/pulls/1/reviews", fakegithub.Failure{Status: 403, Secondary: true})
	p.client.sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	got, err := p.client.Approval(ctx, p.number, p.head, nil)
	if !errors.Is(err, context.Canceled) || len(got.By) != 0 || got.Why == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestApprovalAsksLittle: where nobody approves, neither commits nor permissions
// are read.
func TestApprovalAsksLittle(t *testing.T) {
	p := newProposal(t)
	if _, err := p.client.Approval(t.Context(), p.number, p.head, nil); err != nil {
		t.Fatal(err)
	}
	var log []string
	for _, q := range p.Requests() {
		log = append(log, q.Path)
	}
	if want := []string{"/repos/octo-org/tool/pulls/1", "/repos/octo-org/tool/pulls/1/reviews"}; !slices.Equal(log, want) {
		t.Errorf("requests %q, want %q", log, want)
	}
}

// FuzzHelpers: whatever a commit's message says, it only takes away: nobody that it
// names is everybody.
func FuzzHelpers(f *testing.F) {
	for _, s := range []string{"", "a\n\nCo-authored-by: A <1+a@users.noreply.github.com>", "co-authored-by:", "Co-authored-by: <+@users.noreply.x>", "Co-authored-by: a <0+@users.noreply.", "Co-authored-by: x <99999999999999999999+b@users.noreply.c>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for _, a := range helpers(message) {
			if a.is(account{}) || a.is(account{id: 7}) && a.id != 7 || a.is(account{id: 7, login: "somebody"}) && a.id != 7 && !strings.EqualFold(a.login, "somebody") {
				t.Errorf("%+v is anybody", a)
			}
		}
	})
}
