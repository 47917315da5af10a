// Package fakegit is a git server for tests: git's own program for smart HTTP
// (git-http-backend) behind a handler of net/http, with what it may be made to do
// wrong.
package fakegit

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is git's absolute path, where it can speak HTTP on both sides; some
// systems pack that apart.
func Program() (string, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", err
	}
	folder, err := exec.Command(git, "--exec-path").Output()
	if err != nil {
		return "", err
	}
	var errs []error
	for _, name := range []string{"git-http-backend", "git-remote-http"} {
		_, err := os.Stat(filepath.Join(strings.TrimSpace(string(folder)), name))
		errs = append(errs, err)
	}
	return git, errors.Join(errs...)
}

// Server serves the bare repositories below a folder.
type Server struct {
	Root string // absolute
	Git  string // the program, absolute
	// Old servers know the first protocol alone, in which a client may want what is
	// advertised and nothing else.
	Old bool
}

// ServeHTTP answers one request of the smart protocol. Below /moved it redirects.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/moved"); ok {
		http.Redirect(w, r, path+"?"+r.URL.RawQuery, http.StatusFound)
		return
	}
	protocol := r.Header.Get("Git-Protocol")
	if s.Old {
		protocol = ""
		r.Header.Del("Git-Protocol")
	}
	(&cgi.Handler{
		Path: s.Git, Args: []string{"http-backend"}, Dir: s.Root, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0),
		Env: []string{
			"GIT_PROJECT_ROOT=" + s.Root, "GIT_HTTP_EXPORT_ALL=1", "GIT_PROTOCOL=" + protocol,
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/dev/null",
		},
	}).ServeHTTP(w, r)
}
