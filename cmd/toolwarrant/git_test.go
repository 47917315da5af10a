package main

import (
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/fakegit"
	"github.com/toolwarrant/toolwarrant/internal/plugin"
)

// serveGit is servegit FOLDER: an https server of the repositories in it, at $GIT,
// whose authority stands in a file that $NODE_EXTRA_CA_CERTS names. Below /moved it
// redirects.
func serveGit(ts *testscript.TestScript, neg bool, args []string) {
	git, err := fakegit.Program()
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

// TestPluginSourceConforms holds what is printed about commits against the published
// schema.
func TestPluginSourceConforms(t *testing.T) {
	published := schema(t, "docs/plugin.schema.json")
	for _, length := range []int{40, 64} {
		for _, reach := range []finding.Reach{finding.Reached, finding.Unreached, finding.Unknown} {
			source := finding.PluginSource{Commit: strings.Repeat("1", length), Path: "plugin.zip", Reach: reach}
			archive, err := plugin.Check(strings.NewReader(string(archiveOf("plain"))), plugin.Options{File: "https://git.example/a", Source: &source})
			if err != nil {
				t.Fatal(err)
			}
			folder := finding.UnreadPlugin("https://git.example/a", finding.Undetermined, "it is a folder")
			folder.Source = &finding.PluginSource{Commit: source.Commit, Path: "docs/", Reach: reach, Digest: "sha256:" + strings.Repeat("0", 64), Files: 2}
			for _, v := range []finding.Plugin{archive, folder} {
				v.ExitCode = exitCodes[v.Outcome]
				doc, err := jsonschema.UnmarshalJSON(strings.NewReader(marshalled(v)))
				if err != nil {
					t.Fatal(err)
				}
				if err := published.Validate(doc); err != nil {
					t.Errorf("%s: %v", reach, err)
				}
			}
		}
	}
}
