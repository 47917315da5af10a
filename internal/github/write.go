package github

import (
	"context"
	"fmt"
	"net/http"

	rest "github.com/google/go-github/v62/github"
)

// The permissions to write.
const (
	writePulls  = "pull-requests: write"
	writeIssues = "issues: write"
)

// actionsLogin is whom the token of a job stands for.
const actionsLogin = "github-actions[bot]"

// Self is the login that the token stands for. The token of an app stands for no
// user and is not told its name; a job's own is the usual one.
func (c *Client) Self(ctx context.Context) (string, error) {
	s := step{"asking whose token it is", ""}
	var u *rest.User
	_, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
		u, answer, err = api.Users.Get(ctx, "")
		return answer, err
	})
	if e, ok := failed(err); ok && (e.Kind == NotAllowed || e.Kind == NotThere) {
		return actionsLogin, nil
	}
	if err != nil {
		return "", err
	}
	if !isLogin(u.GetLogin()) {
		return "", s.odd("the answer names nobody")
	}
	return u.GetLogin(), nil
}

// create sends what a repeat would make twice. Where the API only asked to wait,
// it is sent again, but not before a look whether it is there after all; where it
// failed midway, a look is all, since what failed may still come to be.
func (c *Client) create(ctx context.Context, s step, send func(*rest.Client) (*rest.Response, error), there func() (bool, error)) error {
	for attempt := 1; ; attempt++ {
		answer, err := send(c.rest())
		if err == nil {
			return nil
		}
		if over := ctx.Err(); over != nil {
			return fmt.Errorf("%s: %w", s.what, over)
		}
		failure := s.failure(answer, err)
		wait := failure.pause(answer, attempt)
		if failure.Kind == Broken && failure.Status == 0 {
			wait = afterError
		}
		if wait == 0 || wait > maxWait || attempt == attempts {
			return failure
		}
		if err := c.sleep(ctx, wait); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		found, err := there()
		switch {
		case err != nil:
			return err
		case found:
			return nil
		case failure.Kind != Limited:
			return failure
		}
	}
}

// remove deletes what may be gone already.
func (c *Client) remove(ctx context.Context, s step, send func(*rest.Client) (*rest.Response, error)) error {
	_, err := c.read(ctx, s, send)
	if e, ok := failed(err); ok && e.Status == http.StatusNotFound {
		return nil
	}
	return err
}
