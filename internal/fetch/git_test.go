package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// fetchFile fetches a commit and one file of it.
func fetchFile(ctx context.Context, c Config, address, commit, path string) (string, finding.Reach, error) {
	got, err := c.Commit(ctx, address, commit, gitOptions())
	if err != nil {
		return "", "", err
	}
	defer got.Close()
	data, err := got.File(ctx, path, 1<<20)
	if err != nil {
		return "", "", err
	}
	reach, err := got.Reach(ctx)
	return string(data), reach, err
}

// refusal wants an error of ours with a word in it.
func refusal(t *testing.T, err error, refused bool, tells string) {
	t.Helper()
	failed, ok := errors.AsType[*DownloadError](err)
	if !ok || failed.Refused != refused || !strings.Contains(failed.Detail, tells) {
		t.Errorf("got %v, want refused %v and a word of %q", err, refused, tells)
	}
}

func TestCommitFile(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			leftNothing(t)
			r := newGitRepository(t, "--object-format="+format)
			old := r.commit(r.files(), "")
			tip := r.commit(r.files(), "refs/heads/main", old)
			tagged := r.commit(r.files(), "", tip)
			r.run("", "tag", "-a", "-m", "t", "v1", tagged)
			hidden := r.commit(r.files(), "refs/hidden/x", tagged)
			tag := r.run("", "rev-parse", "v1")
			c, address := r.serve(r.server())
			for _, tt := range []struct {
				name, commit, path string
				want               string
				reach              finding.Reach
				refused            bool
				tells              string
			}{
				{name: "a branch", commit: tip, path: "plugin.zip", want: "archive", reach: finding.Reached},
				{name: "a tag", commit: tagged, path: "plugin.zip", want: "archive", reach: finding.Reached},
				{name: "below a branch", commit: old, path: "plugin.zip", want: "archive", reach: finding.Reached},
				{name: "a folder on the way", commit: tip, path: "docs/a.sh", want: "#!a", reach: finding.Reached},
				{name: "no branch", commit: hidden, path: "plugin.zip", want: "archive", reach: finding.Unreached},
				{name: "not there", commit: strings.Repeat("1", len(tip)), path: "plugin.zip", tells: "no such commit"},
				{name: "a tag's own id", commit: tag, path: "plugin.zip", refused: true, tells: "it is a tag"},
				{name: "no such path", commit: tip, path: "none.zip", tells: `no "none.zip"`},
				{name: "a link", commit: tip, path: "link.zip", refused: true, tells: "is a link"},
				{name: "a submodule", commit: tip, path: "module", refused: true, tells: "is a submodule"},
				{name: "a folder", commit: tip, path: "docs", refused: true, tells: "is a folder"},
				{name: "below a file", commit: tip, path: "plugin.zip/x", refused: true, tells: "on the way"},
				{name: "below a link", commit: tip, path: "link.zip/x", refused: true, tells: "on the way"},
				{name: "climbing", commit: tip, path: "docs/../plugin.zip", refused: true, tells: "path"},
				{name: "git's own", commit: tip, path: ".GIT/config", refused: true, tells: "path"},
				{name: "a short id", commit: tip[:12], path: "plugin.zip", refused: true, tells: "full id"},
				{name: "a branch's name", commit: "main", path: "plugin.zip", refused: true, tells: "full id"},
			} {
				t.Run(tt.name, func(t *testing.T) {
					got, reach, err := fetchFile(t.Context(), c, address, tt.commit, tt.path)
					if tt.tells != "" {
						refusal(t, err, tt.refused, tt.tells)
					} else if err != nil || got != tt.want || reach != tt.reach {
						t.Errorf("got %q, %q, %v, want %q, %q", got, reach, err, tt.want, tt.reach)
					}
				})
			}
		})
	}
}

// An id of the other length is no id of the repository.
func TestCommitOtherFormat(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	r.commit(r.files(), "refs/heads/main")
	c, address := r.serve(r.server())
	_, _, err := fetchFile(t.Context(), c, address, strings.Repeat("1", 64), "plugin.zip")
	refusal(t, err, false, "another length")
}

