package main

import (
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/toolwarrant/toolwarrant/internal/fakegit"
)

// serveGit is servegit FOLDER: an https server of the repositories in it, at $GIT,
// whose authority stands in a file that $NODE_EXTRA_CA_CERTS names. Below /moved it
// redirects.
func serveGit(ts *testscript.TestScript, neg bool, args []string) {
	git, err := exec.LookPath("git")
	ts.Check(err)
	s := httptest.NewUnstartedServer(&fakegit.Server{Root: ts.MkAbs(args[0]), Git: git})
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	ts.Defer(s.Close)
	authority := filepath.Join(ts.Getenv("WORK"), "authority.pem")
	ts.Check(os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	ts.Setenv("GIT", s.URL)
	ts.Setenv("HOSTPORT", strings.TrimPrefix(s.URL, "https://"))
	ts.Setenv("NODE_EXTRA_CA_CERTS", authority)
}

// head is head NAME: it sets a variable to the commit of the repository here.
func head(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Exec("git", "rev-parse", "HEAD"))
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}
