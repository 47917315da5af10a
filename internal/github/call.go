package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	rest "github.com/google/go-github/v62/github"
)

// The bounds on attempts to read (docs.github.com/rest, "Rate limits" and "Best
// practices"): a limit is waited for as long as the API asks, or a minute and
// then two where it does not say; a server's own failure is tried again soon.
const (
	attempts   = 3
	maxWait    = 2 * time.Minute
	secondary  = time.Minute
	afterError = time.Second
)

// step is one thing to ask for.
type step struct {
	what  string // in our words
	needs string // the permission
}

// read asks for something that asking twice does not change.
func (c *Client) read(ctx context.Context, s step, ask func(*rest.Client) (*rest.Response, error)) (*rest.Response, error) {
	for attempt := 1; ; attempt++ {
		answer, err := ask(c.rest())
		if err == nil {
			return answer, nil
		}
		if over := ctx.Err(); over != nil {
			return nil, fmt.Errorf("%s: %w", s.what, over)
		}
		failure := s.failure(answer, err)
		wait := failure.pause(answer, attempt)
		if wait == 0 || wait > maxWait || attempt == attempts {
			return nil, failure
		}
		if err := c.sleep(ctx, wait); err != nil {
			return nil, fmt.Errorf("%s: %w", s.what, err)
		}
	}
}

// failure tells an error of go-github in our words.
func (s step) failure(answer *rest.Response, err error) *APIError {
	e := &APIError{Step: s.what, Needs: s.needs, Reason: "the API did not answer"}
	if answer == nil || answer.Response == nil {
		if errors.Is(err, errElsewhere) {
			e.Reason = "the request would have left the API"
		}
		return e
	}
	e.Status = answer.StatusCode
	switch {
	case limited(answer, err):
		e.Kind, e.Wait = Limited, asked(answer)
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		e.Kind = NotAllowed
	case e.Status == http.StatusNotFound, e.Status == http.StatusGone, e.Status == http.StatusConflict:
		e.Kind = NotThere // a conflict is an empty repository's
	case e.Status == http.StatusUnprocessableEntity:
		e.Reason = "the API does not take what was sent: too long, a repetition, or locked"
	case e.Status/100 == 3:
		e.Reason = "the API points elsewhere, where the token does not go"
	case e.Status/100 == 2 && errors.Is(err, errTooLarge):
		e.Reason = "the answer is too large"
	case e.Status/100 == 2:
		e.Reason = "the answer does not have the form that the API documents"
	default:
		e.Reason = "the API failed"
	}
	return e
}

// limited reports whether an answer says that there were too many requests: the
// primary limit has none left, the secondary one asks to wait or names its page.
func limited(answer *rest.Response, err error) bool {
	if answer.StatusCode == http.StatusTooManyRequests {
		return true
	}
	var abuse *rest.AbuseRateLimitError
	return answer.StatusCode == http.StatusForbidden &&
		(errors.As(err, &abuse) || answer.Header.Get("Retry-After") != "" || answer.Header.Get("X-RateLimit-Remaining") == "0")
}

// asked is how long an answer asks to wait, by its own clock; 0 where it does not
// say.
func asked(answer *rest.Response) time.Duration {
	if n, err := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 31); err == nil {
		return max(time.Duration(n)*time.Second, time.Second)
	}
	reset, err := strconv.ParseInt(answer.Header.Get("X-RateLimit-Reset"), 10, 64)
	now, noDate := http.ParseTime(answer.Header.Get("Date"))
	if answer.Header.Get("X-RateLimit-Remaining") != "0" || err != nil || noDate != nil {
		return 0
	}
	return max(time.Unix(reset, 0).Sub(now), time.Second)
}

// pause is how long to wait before the next attempt; 0 for not at all.
func (e *APIError) pause(answer *rest.Response, attempt int) time.Duration {
	switch {
	case e.Kind == Limited && e.Wait > 0:
		return e.Wait
	case e.Kind == Limited && answer.Header.Get("X-RateLimit-Remaining") == "0":
		return 0 // until an hour that it does not name
	case e.Kind == Limited:
		return secondary * time.Duration(attempt)
	case e.Status >= 500 && e.Status != http.StatusNotImplemented:
		return afterError * time.Duration(attempt*attempt)
	}
	return 0
}

// maxPages is more than what is listed here has, by the API's own bounds or by
// reason.
const maxPages = 30

// pages reads a list to its end. What has more pages than are read is an error,
// never a list that looks whole.
func pages[T any](ctx context.Context, c *Client, s step, list func(*rest.Client, rest.ListOptions) ([]T, *rest.Response, error)) ([]T, error) {
	var out []T
	for page := 1; page <= maxPages; {
		var items []T
		answer, err := c.read(ctx, s, func(api *rest.Client) (answer *rest.Response, err error) {
			items, answer, err = list(api, rest.ListOptions{Page: page, PerPage: 100})
			return answer, err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, items...)
		switch next := answer.NextPage; {
		case next == 0:
			return out, nil
		case next != page+1:
			return nil, &APIError{Step: s.what, Needs: s.needs, Reason: "its pages do not follow each other"}
		}
		page++
	}
	return nil, &APIError{Step: s.what, Needs: s.needs, Reason: "it has more pages than are read"}
}
