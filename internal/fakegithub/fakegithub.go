// Package fakegithub is a GitHub with one repository, in memory, for tests.
//
// It answers the calls of docs.github.com/rest that this program makes, in the
// paths, forms and pages in which GitHub does: the repository, its branches,
// commits, trees, blobs and contents, comparisons, pull requests with reviews and
// commits, permissions, issues, comments and labels. It can demand a token and
// misbehave for a path, and it remembers every request, but no credential.
package fakegithub

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Request is one that reached the server.
type Request struct {
	Method, Path, Query string // the path as it was sent, escapes included
	Header              bool   // it had a header Authorization
}

// String is the request as a golden has it.
func (q Request) String() string {
	if q.Query == "" {
		return q.Method + " " + q.Path
	}
	return q.Method + " " + q.Path + "?" + q.Query
}

// Failure is what happens on a path instead of the answer.
type Failure struct {
	Status     int    // 0: the answer, but for what is set below
	Message    string // of the error; empty for the status's own words
	RetryAfter int    // seconds; 0 for no header
	Secondary  bool   // the error names the page about secondary limits
	Reset      int    // seconds until the primary limit is over, of which nothing is left
	Redirect   string // the header Location
	Body       []byte // these bytes in place of the answer
	Link       string // the header Link of those bytes
	Hang       bool   // no answer until the client goes
	Truncated  bool   // a tree says that it is cut short
	Times      int    // for the first so many requests only; 0 is for all
}

// Server is a GitHub with one repository. See [New].
type Server struct {
	mu       sync.Mutex
	owner    string
	name     string
	standard string // the default branch
	store    store
	accounts map[string]Account // by login, in lower case
	levels   map[string]string  // permissions, by login in lower case
	branches map[string]string
	pulls    map[int]*pull
	issues   map[int]*Issue
	comments []*Comment
	labels   []string
	last     int64 // the id that was given last
	number   int   // of the last issue or pull request
	token    string
	self     string // the login that the token stands for
	failures map[string]Failure
	requests []Request
}

// New makes an empty repository that demands nothing. Its default branch is main.
func New(owner, name string) *Server {
	return &Server{
		owner: owner, name: name, standard: "main", store: memory{}, self: "github-actions[bot]",
		accounts: map[string]Account{}, levels: map[string]string{}, branches: map[string]string{},
		pulls: map[int]*pull{}, issues: map[int]*Issue{}, failures: map[string]Failure{},
	}
}

// Repository is "owner/name".
func (s *Server) Repository() string { return s.owner + "/" + s.name }

// Serve answers on a port of the loopback until stop is called.
func (s *Server) Serve() (url string, stop func()) {
	server := httptest.NewServer(s.Handler())
	return server.URL, func() { server.CloseClientConnections(); server.Close() }
}

// Demand makes every answer need this bearer token; empty needs none. What is
// written is written by the account that login names.
func (s *Server) Demand(token, login string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.self = token, login
}

// Fail sets what happens on a path below the repository's, as "/pulls/1", or on
// one with a method before it, as "POST /issues".
func (s *Server) Fail(path string, f Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[path] = f
}

// Requests are all that came, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget empties the list of requests.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

func (s *Server) id() int64 { s.last++; return s.last + 1000 }

// Account is one of GitHub's.
type Account struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"` // User, Bot or Organization
}

// account is the one of a login; the first call makes it. Nobody has none.
func (s *Server) account(login string) *Account {
	if login == "" {
		return nil
	}
	key := strings.ToLower(login)
	a, ok := s.accounts[key]
	if !ok {
		a = Account{s.id(), login, "User"}
		if strings.HasSuffix(login, "[bot]") {
			a.Type = "Bot"
		}
		s.accounts[key] = a
	}
	return &a
}

// Account is the one of a login; the first call makes it.
func (s *Server) Account(login string) Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.account(login)
}

// Type sets what an account is, in place of what its login says.
func (s *Server) Type(login, kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := *s.account(login)
	a.Type = kind
	s.accounts[strings.ToLower(login)] = a
}

// Permit sets what an account may do: admin, write, read or none. Who is not
// named may read.
func (s *Server) Permit(login, level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels[strings.ToLower(login)] = level
}

// Branch sets where a branch is.
func (s *Server) Branch(name, commit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.branches[name] = commit
}

// DefaultBranch names the default branch.
func (s *Server) DefaultBranch(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standard = name
}

