package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	rest "github.com/google/go-github/v62/github"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// Config says whom to ask, and as whom.
type Config struct {
	API        string       // as in GITHUB_API_URL; https, or http on loopback
	Repository string       // owner/name
	Token      secret.Value // goes to the API's origin only; may be empty
	UserAgent  string
	// Sleep waits between attempts; nil waits for real.
	Sleep func(context.Context, time.Duration) error
	// HTTP lends its transport and timeout; nil is the default transport.
	HTTP *http.Client
}

// Client asks one repository's API. It is safe for use by several goroutines.
type Client struct {
	base        *url.URL
	http        *http.Client
	agent       string
	owner, name string
	sleep       func(context.Context, time.Duration) error
}

// New makes a client; nothing is sent yet.
func New(c Config) (*Client, error) {
	base, err := address(c.API)
	if err != nil {
		return nil, err
	}
	if !isRepository(c.Repository) {
		return nil, errors.New("the repository is not named as owner/name")
	}
	out := &Client{base: base, http: c.client(base), agent: c.UserAgent, sleep: c.Sleep}
	out.owner, out.name, _ = strings.Cut(c.Repository, "/")
	if out.agent == "" {
		out.agent = "toolwarrant"
	}
	if out.sleep == nil {
		out.sleep = sleep
	}
	return out, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// rest is a client of go-github for one attempt. A client that lives longer
// remembers limits by the machine's clock and answers in the API's place.
func (c *Client) rest() *rest.Client {
	out := rest.NewClient(c.http)
	out.BaseURL, out.UploadURL, out.UserAgent = c.base, c.base, c.agent
	return out
}
