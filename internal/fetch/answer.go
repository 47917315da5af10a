package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answer is a registry's, and stop ends the request that it belongs to.
type answer struct {
	*http.Response
	stop context.CancelFunc
}

func (a *answer) close() {
	a.stop()
	_ = a.Body.Close()
}

// bounded is the body up to most bytes, as long as it goes on arriving.
func (a *answer) bounded(e enquiry, most int64) io.ReadCloser {
	b := &body{answer: a, enquiry: e, left: most, most: most}
	b.silence = time.AfterFunc(idleTime, a.stop)
	return b
}

// body fails where it grows beyond its bound or falls silent.
type body struct {
	*answer
	enquiry
	left, most int64
	silence    *time.Timer
}

func (b *body) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.Body.Read(p)
	b.silence.Reset(idleTime)
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, b.fail(Failed, fmt.Sprintf("the registry sends more than %d MiB", b.most>>20), "")
	case err == nil || err == io.EOF:
		return n, err
	}
	return n, b.fail(Unreachable, "the registry broke off in the middle of its answer", "try again")
}

// Close ends the request.
func (b *body) Close() error {
	b.silence.Stop()
	b.close()
	return nil
}

// transport is the one for a credential; those with a client certificate have
// connections of their own.
func (r *Resolver) transport(cred credential) (*http.Transport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := string(cred.certificate)
	if t := r.transports[key]; t != nil {
		return t, nil
	}
	t, err := r.config.transport(r.dialer, cred)
	if err == nil {
		r.transports[key] = t
	}
	return t, err
}

// explain says in our words why no answer came.
func (e enquiry) explain(ctx context.Context, err error) error {
	var refused *AddressError
	var failed *ResolveError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed):
		return failed
	case errors.As(err, &refused):
		out := e.fail(RefusedDependency, refused.Error(), refused.Hint())
		out.Cause = refused
		return out
	case untrusted(err) != "":
		return e.fail(Unreachable, untrusted(err), distrusted.hint)
	}
	return e.fail(Unreachable, silent.detail, silent.hint)
}

// untrusted says what is wrong with a certificate, empty where it is not that.
func untrusted(err error) string {
	var verify *tls.CertificateVerificationError
	if errors.As(err, &verify) {
		return "the registry's certificate is not trusted"
	}
	return ""
}
