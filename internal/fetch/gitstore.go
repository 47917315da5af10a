package fetch

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// gitStore is a bare repository in a fresh folder, and the git that works on it.
type gitStore struct {
	dir, git, path string
	uid            int
	way            netip.AddrPort // the gateway
}

// gitLimits bound git and its helpers. Packs are streamed: it needs a fraction.
var gitLimits = sandbox.Limits{Memory: 384 << 20, Processes: 32, Files: 256}

// gitAlloc is the most that git may allocate at once; without it a delta of a few
// bytes may stand for gigabytes.
const gitAlloc = "268435456"

// hardGit stands before every git command: no hook, helper, prompt, other protocol
// or configured rewriting. The environment says most of it again.
var hardGit = []string{
	"--no-replace-objects", "--no-optional-locks", "--no-pager", "--literal-pathspecs",
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.attributesFile=" + os.DevNull,
	"-c", "core.sshCommand=false", "-c", "core.gitProxy=false", "-c", "credential.helper=", "-c", "core.askPass=false",
	"-c", "protocol.allow=never", "-c", "protocol.http.allow=always", "-c", "protocol.version=2",
	"-c", "http.followRedirects=false", "-c", "http.proxy=", "-c", "transfer.bundleURI=false", "-c", "submodule.recurse=false",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.writeCommitGraph=false",
	"-c", "fetch.unpackLimit=1", "-c", "core.bigFileThreshold=1m", "-c", "core.deltaBaseCacheLimit=16m", "-c", "core.packedGitWindowSize=16m", "-c", "core.packedGitLimit=64m", "-c", "pack.threads=1",
}

// partial lets git leave objects out that it did not ask for. It is said only where
// git fetches: who only reads must not think of fetching.
var partial = []string{"-c", "remote.origin.promisor=true", "-c", "remote.origin.partialCloneFilter=blob:none"}

func newGitStore(o GitOptions, g *gitGateway, sha256 bool) (*gitStore, error) {
	s := &gitStore{way: wayTo(g.listener), git: findProgram(o.PATH, "git", o.Forbidden), path: strings.Join(trustedPath(o.PATH, o.Forbidden), string(filepath.ListSeparator))}
	if s.git == "" {
		return nil, &DownloadError{Detail: "git is not in PATH", Way: "install git; entries of PATH inside the repository and relative ones do not count"}
	}
	dir, err := os.MkdirTemp("", "toolwarrant-git-")
	if err != nil {
		return nil, &DownloadError{Detail: "no folder for git can be made", Way: "check that the temporary directory can be written"}
	}
	s.dir = dir
	if os.Geteuid() == 0 && open(s.git) && enterable(filepath.Dir(dir)) {
		s.uid = resolverUID
	}
	if err := s.furnish(g.settings(), sha256); err != nil {
		s.remove()
		return nil, &DownloadError{Detail: "the folder for git cannot be prepared", Way: "check that the temporary directory can be written"}
	}
	return s, nil
}

func (s *gitStore) remove() { _ = os.RemoveAll(s.dir) }

// furnish writes what makes a folder a repository of a remote.
func (s *gitStore) furnish(remote string, sha256 bool) error {
	config := "[core]\n\tbare = true\n\trepositoryformatversion = 1\n" + remote
	if sha256 {
		config += "[extensions]\n\tobjectformat = sha256\n"
	}
	names := []string{"refs", "objects", "objects/info", "objects/pack", "HEAD", "config", "."}
	for i, name := range names {
		at := filepath.Join(s.dir, filepath.FromSlash(name))
		var err error
		switch {
		case name == "HEAD":
			err = os.WriteFile(at, []byte("ref: refs/heads/none\n"), 0o600)
		case name == "config":
			err = os.WriteFile(at, []byte(config), 0o600)
		case i < len(names)-1:
			err = os.Mkdir(at, 0o700)
		}
		if err == nil && s.uid != 0 {
			err = os.Lchown(at, s.uid, s.uid)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// order is a git command with an environment built from empty.
func (s *gitStore) order(options []string, args ...string) sandbox.Order {
	argv := append([]string{s.git}, hardGit...)
	argv = append(append(argv, options...), args...)
	env := []string{
		"PATH=" + s.path, "LC_ALL=C", "HOME=" + os.DevNull, "XDG_CONFIG_HOME=" + os.DevNull, "GIT_DIR=" + s.dir,
		"TMPDIR=" + s.dir, "TMP=" + s.dir, "TEMP=" + s.dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=Never",
		"GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_ALLOW_PROTOCOL=http", "GIT_PROTOCOL_FROM_USER=0", "GIT_ALLOC_LIMIT=" + gitAlloc,
	}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // Windows opens no socket without it
		env = append(env, "SYSTEMROOT="+root)
	}
	return sandbox.Order{Argv: argv, Env: env, Dir: s.dir, UID: s.uid, Limits: gitLimits}
}

// run runs a git command that fetches or looks at what was fetched.
func (s *gitStore) run(ctx context.Context, most time.Duration, args ...string) (words, error) {
	return runToEnd(ctx, most, s.order(partial, args...), &bounds{write: []string{s.dir}, way: s.way})
}
