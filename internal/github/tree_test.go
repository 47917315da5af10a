package github

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toolwarrant/toolwarrant/internal/fakegithub"
)

var someFiles = map[string]fakegithub.File{
	".mcp.json":        {Text: `{"mcpServers": {}}`},
	"dir/a.txt":        {Text: "a"},
	"dir/deep/b.txt":   {Text: "b"},
	"dir-x":            {Text: "beside"},
	"run.sh":           {Text: "#!/bin/sh\n", Mode: "100755"},
	"empty":            {},
	"link":             {Text: "dir/a.txt", Mode: "120000"},
	"folder":           {Text: "dir", Mode: "120000"},
	"dir/up":           {Text: "../run.sh", Mode: "120000"},
	"outside":          {Text: "../../etc/passwd", Mode: "120000"},
	"absolute":         {Text: "/etc/passwd", Mode: "120000"},
	"loop":             {Text: "loop", Mode: "120000"},
	"dir/ü \U0001F600": {Text: "odd"},
}

func tree(t *testing.T, h *hub, commit string) fs.FS {
	t.Helper()
	fsys, err := h.client.Tree(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	return fsys
}

func TestTree(t *testing.T) {
	h := newHub(t)
	commit := h.Commit(fakegithub.Commit{Message: "x", Files: someFiles})
	fsys := tree(t, h, commit)
	if got := len(h.Requests()); got != 2 {
		t.Errorf("the listing took %d requests", got)
	}
	for name, want := range map[string]string{
		".mcp.json": `{"mcpServers": {}}`, "dir/deep/b.txt": "b", "link": "a", "folder/a.txt": "a", "folder/deep/b.txt": "b", "dir/up": "#!/bin/sh\n", "empty": "",
	} {
		if got, err := fs.ReadFile(fsys, name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"outside", "absolute", "loop"} {
		if _, err := fs.ReadFile(fsys, name); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"nothing", "dir/nothing", "run.sh/x"} {
		if _, err := fs.ReadFile(fsys, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if to, err := fs.ReadLink(fsys, "outside"); err != nil || to != "../../etc/passwd" {
		t.Errorf("the link points to %q, %v", to, err)
	}
	if info, err := fs.Lstat(fsys, "folder"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("a link is %v, %v", info, err)
	}
	if info, err := fs.Stat(fsys, "run.sh"); err != nil || info.Mode() != 0o755 || info.Size() != 10 {
		t.Errorf("a program is %v, %v", info, err)
	}
	if _, err := fs.ReadFile(fsys, "dir"); err == nil {
		t.Error("a folder was read as a file")
	}
	if _, err := fs.ReadDir(fsys, "run.sh"); err == nil {
		t.Error("a file was listed as a folder")
	}
}

// TestTreeIsAnFS holds the tree against the contract of io/fs; links that lead
// nowhere are left out, since it opens all.
func TestTreeIsAnFS(t *testing.T) {
	h := newHub(t)
	files := map[string]fakegithub.File{}
	var names []string
	for name, f := range someFiles {
		if name != "outside" && name != "absolute" && name != "loop" {
			files[name] = f
			names = append(names, name)
		}
	}
	fsys := tree(t, h, h.Commit(fakegithub.Commit{Message: "x", Files: files}))
	if err := fstest.TestFS(fsys, names...); err != nil {
		t.Error(err)
	}
	if n := len(h.Requests()); n > 2+len(files) {
		t.Errorf("%d requests for %d files: some were read twice", n, len(files))
	}
}

func TestTreeRefuses(t *testing.T) {
	id := strings.Repeat("c", 40)
	entry := func(path, mode string) string {
		return `{"path": "` + path + `", "mode": "` + mode + `", "type": "blob", "sha": "` + id + `", "size": 1}`
	}
	tests := []struct {
		name string
		fail func(h *hub, tree string)
		kind Kind
	}{
		{"cut short", func(h *hub, tree string) { h.Fail("/git/trees", fakegithub.Failure{Truncated: true}) }, Broken},
		{"hidden", func(h *hub, tree string) { h.Fail("/git/trees/"+tree, fakegithub.Failure{Status: 404}) }, NotThere},
		{"forbidden", func(h *hub, tree string) { h.Fail("/git/trees/"+tree, fakegithub.Failure{Status: 403}) }, NotAllowed},
		{"another tree", func(h *hub, tree string) {
			h.Fail("/git/trees/"+tree, fakegithub.Failure{Body: []byte(`{"sha": "` + id + `", "tree": []}`)})
		}, Broken},
	}
	for name, list := range map[string]string{
		"a name that goes up":     entry("../x", "100644"),
		"an absolute name":        entry("/x", "100644"),
		"the root":                entry(".", "040000"),
		"a name twice":            entry("x", "100644") + "," + entry("x", "120000"),
		"a name in no folder":     entry("x/y", "100644"),
		"a name below a file":     entry("x", "100644") + "," + entry("x/y", "100644"),
		"a mode that git has not": entry("x", "100666"),
		"no id":                   `{"path": "x", "mode": "100644", "sha": "abc"}`,
		"a negative size":         `{"path": "x", "mode": "100644", "sha": "` + id + `", "size": -1}`,
	} {
		tests = append(tests, struct {
			name string
			fail func(h *hub, tree string)
			kind Kind
		}{name, func(h *hub, tree string) {
			h.Fail("/git/trees/"+tree, fakegithub.Failure{Body: []byte(`{"sha": "` + tree + `", "tree": [` + list + `]}`)})
		}, Broken})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t)
			commit := h.Commit(fakegithub.Commit{Message: "x", Files: someFiles})
			root, _ := tree(t, h, commit).(interface{ ID(string) (string, bool) }).ID(".")
			tt.fail(h, root)
			var e *APIError
			if _, err := h.client.Tree(t.Context(), commit); !errors.As(err, &e) || e.Kind != tt.kind {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestBlobRefuses: a file that cannot be read is an error that is not absence.
func TestBlobRefuses(t *testing.T) {
	for name, f := range map[string]fakegithub.Failure{
		"hidden": {Status: 404}, "broken": {Status: 500}, "shorter": {Body: []byte("x")}, "longer": {Body: []byte(strings.Repeat("x", 100))},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(t)
			fsys := tree(t, h, h.Commit(fakegithub.Commit{Message: "x", Files: someFiles}))
			id, _ := fsys.(interface{ ID(string) (string, bool) }).ID(".mcp.json")
			h.Fail("/git/blobs/"+id, f)
			_, err := fs.ReadFile(fsys, ".mcp.json")
			var e *APIError
			if !errors.As(err, &e) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestBlobBounds(t *testing.T) {
	h := newHub(t)
	large := map[string]fakegithub.File{"huge": {Text: strings.Repeat("x", maxBlob+1)}}
	for i := range maxBlobs/maxBlob + 1 {
		large[string(rune('a'+i))] = fakegithub.File{Text: strings.Repeat(string(rune('a'+i)), maxBlob)}
	}
	fsys := tree(t, h, h.Commit(fakegithub.Commit{Message: "x", Files: large}))
	read := 0
	for name := range large {
		if _, err := fs.ReadFile(fsys, name); err == nil {
			read++
		} else if errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if read != maxBlobs/maxBlob {
		t.Errorf("%d files were read", read)
	}
	if _, err := fs.ReadFile(fsys, "huge"); err == nil {
		t.Error("a file over the bound was read")
	}
}

// TestTreeOfGit reads the same commit from a repository of git's own.
func TestTreeOfGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is missing")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		c := exec.Command(git, append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=" + mail("author"), "-c", "commit.gpgsign=false"}, args...)...)
		c.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	if err := os.MkdirAll(filepath.Join(dir, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dir", "a.txt"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("add", ".")
	run("commit", "-q", "-m", "one")
	base := run("rev-parse", "HEAD")
	run("switch", "-q", "-c", "change")
	run("commit", "-q", "--allow-empty", "-m", "two")
	head := run("rev-parse", "HEAD")

	h := newHub(t)
	h.Git(git, dir)
	h.Permit("reviewer", "write")
	number := h.Open(fakegithub.PullRequest{Author: "author", Head: head, Base: base})
	h.Server.Review(number, fakegithub.Review{User: "reviewer", State: "APPROVED", Commit: head})
	fsys := tree(t, h, base)
	if got, err := fs.ReadFile(fsys, "dir/a.txt"); err != nil || string(got) != "a" {
		t.Errorf("%q, %v", got, err)
	}
	if id, _ := fsys.(interface{ ID(string) (string, bool) }).ID("dir"); id != run("rev-parse", "HEAD:dir") {
		t.Errorf("the folder's id is %s", id)
	}
	if got, err := h.client.MergeBase(t.Context(), "main", "change"); err != nil || got != base {
		t.Errorf("merge base %s, %v", got, err)
	}
	if got, err := h.client.Approval(t.Context(), number, head, nil); err != nil || len(got.By) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
