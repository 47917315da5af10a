// Package fakenpm is an npm registry in memory for tests.
//
// It answers what npm and we ask of one (github.com/npm/registry, docs/
// REGISTRY-API.md and docs/responses/package-metadata.md): a package's document
// in full and abbreviated (Accept: application/vnd.npm.install-v1+json), one
// version of it, and tarballs. It can demand a token and misbehave for a path,
// and it remembers every request, but no credential.
package fakenpm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// Request is one that reached the registry.
type Request struct {
	Method, Path string // the path as it was sent, escapes included
	Header       bool   // it had a header Authorization
	Accepted     bool   // and that was "Bearer" with the token that is demanded
}

// Behaviour is what happens on a path instead of the answer. The zero value is
// the answer.
type Behaviour struct {
	Status   int    // an answer with this status and no document
	Times    int    // for the first so many requests only; zero is for all
	Redirect string // an answer that points there
	Body     []byte // these bytes
	Hang     bool   // no answer until the client goes
	Cut      bool   // half of the answer, then the connection breaks
}

// Registry is one registry. Its zero value is not ready; see New.
type Registry struct {
	mu        sync.Mutex
	packages  map[string]*published // by name
	behaviour map[string]Behaviour  // by path, escaped
	token     string
	requests  []Request
}

// published is everything of one name.
type published struct {
	tags     map[string]string
	versions map[string]version
}

// version is one version's document and tarball.
type version struct {
	manifest Package
	tarball  []byte
}

// New makes an empty registry that demands nothing.
func New() *Registry {
	return &Registry{packages: map[string]*published{}, behaviour: map[string]Behaviour{}}
}

// Publish adds a version, or replaces it. It carries the tags that p names, or
// latest.
func (r *Registry) Publish(p Package) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.packages[p.Name]
	if all == nil {
		all = &published{tags: map[string]string{}, versions: map[string]version{}}
		r.packages[p.Name] = all
	}
	all.versions[p.Version] = version{p, p.Tarball()}
	for _, tag := range append(p.Tags, "latest") {
		if tag != "latest" || len(p.Tags) == 0 {
			all.tags[tag] = p.Version
		}
	}
}

// Demand makes every answer need this bearer token; empty needs none.
func (r *Registry) Demand(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.token = token
}

// Behave sets what happens on a path (escaped, as it is sent).
func (r *Registry) Behave(path string, b Behaviour) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behaviour[path] = b
}

// Requests are all that came, in order.
func (r *Registry) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

// Paths are the paths of all requests, in order.
func (r *Registry) Paths() (out []string) {
	for _, q := range r.Requests() {
		out = append(out, q.Path)
	}
	return out
}

// TarballPath is where the tarball of a version lies.
func TarballPath(name, version string) string {
	return "/" + name + "/-/" + path.Base(name) + "-" + version + ".tgz"
}

// Handler serves the registry at the root of a host.
func (r *Registry) Handler() http.Handler { return http.HandlerFunc(r.serve) }

func (r *Registry) serve(w http.ResponseWriter, q *http.Request) {
	b, allowed := r.note(q)
	switch {
	case !allowed:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized)
	case b.Hang:
		<-q.Context().Done()
	case b.Status != 0:
		refuse(w, b.Status)
	case b.Redirect != "":
		http.Redirect(w, q, b.Redirect, http.StatusFound)
	case b.Body != nil:
		_, _ = w.Write(b.Body)
	case q.Method != http.MethodGet:
		refuse(w, http.StatusMethodNotAllowed)
	default:
		r.answer(w, q, b.Cut)
	}
}

// note remembers a request and says how to treat it.
func (r *Registry) note(q *http.Request) (b Behaviour, allowed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := q.URL.EscapedPath()
	header := q.Header.Get("Authorization")
	accepted := r.token != "" && header == "Bearer "+r.token
	r.requests = append(r.requests, Request{q.Method, p, header != "", accepted})
	b, set := r.behaviour[p]
	if set && b.Times > 0 {
		b.Times--
		if r.behaviour[p] = b; b.Times == 0 {
			delete(r.behaviour, p)
		}
	}
	return b, accepted || r.token == ""
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": http.StatusText(status)})
}

func (r *Registry) answer(w http.ResponseWriter, q *http.Request, cut bool) {
	body, kind := r.find(q)
	if body == nil {
		refuse(w, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	if !cut {
		_, _ = w.Write(body)
		return
	}
	w.Header().Set("Content-Length", "1000000")
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// find makes the answer to a request, nil for none.
func (r *Registry) find(q *http.Request) (body []byte, kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name, rest := split(q.URL.Path)
	all := r.packages[name]
	if all == nil {
		return nil, ""
	}
	base := url.URL{Scheme: "http", Host: q.Host}
	if q.TLS != nil {
		base.Scheme = "https"
	}
	if file, ok := strings.CutPrefix(rest, "-/"); ok {
		for v, p := range all.versions {
			if file == path.Base(TarballPath(name, v)) {
				return p.tarball, "application/octet-stream"
			}
		}
		return nil, ""
	}
	const short = "application/vnd.npm.install-v1+json"
	if rest == "" && strings.Contains(q.Header.Get("Accept"), short) {
		return encode(all.document(base, true)), short
	}
	if rest == "" {
		return encode(all.document(base, false)), "application/json"
	}
	if tagged := all.tags[rest]; tagged != "" {
		rest = tagged
	}
	if v, ok := all.versions[rest]; ok {
		return encode(v.document(base, false)), "application/json"
	}
	return nil, ""
}

// split cuts "/@scope/name/rest", in which the first slash may have been escaped.
func split(p string) (name, rest string) {
	parts := strings.SplitN(strings.TrimPrefix(p, "/"), "/", 3)
	if strings.HasPrefix(p, "/@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1], strings.Join(parts[2:], "/")
	}
	return parts[0], strings.Join(parts[1:], "/")
}

func encode(v any) []byte {
	b, _ := json.Marshal(v) // maps, texts and lists only
	return b
}