// Handler serves the API at the root of a host.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	base := "/repos/" + s.owner + "/" + s.name
	for pattern, answer := range s.routes() {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+base+path, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			answer(&call{w, r})
		})
	}
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.getUser(&call{w, r})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		f, allowed := s.note(r, base)
		switch {
		case !allowed:
			refuse(w, http.StatusUnauthorized, Failure{Message: "Bad credentials"})
		case f.Hang:
			<-r.Context().Done()
		case f.Status != 0:
			refuse(w, f.Status, f)
		case f.Body != nil:
			if f.Link != "" {
				w.Header().Set("Link", f.Link)
			}
			_, _ = w.Write(f.Body)
		default:
			mux.ServeHTTP(&missing{ResponseWriter: w}, r)
		}
	})
}

// getUser answers a person's token; an app's stands for no user.
func (s *Server) getUser(c *call) {
	if strings.HasSuffix(s.self, "[bot]") {
		c.refuse(http.StatusForbidden, "Resource not accessible by integration")
		return
	}
	c.answer(http.StatusOK, s.account(s.self))
}

// note remembers a request and says how to treat it.
func (s *Server) note(r *http.Request, base string) (f Failure, allowed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	header := r.Header.Get("Authorization")
	s.requests = append(s.requests, Request{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, header != ""})
	path := strings.TrimPrefix(r.URL.EscapedPath(), base)
	for _, key := range []string{r.Method + " " + path, path} {
		f, ok := s.failures[key]
		if !ok || f.Truncated {
			continue
		}
		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				delete(s.failures, key)
			} else {
				s.failures[key] = f
			}
		}
		return f, s.token == "" || header == "Bearer "+s.token
	}
	return Failure{}, s.token == "" || header == "Bearer "+s.token
}

// refuse answers with an error, in GitHub's form.
func refuse(w http.ResponseWriter, status int, f Failure) {
	h := w.Header()
	if f.RetryAfter != 0 {
		h.Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if f.Reset != 0 {
		h.Set("Date", "Thu, 01 Jan 1970 00:16:40 GMT")
		h.Set("X-RateLimit-Limit", "1000")
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", strconv.Itoa(1000+f.Reset))
	}
	if f.Redirect != "" {
		h.Set("Location", f.Redirect)
	}
	if f.Message == "" {
		f.Message = http.StatusText(status)
	}
	page := "https://docs.github.com/rest"
	if f.Secondary {
		page += "/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": f.Message, "documentation_url": page})
}

// missing answers like GitHub where no route is.
type missing struct {
	http.ResponseWriter
	over bool
}

func (m *missing) WriteHeader(status int) {
	if kind := m.Header().Get("Content-Type"); strings.HasPrefix(kind, "text/plain") {
		m.over = true
		m.Header().Set("Content-Type", "application/json; charset=utf-8")
		refuse(m.ResponseWriter, status, Failure{})
		return
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *missing) Write(b []byte) (int, error) {
	if m.over {
		return len(b), nil
	}
	return m.ResponseWriter.Write(b)
}

// call is one request and its answer.
type call struct {
	w http.ResponseWriter
	r *http.Request
}

func (c *call) path(name string) string { return c.r.PathValue(name) }

func (c *call) number(name string) int {
	n, _ := strconv.Atoi(c.path(name))
	return n
}

func (c *call) answer(status int, v any) {
	c.w.WriteHeader(status)
	_ = json.NewEncoder(c.w).Encode(v)
}

func (c *call) refuse(status int, message string) { refuse(c.w, status, Failure{Message: message}) }

func (c *call) none() { c.refuse(http.StatusNotFound, "Not Found") }

// body reads what was sent.
func (c *call) body(v any) bool {
	if json.NewDecoder(http.MaxBytesReader(c.w, c.r.Body, 1<<20)).Decode(v) != nil {
		c.refuse(http.StatusBadRequest, "Problems parsing JSON")
		return false
	}
	return true
}

// list answers with one page, and names the others in the header Link.
func list[T any](c *call, all []T) {
	q := c.r.URL.Query()
	size, _ := strconv.Atoi(q.Get("per_page"))
	if size < 1 {
		size = 30
	}
	size = min(size, 100)
	page, _ := strconv.Atoi(q.Get("page"))
	page = max(page, 1)
	start := min((page-1)*size, len(all))
	end := min(start+size, len(all))
	if end < len(all) {
		q.Set("page", strconv.Itoa(page+1))
		u := *c.r.URL
		u.Scheme, u.Host, u.RawQuery = "http", c.r.Host, q.Encode()
		c.w.Header().Set("Link", "<"+u.String()+`>; rel="next"`)
	}
	c.answer(http.StatusOK, append([]T{}, all[start:end]...))
}
