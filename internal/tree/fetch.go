package tree

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// FetchError says that the one commit could not be had.
type FetchError struct{ ID, Why string }

func (e *FetchError) Error() string {
	return fmt.Sprintf("commit %s was not fetched: %s", e.ID, e.Why)
}

// fetchTime bounds a fetch whose context has no deadline.
const fetchTime = 5 * time.Minute

// forwarded are the variables that say how this machine reaches the network.
var forwarded = []string{"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// Fetch brings one commit, given by full id, with its tree and without its history,
// from the remote (origin, or the only one), and returns a view of this repository
// that has it. The commit lies in a temporary store that borrows this repository's
// objects; nothing is written into the repository. Close removes the store.
//
// The git command does it, over https or from a path or file: address, without
// redirects, hooks, credential helpers, prompts or the configuration of user,
// machine and repository; so a remote that asks who one is gives nothing. The
// objects are checked as they come. *[FetchError], [ErrNoRemote], [ErrNoGit].
func (r *Repository) Fetch(ctx context.Context, id string) (*Repository, error) {
	if !isID(id) || (len(id) == 64) != r.conf.sha256 {
		return nil, &FetchError{id, "it is no id of this repository"}
	}
	address, protocol, err := r.origin(id)
	if err != nil {
		return nil, err
	}
	return r.fetch(ctx, place{address, protocol, secret.Value{}}, id)
}

// FetchAs does the same from an address that the caller names, with a token that
// goes nowhere but there: over https, in the environment of the git command, as
// what GitHub takes for an app's. The id says what came, whoever sent it.
func (r *Repository) FetchAs(ctx context.Context, address string, token secret.Value, id string) (*Repository, error) {
	if !isID(id) || (len(id) == 64) != r.conf.sha256 {
		return nil, &FetchError{id, "it is no id of this repository"}
	}
	address, protocol, err := reachable(address, r.root, id)
	if err != nil {
		return nil, err
	}
	return r.fetch(ctx, place{address, protocol, token}, id)
}

// place is where a commit comes from.
type place struct {
	address, protocol string
	token             secret.Value
}

// environment is the credential for git, which takes it from no argument: those
// are shown to everybody on the machine.
func (p place) environment() []string {
	if p.protocol != "https" || p.token.Len() == 0 {
		return nil
	}
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + p.token.Reveal()))
	return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http." + p.address + ".extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic " + basic}
}

func (r *Repository) fetch(ctx context.Context, from place, id string) (*Repository, error) {
	dir, err := emptyGitDir(r.conf.sha256)
	if err != nil {
		return nil, err
	}
	remove := func() error { return os.RemoveAll(dir) }
	if err := r.fetchInto(ctx, dir, from, id); err != nil {
		_ = remove()
		return nil, err
	}
	view := r.Borrow(dir)
	view.extra = append(view.extra, remove)
	if _, err := view.Tree(id); err != nil {
		_ = view.Close()
		return nil, &FetchError{id, "what came is not that commit"}
	}
	return view, nil
}

// Borrow is a view of r with the objects of a store that a fetch made, in this
// process or another; [Repository.Store] names it. The store is left as it is.
func (r *Repository) Borrow(store string) *Repository {
	view := &Repository{root: r.root, dirs: r.dirs, conf: r.conf, refs: r.refs, store: store, folders: map[string][]entry{}}
	view.objects = openObjects(filepath.Join(store, "objects"), r.conf, r.usesCommand())
	view.extra = append(view.extra, view.objects.close)
	return view
}

// Store is the folder of a view that a fetch made; empty for a repository.
func (r *Repository) Store() string { return r.store }

func (r *Repository) usesCommand() bool {
	_, ok := r.objects.(*commandObjects)
	return ok
}

func (r *Repository) fetchInto(ctx context.Context, dir string, from place, id string) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	c := command{gitDir: dir, protocols: from.protocol, env: from.environment(), options: []string{
		"-c", "protocol.version=2", "-c", "protocol." + from.protocol + ".allow=always", "-c", "http.followRedirects=false",
		"-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true", "-c", "core.gitProxy=",
	}}
	for _, name := range forwarded {
		if value, ok := os.LookupEnv(name); ok {
			c.env = append(c.env, name+"="+value)
		}
	}
	cmd, err := c.make(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance", "--", from.address, id)
	if err != nil {
		return err
	}
	if err := ran(ctx, cmd, id); err != nil {
		return err
	}
	// Only now: git would ask the borrowed store for a history that it lacks.
	borrowed := filepath.ToSlash(filepath.Join(r.dirs.common, "objects")) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "objects", "info", "alternates"), []byte(borrowed), 0o600); err != nil {
		return fmt.Errorf("write a store for a commit: %w", err)
	}
	return nil
}

// ran runs a fetch. What git and the remote wrote is foreign and not repeated.
func ran(ctx context.Context, cmd *exec.Cmd, id string) error {
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return &FetchError{id, "the time was over"}
	case err != nil:
		return &FetchError{id, "the remote cannot be reached without credentials, or does not have it"}
	}
	return nil
}

// origin is the address of the remote, and its protocol in git's words.
func (r *Repository) origin(id string) (address, protocol string, err error) {
	if len(r.conf.remotes) == 0 {
		return "", "", ErrNoRemote
	}
	m := r.conf.remotes[0]
	for _, other := range r.conf.remotes {
		if other.name == "origin" {
			m = other
		}
	}
	if m.name != "origin" && len(r.conf.remotes) > 1 {
		return "", "", &FetchError{id, "no remote is named origin"}
	}
	return reachable(m.url, r.root, id)
}

// reachable takes https addresses and paths. An address with a colon is neither
// (ssh in its short form), nor is one that git would hand to a helper program.
func reachable(address, root, id string) (string, string, error) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		if u.Scheme == "https" && u.User == nil {
			return address, "https", nil
		}
		if u.Scheme == "file" {
			return address, "file", nil
		}
	}
	if path, ok := strings.CutPrefix(address, "file://"); ok && filepath.IsAbs(filepath.FromSlash(path)) {
		return address, "file", nil
	}
	if address != "" && (filepath.IsAbs(address) || !strings.Contains(address, ":")) {
		return resolve(root, address), "file", nil
	}
	return "", "", &FetchError{id, "the remote's address is neither https without a name in it nor a path"}
}