// A server of the first protocol gives the commits of branches and tags alone; one
// that knows no filters gives more than was asked for, and the same bytes.
func TestCommitOldServer(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	old := r.commit(r.files(), "")
	tip := r.commit(r.files(), "refs/heads/main", old)
	r.run("", "config", "uploadpack.allowFilter", "false")
	s := r.server()
	s.Old = true
	c, address := r.serve(s)
	got, reach, err := fetchFile(t.Context(), c, address, tip, "plugin.zip")
	if err != nil || got != "archive" || reach != finding.Reached {
		t.Errorf("got %q, %q, %v", got, reach, err)
	}
	_, _, err = fetchFile(t.Context(), c, address, old, "plugin.zip")
	refusal(t, err, false, "does not serve single commits")
}

func TestCommitFolder(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	sub := r.tree("100644 blob "+r.blob("b")+"\tb.md", "100755 blob "+r.blob("a")+"\ta.sh")
	tree := r.tree("40000 tree "+sub+"\tdocs", "40000 tree "+r.tree("40000 tree "+sub+"\ttwice")+"\tmore")
	id := r.commit(r.tree("40000 tree "+tree+"\tplugin", "100644 blob "+r.blob("x")+"\tREADME"), "refs/heads/main")
	c, address := r.serve(r.server())
	got, err := c.Commit(t.Context(), address, id, gitOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	f, err := got.Folder(t.Context(), "plugin")
	if err != nil {
		t.Fatal(err)
	}
	// (printf 'toolwarrant.plugin-tree.1\0'; printf 'x %s docs/a.sh\nr %s docs/b.md\n…' …) | sha256sum
	const want = "sha256:90b9b067d71cbab693a47530d146dea696d01e4f43a067811ec3cdc9250d2523"
	var paths []string
	for _, file := range f.Files {
		paths = append(paths, file.Path)
	}
	if !slices.Equal(paths, []string{"docs/a.sh", "docs/b.md", "more/twice/a.sh", "more/twice/b.md"}) || f.Digest != want {
		t.Errorf("got %v, %s", paths, f.Digest)
	}
	if f.Files[0].Bytes != 1 || !f.Files[0].Executable || f.Files[1].Executable {
		t.Errorf("got %+v", f.Files)
	}
	if data, err := got.File(t.Context(), "plugin/docs/b.md", 1); err != nil || string(data) != "b" {
		t.Errorf("a file of it: %q, %v", data, err)
	}
	_, err = got.Folder(t.Context(), "README")
	refusal(t, err, true, "is a file")
}

func TestCommitFolderRefused(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	x := r.blob("x")
	file := func(name string) string { return "100644 blob " + x + "\t" + name }
	bomb := r.tree(file("a"), file("b"))
	for range 20 {
		bomb = r.tree("40000 tree "+bomb+"\ta", "40000 tree "+bomb+"\tb")
	}
	deep := r.tree(file("a"))
	for range 600 {
		deep = r.tree("40000 tree " + deep + "\td")
	}
	for _, tt := range []struct{ name, tree, tells string }{
		{"a link", r.tree("120000 blob " + x + "\tl"), "is a link"},
		{"a submodule", r.tree("160000 commit " + strings.Repeat("1", 40) + "\tm"), "is a submodule"},
		{"case twins", r.tree(file("README"), file("readme")), "case alone"},
		{"folded twins", r.tree(file("straße"), file("STRASSE")), ""},
		{"a folder and its twin", r.tree("40000 tree "+r.tree(file("a"))+"\tD", "40000 tree "+r.tree(file("b"))+"\td"), "case alone"},
		{"a backslash", r.tree(file(`a\b`)), "not every system"},
		{"a drive", r.tree(file("c:x")), "not every system"},
		{"no text", r.tree(file("\"\\377\"")), "not every system"},
		{"a bomb of trees", bomb, "entries"},
		{"a deep tree", deep, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := r.commit(tt.tree, "refs/heads/main")
			c, address := r.serve(r.server())
			got, err := c.Commit(t.Context(), address, id, gitOptions())
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			_, err = got.Folder(t.Context(), "")
			if tt.tells != "" {
				refusal(t, err, true, tt.tells)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// Addresses, redirects, authorities and private networks are judged as those of
// archives are.
func TestCommitAddress(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	id := r.commit(r.files(), "refs/heads/main")
	c, address := r.serve(r.server())
	host := strings.TrimSuffix(address, "/plugins.git")
	for _, tt := range []struct {
		name, address string
		refused       bool
		tells         string
	}{
		{"moved", host + "/moved/plugins.git", true, `it redirects to "/plugins.git/info/refs`},
		{"no repository", host + "/none.git", false, "404"},
		{"plain http", strings.Replace(address, "https", "http", 1), true, "https alone"},
		{"another transport", "ext::sh -c touch% evil", true, ""},
		{"a path", r.dir, true, "https alone"},
		{"a user", strings.Replace(address, "://", "://u:p@", 1), true, "credential"},
		{"a query", address + "?x=1", true, "query"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := fetchFile(t.Context(), c, tt.address, id, "plugin.zip")
			refusal(t, err, tt.refused, tt.tells)
		})
	}
	_, err := c.Commit(t.Context(), address, id, GitOptions{PATH: gitOptions().PATH})
	refusal(t, err, true, "loopback")
	named := strings.Replace(address, "127.0.0.1", "example.com", 1)
	_, err = c.commit(t.Context(), named, id, gitOptions(), Dialer{Resolver: loopback})
	refusal(t, err, true, "loopback")
	stranger, err := EnvironmentConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = fetchFile(t.Context(), stranger, address, id, "plugin.zip")
	refusal(t, err, false, "certificate")
	_, err = c.Commit(t.Context(), address, id, GitOptions{Permit: everything})
	refusal(t, err, false, "git is not in PATH")
}

// What a server may do instead of answering.
func TestCommitHostileServer(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	id := r.commit(r.files(), "refs/heads/main")
	flood := strings.Repeat("x", 1<<16)
	for _, tt := range []struct {
		name    string
		serve   http.HandlerFunc
		refused bool
		tells   string
	}{
		{"a page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, false, "no git repository"},
		{"a credential", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
		}, false, "credential"},
		{"packed twice", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			w.Header().Set("Content-Encoding", "gzip")
		}, false, "no git repository"},
		{"rubbish", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = io.WriteString(w, flood)
		}, false, "did not get"},
		{"without end", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = io.WriteString(w, "001e# service=git-upload-pack\n0000")
			line := "fff0" + flood[:0xfff0-4]
			for {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		}, true, "sends more than"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "001e# service=git-upload-pack\n0000")
		}, false, "broke off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, address := r.serve(tt.serve)
			_, _, err := fetchFile(t.Context(), c, address, id, "plugin.zip")
			refusal(t, err, tt.refused, tt.tells)
		})
	}
}

