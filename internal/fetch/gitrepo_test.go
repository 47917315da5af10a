package fetch

import (
	"bytes"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/fakegit"
)

// gitRepository is a bare repository that is served.
type gitRepository struct {
	t    *testing.T
	root string // the folder that is served
	dir  string
	git  string
}

func newGitRepository(t *testing.T, options ...string) *gitRepository {
	t.Helper()
	git, err := fakegit.Program()
	if err != nil {
		t.Skipf("git, or its program http-backend, is not installed: %v", err)
	}
	r := &gitRepository{t: t, root: t.TempDir(), git: git}
	r.dir = filepath.Join(r.root, "plugins.git")
	r.run("", append([]string{"init", "-q", "--bare", "-b", "main", r.dir}, options...)...)
	r.run("", "-C", r.dir, "config", "uploadpack.allowFilter", "true")
	return r
}

// run runs git and is what it prints.
func (r *gitRepository) run(in string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command(r.git, args...)
	cmd.Stdin = strings.NewReader(in)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_DIR=" + r.dir,
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, errs.String())
	}
	return strings.TrimSpace(string(out))
}

func (r *gitRepository) blob(text string) string {
	return r.run(text, "hash-object", "-w", "--stdin")
}

// tree makes a tree of lines "MODE KIND ID\tNAME".
func (r *gitRepository) tree(lines ...string) string {
	return r.run(strings.Join(lines, "\n")+"\n", "mktree", "--missing")
}

// commit makes a commit and, unless it is empty, a ref to it.
func (r *gitRepository) commit(tree, ref string, parents ...string) string {
	args := []string{"commit-tree", tree, "-m", "m"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	id := r.run("", args...)
	if ref != "" {
		r.run("", "update-ref", ref, id)
	}
	return id
}

// files is a tree of an archive and of everything that is none.
func (r *gitRepository) files() string {
	docs := r.tree("100644 blob "+r.blob("b")+"\tb.md", "100755 blob "+r.blob("#!a")+"\ta.sh")
	return r.tree("100644 blob "+r.blob("archive")+"\tplugin.zip", "40000 tree "+docs+"\tdocs",
		"120000 blob "+r.blob("plugin.zip")+"\tlink.zip", "160000 commit "+strings.Repeat("1", len(docs))+"\tmodule")
}

// serve serves the repository: its address, and a configuration that trusts it.
func (r *gitRepository) serve(h http.Handler) (Config, string) {
	r.t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	r.t.Cleanup(s.Close)
	file := filepath.Join(r.t.TempDir(), "ca.pem")
	write(r.t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	c, err := EnvironmentConfig([]string{"NODE_EXTRA_CA_CERTS=" + file})
	if err != nil {
		r.t.Fatal(err)
	}
	return c, s.URL + "/plugins.git"
}

func (r *gitRepository) server() *fakegit.Server { return &fakegit.Server{Root: r.root, Git: r.git} }

func gitOptions() GitOptions { return GitOptions{PATH: os.Getenv("PATH"), Permit: everything} }

// leftNothing wants no store of git in the temporary directory, which it sets.
func leftNothing(t *testing.T) {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(temp, "toolwarrant-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left in the temporary directory: %v, %v", left, err)
		}
	})
}
