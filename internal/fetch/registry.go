package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

const (
	maxTarball   = 256 << 20 // bytes, compressed
	maxDocument  = 4 << 20   // of one version
	maxRedirects = 5
	maxRetries   = 2
	retryPause   = 250 * time.Millisecond // before the first retry; twice that before the second
)

// Tarball opens the tarball of one version of a package. resolved is its address
// as the lock has it, or empty; it counts only where it has the origin of the
// package's registry, else the address is the one that registries use by
// convention, and after a 404 the one that the registry's document names.
//
// Nothing is verified here: the caller hashes what it reads. Reading fails with a
// *ResolveError where the tarball is too large or the registry falls silent. The
// caller closes. The error is a *ResolveError, or the context's.
func (r *Resolver) Tarball(ctx context.Context, name, version, resolved string) (io.ReadCloser, error) {
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	e := enquiry{Resolver: r, pkg: name + "@" + version, registry: r.config.Registry(name)}
	if !validName(name) || !exactVersion.MatchString(version) {
		return nil, e.fail(Failed, "that is no name and version of a package", "")
	}
	u, err := url.Parse(resolved)
	if resolved == "" || err != nil || u.User != nil || !sameOrigin(u, e.registry) {
		u = e.registry.JoinPath(name, "-", path.Base(name)+"-"+version+".tgz")
	}
	body, err := e.open(ctx, u, maxTarball)
	var failed *ResolveError
	if !errors.As(err, &failed) || failed.Reason != NotFound {
		return body, err
	}
	if u, err = e.published(ctx, name, version); err != nil {
		return nil, err
	}
	return e.open(ctx, u, maxTarball)
}

var exactVersion = pattern.Of(`^[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?$`)

// enquiry is one package at its registry.
type enquiry struct {
	*Resolver
	pkg      string
	registry *url.URL
}

func (e enquiry) fail(reason Reason, detail, hint string) *ResolveError {
	return &ResolveError{Reason: reason, Package: e.pkg, Detail: detail, Hint: hint}
}

// published asks the registry where the tarball of a version is.
func (e enquiry) published(ctx context.Context, name, version string) (*url.URL, error) {
	u := *e.registry
	u.Path += name + "/" + version
	u.RawPath = e.registry.EscapedPath() + strings.ReplaceAll(name, "/", "%2f") + "/" + version
	body, err := e.open(ctx, &u, maxDocument)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	var document struct {
		Dist struct{ Tarball string }
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &document) != nil {
		return nil, e.fail(Failed, "the registry's answer about the version is no JSON", "")
	}
	to, err := url.Parse(document.Dist.Tarball)
	switch {
	case document.Dist.Tarball == "":
		return nil, e.fail(NotFound, "the registry names no tarball for the version", "name a version that is published")
	case err != nil || to.User != nil || to.Hostname() == "":
		return nil, e.fail(Failed, "the registry names an odd address for the tarball", "")
	}
	return to, e.downgrade(e.registry, to)
}

// downgrade refuses a way from https to http, and to anything else.
func (e enquiry) downgrade(from, to *url.URL) error {
	if to.Scheme == "https" || to.Scheme == "http" && from.Scheme == "http" {
		return nil
	}
	return e.fail(Failed, "the registry points from "+from.Scheme+" to an address that is not https", "")
}

// open gets an address, following redirects.
func (e enquiry) open(ctx context.Context, u *url.URL, most int64) (io.ReadCloser, error) {
	for hop := 0; ; hop++ {
		answer, err := e.patiently(ctx, u)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode == http.StatusOK {
			return answer.bounded(e, most), nil
		}
		answer.close()
		to, err := e.judge(answer, u)
		switch {
		case err != nil:
			return nil, err
		case hop == maxRedirects:
			return nil, e.fail(Failed, fmt.Sprintf("the registry redirects more than %d times", maxRedirects), "")
		}
		u = to
	}
}

// judge turns an answer that is no success into where it points, or an error.
func (e enquiry) judge(a *answer, from *url.URL) (*url.URL, error) {
	switch a.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to, err := a.Location()
		if err != nil || to.User != nil || to.Hostname() == "" {
			return nil, e.fail(Failed, "the registry redirects to an odd address", "")
		}
		return to, e.downgrade(from, to)
	case http.StatusUnauthorized, http.StatusForbidden:
		failed := e.fail(RegistryAuth, auth.detail, auth.hint)
		e.missing(failed)
		return nil, failed
	case http.StatusNotFound, http.StatusGone:
		return nil, e.fail(NotFound, "the registry has no such version, or does not show it without a credential", absent.hint)
	case http.StatusProxyAuthRequired:
		return nil, e.fail(Unreachable, "the proxy wants a credential that it accepts", "check HTTPS_PROXY or npm's https-proxy")
	}
	reason := Failed
	if busy(a.StatusCode) {
		reason = Unreachable
	}
	return nil, e.fail(reason, fmt.Sprintf("the registry answered with status %d", a.StatusCode), "try again, and check the registry's state")
}

func busy(status int) bool { return status >= 500 || status == http.StatusTooManyRequests }

// patiently asks again after a failure that may pass.
func (e enquiry) patiently(ctx context.Context, u *url.URL) (*answer, error) {
	for try := 0; ; try++ {
		a, err := e.ask(ctx, u)
		again := err != nil && e.passing(err) || err == nil && busy(a.StatusCode)
		if try == maxRetries || !again || ctx.Err() != nil {
			if err != nil {
				return nil, e.explain(ctx, err)
			}
			return a, nil
		}
		if err == nil {
			a.close()
		}
		select {
		case <-time.After(retryPause << try):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// passing reports whether an error is worth another try.
func (e enquiry) passing(err error) bool {
	var refused *AddressError
	var failed *ResolveError
	return !errors.As(err, &refused) && !errors.As(err, &failed) && untrusted(err) == ""
}

// ask sends one request. The credential goes to the registry's own origin only.
func (e enquiry) ask(ctx context.Context, u *url.URL) (*answer, error) {
	var cred credential
	if sameOrigin(u, e.registry) {
		found := false
		if cred, found = e.config.credential(u); !found {
			cred, _ = e.config.credential(e.registry)
		}
	}
	transport, err := e.transport(cred)
	if err != nil {
		return nil, e.fail(RegistryAuth, err.Error(), "check certfile and keyfile in the user's npmrc")
	}
	ctx, stop := context.WithCancel(ctx)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		stop()
		return nil, e.fail(Failed, "the address of the tarball is odd", "")
	}
	q.Header.Set("User-Agent", "toolwarrant")
	q.Header.Set("Accept", "application/octet-stream, application/json;q=0.9, */*;q=0.1")
	if h := cred.header(); h.Len() > 0 {
		q.Header.Set("Authorization", h.Reveal())
	}
	got, err := transport.RoundTrip(q)
	if err != nil {
		stop()
		return nil, err
	}
	return &answer{Response: got, stop: stop}, nil
}
