package fetch

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// gitGateway is the one repository that a git process can reach: on loopback, for
// who says a word that nobody else knows. It passes on the two requests of fetching by
// git's smart protocol (gitprotocol-http) and no other, over https to the address
// that was reviewed: under the address rule, with the user's proxy and authorities,
// without credentials, and through no redirect. What comes back is counted.
type gitGateway struct {
	upstream  *url.URL
	transport *http.Transport
	word      string
	listener  net.Listener
	server    *http.Server
	stop      context.CancelFunc
	running   sync.WaitGroup

	mu         sync.Mutex
	left, most int64 // bytes that may still come, and how many those were
	failed     error // the first failure
}

// maxGitRequest bounds what git asks for: some thousands of ids.
const maxGitRequest = 8 << 20

// startGateway starts one; it ends with ctx or by close.
func startGateway(ctx context.Context, c Config, d Dialer, upstream *url.URL) (*gitGateway, error) {
	transport, err := c.transport(d, credential{})
	if err != nil {
		return nil, &DownloadError{Detail: err.Error()}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, &DownloadError{Detail: "no port on loopback is free"}
	}
	ctx, stop := context.WithCancel(ctx)
	g := &gitGateway{upstream: upstream, transport: transport, word: newPassword(), listener: listener, stop: stop}
	g.server = &http.Server{
		Handler: g, ReadHeaderTimeout: connectTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderLen,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0),
	}
	g.running.Go(func() { _ = g.server.Serve(listener) })
	context.AfterFunc(ctx, func() { _ = g.server.Close() })
	return g, nil
}

// wordHeader brings the word. It is no part of the address, which git hands to its
// helpers where every user of the machine can read it.
const wordHeader = "Toolwarrant-Word"

// settings are the repository, and the word, as git's configuration has them.
func (g *gitGateway) settings() string {
	return "[remote \"origin\"]\n\turl = http://" + g.listener.Addr().String() + "\n[http]\n\textraHeader = " + wordHeader + ": " + g.word + "\n"
}

func (g *gitGateway) close() {
	g.stop()
	_ = g.server.Close()
	g.running.Wait()
	g.transport.CloseIdleConnections()
}

// allow forgets failures and lets most bytes come from now on.
func (g *gitGateway) allow(most int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left, g.most, g.failed = most, most, nil
}

// came is how much of it came.
func (g *gitGateway) came() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.most - g.left
}

func (g *gitGateway) failure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed
}

// fail keeps the first failure, and ends the request without a word of it. That git
// itself has gone is none.
func (g *gitGateway) fail(r *http.Request, err error) {
	g.mu.Lock()
	if g.failed == nil && r.Context().Err() == nil {
		g.failed = err
	}
	g.mu.Unlock()
	panic(http.ErrAbortHandler)
}

// take counts bytes that came.
func (g *gitGateway) take(n int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left -= int64(n); g.left >= 0 {
		return nil
	}
	if g.failed == nil {
		g.failed = tooLarge(fmt.Sprintf("the repository sends more than %d MiB", g.most>>20))
	}
	return g.failed
}

func (g *gitGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := r.Method + " " + r.URL.RequestURI()
	switch {
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(wordHeader)), []byte(g.word)) != 1:
		http.NotFound(w, r)
	case asked == "GET /info/refs?"+forRefs:
		to := g.upstream.JoinPath("info", "refs")
		to.RawQuery = forRefs
		g.pass(w, r, to)
	case asked == "POST /git-upload-pack":
		g.pass(w, r, g.upstream.JoinPath("git-upload-pack"))
	default:
		http.NotFound(w, r)
	}
}

// forRefs is the query of the first request.
const forRefs = "service=git-upload-pack"

// pass asks the repository and hands its answer on.
func (g *gitGateway) pass(w http.ResponseWriter, r *http.Request, to *url.URL) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	q, err := http.NewRequestWithContext(ctx, r.Method, to.String(), http.MaxBytesReader(w, r.Body, maxGitRequest))
	if err != nil {
		g.fail(r, refuse("the address is odd", ""))
	}
	for _, name := range []string{"Accept", "Content-Type", "Content-Encoding", "Git-Protocol"} {
		if value := r.Header.Get(name); value != "" {
			q.Header.Set(name, value)
		}
	}
	q.ContentLength = r.ContentLength
	q.Header.Set("User-Agent", "git/2 (toolwarrant)") // some hosts speak git to nobody else
	got, err := g.transport.RoundTrip(q)
	if err != nil {
		g.fail(r, unreached(r.Context(), err))
	}
	defer func() { _ = got.Body.Close() }()
	if err := judgeGit(got, to); err != nil {
		g.fail(r, err)
	}
	w.Header().Set("Content-Type", got.Header.Get("Content-Type"))
	w.Header().Set("Cache-Control", "no-cache")
	g.copy(w, r, got.Body, stop)
}

// judgeGit takes an answer of git's smart protocol. Without one git would try the
// other protocol, which fetches file by file.
func judgeGit(got *http.Response, asked *url.URL) error {
	if at := got.Header.Get("Location"); got.StatusCode/100 == 3 && at != "" {
		to, _ := secret.Mask(at)
		return refuse("it redirects to "+finding.Claim(to).Quote(), "if that is where the repository lies, name that address")
	}
	if err := judgeArchive(got); err != nil {
		return err
	}
	want := "application/x-git-upload-pack-result"
	if asked.RawQuery != "" {
		want = "application/x-git-upload-pack-advertisement"
	}
	if got.Header.Get("Content-Type") != want || got.Header.Get("Content-Encoding") != "" {
		return &DownloadError{Detail: "no git repository is served there", Way: "check the address"}
	}
	return nil
}

// copy hands a body on as it comes. Silence ends it, and so does too much.
func (g *gitGateway) copy(w http.ResponseWriter, r *http.Request, body io.Reader, stop context.CancelFunc) {
	silence := time.AfterFunc(idleTime, stop)
	defer silence.Stop()
	out := http.NewResponseController(w)
	buf := make([]byte, 64<<10)
	for {
		n, err := body.Read(buf)
		silence.Reset(idleTime)
		if g.take(n) != nil {
			panic(http.ErrAbortHandler)
		}
		if _, failed := w.Write(buf[:n]); failed != nil || out.Flush() != nil {
			return
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			g.fail(r, &DownloadError{Detail: "the host broke off in the middle of its answer, or fell silent", Way: "try again"})
		}
	}
}