// A server that never answers is waited for no longer than the caller says.
func TestCommitSilentServer(t *testing.T) {
	leftNothing(t)
	r := newGitRepository(t)
	ctx, cancel := context.WithCancel(t.Context())
	c, address := r.serve(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		cancel() // it is asked, and waits
		<-q.Context().Done()
	}))
	_, err := c.Commit(ctx, address, strings.Repeat("1", 40), gitOptions())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The gateway is for git alone: who does not know the word, or asks for more than
// fetching needs, reaches nothing.
func TestGateway(t *testing.T) {
	asked := 0
	c, address := host(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get(wordHeader) != "" || r.Header.Get("Authorization") != "" {
			t.Errorf("the repository got %v", r.Header)
		}
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
	})
	upstream, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	g, err := startGateway(t.Context(), c, Dialer{Permit: everything}, upstream)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	for _, tt := range []struct {
		method, path, word string
		status, asks       int
	}{
		{"GET", "/info/refs?service=git-upload-pack", g.word, 200, 1},
		{"GET", "/info/refs?service=git-upload-pack", "", 404, 0},
		{"GET", "/info/refs?service=git-upload-pack", "guess", 404, 0},
		{"GET", "/info/refs?service=git-receive-pack", g.word, 404, 0},
		{"GET", "/info/refs", g.word, 404, 0},
		{"POST", "/git-receive-pack", g.word, 404, 0},
		{"GET", "/objects/info/packs", g.word, 404, 0},
		{"GET", "/../../info/refs?service=git-upload-pack", g.word, 404, 0},
	} {
		asked = 0
		q, err := http.NewRequestWithContext(t.Context(), tt.method, "http://"+g.listener.Addr().String()+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set(wordHeader, tt.word)
		q.Header.Set("Authorization", "Bearer x")
		got, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = got.Body.Close()
		if got.StatusCode != tt.status || asked != tt.asks {
			t.Errorf("%s %s, word %q: status %d, the repository was asked %d times", tt.method, tt.path, tt.word, got.StatusCode, asked)
		}
	}
}
