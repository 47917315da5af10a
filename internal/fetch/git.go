package fetch

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// GitOptions are what fetching from git needs beside proxies and authorities.
type GitOptions struct {
	PATH      string   // the user's; only what [FindNode] would count is searched for git
	Forbidden []string // folders from which nothing is started
	Permit    Permit   // beyond public addresses; nil permits nothing
}

// What may come over the wire. Git unpacks nothing of it: what lies on the disk is
// what came, and an index of it.
const (
	maxGitTrees   = 64 << 20  // a commit with the trees below it
	maxGitFiles   = 256 << 20 // the wanted files, packed or not
	maxGitHistory = 32 << 20  // commits, to find one among them
	gitTime       = 5 * time.Minute
	historyTime   = time.Minute
)

// Commit is one commit of a repository, with its trees, in a store of ours. It may
// be used by one goroutine at a time.
type Commit struct {
	id, tree string
	store    *gitStore
	gateway  *gitGateway
}

// ValidCommit reports whether s is a full id of a commit, SHA-1 or SHA-256, as git
// writes it.
func ValidCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// Commit fetches one commit by its full id, without its history and its files. The
// repository is an https address by the rule of [Config.Archive]. It is the git
// command that asks, in an empty store, told of no configuration, no helper and no
// other way out than a gateway of ours.
//
// Every object is held against its id, so that what comes is what the id stands
// for, whoever served it. The error is a *DownloadError, or the context's.
func (c Config) Commit(ctx context.Context, repository, id string, o GitOptions) (*Commit, error) {
	return c.commit(ctx, repository, id, o, Dialer{Permit: o.Permit, Own: c.proxies.hosts()})
}

func (c Config) commit(ctx context.Context, repository, id string, o GitOptions, d Dialer) (*Commit, error) {
	address, err := archiveAddress(repository)
	switch {
	case err != nil:
		return nil, err
	case !ValidCommit(id):
		return nil, refuse("that is no full id of a commit", "40 or 64 hex digits, as git rev-parse prints them")
	}
	g, err := startGateway(ctx, c, d, address)
	if err != nil {
		return nil, err
	}
	s, err := newGitStore(o, g, len(id) == 64)
	if err != nil {
		g.close()
		return nil, err
	}
	got := &Commit{id: id, store: s, gateway: g}
	if err := got.load(ctx); err != nil {
		got.Close()
		return nil, err
	}
	return got, nil
}

// Note says what is weaker than it should be about how git is run; empty for nothing.
func (c *Commit) Note() string { return confinedNote("git", c.store.uid) }

// Close removes the store.
func (c *Commit) Close() {
	c.gateway.close()
	c.store.remove()
}

// load fetches the commit and reads which tree is its.
func (c *Commit) load(ctx context.Context) error {
	if err := c.fetch(ctx, maxGitTrees, gitTime, "--depth=1", "--filter=blob:none", "origin", c.id); err != nil {
		return err
	}
	objects, err := c.store.read(ctx, "--batch")
	if err != nil {
		return err
	}
	defer objects.close()
	data, err := objects.get(c.id, "commit", maxGitObject)
	if err != nil {
		return err
	}
	c.tree, err = treeOf(c.id, data)
	return err
}

// fetch runs git fetch. A failure that the gateway saw is told before what git
// makes of it.
func (c *Commit) fetch(ctx context.Context, most int64, limit time.Duration, args ...string) error {
	c.gateway.allow(most)
	said, err := c.store.run(ctx, limit, append([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance"}, args...)...)
	switch seen := c.gateway.failure(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case seen != nil:
		return seen
	case errors.Is(err, errLate):
		return &DownloadError{Detail: "git did not end within " + limit.String(), Way: "try again"}
	case err != nil:
		return &DownloadError{Detail: "git cannot be started", Way: "check that the temporary directory can be written"}
	case said.exit.Limit != "":
		return refuse("git "+said.exit.String()+" while it read what the repository sent", "")
	case said.exit.Code == 129: // how git ends that does not know an option
		return &DownloadError{Detail: "this git is too old", Way: "install git 2.31 or newer"}
	case said.exit.Code != 0:
		return explainGit(string(said.err))
	}
	return nil
}

// explainGit says in our words why git failed. Of its own words only what it always
// says is looked for; some of them are the server's, which gains nothing by them.
func explainGit(words string) error {
	for _, w := range []struct{ mark, detail, way string }{
		{"Server does not allow request for unadvertised object", "this server does not serve single commits", "name the commit of a branch or tag, or a server that serves any commit"},
		{"not our ref", "the repository has no such commit", "check the id; a commit that was replaced is served no more"},
		{"mismatched algorithms", "the repository's ids have another length than that of this commit", "check the id"},
		{"unable to allocate", "git needed more memory than it may have", ""},
		{"attempting to allocate", "git needed more memory than it may have", ""},
	} {
		if strings.Contains(words, w.mark) {
			return &DownloadError{Detail: w.detail, Way: w.way}
		}
	}
	return &DownloadError{Detail: "git did not get the commit from that repository", Way: "check the address and the id, or try again"}
}

// gitPath is the rule for paths in a repository: relative, one spelling, what every
// system can write, and nothing of git's own.
func gitPath(p string) error {
	odd := func(r rune) bool { return unicode.IsControl(r) || r == '\\' || r == ':' }
	switch {
	case len(p) > maxPath:
		return errors.New("it is too long")
	case !utf8.ValidString(p) || strings.ContainsFunc(p, odd):
		return errors.New("it holds a character that not every system can write")
	case !fs.ValidPath(p) || p == ".":
		return errors.New("it is no relative path in its one spelling")
	}
	for rest := p; rest != "."; rest = path.Dir(rest) {
		if strings.EqualFold(path.Base(rest), ".git") {
			return errors.New("it leads into git's own folder")
		}
	}
	return nil
}
