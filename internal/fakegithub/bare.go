package fakegithub

import (
	"os/exec"
	"strconv"
	"strings"
)

// Git serves commits, and branches that are not set otherwise, from a git
// repository; git is the program. It replaces what was kept before.
func (s *Server) Git(git, folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store = bare{git, folder}
}

// bare reads a repository with git's own program.
type bare struct{ git, folder string }

func (b bare) run(args ...string) ([]byte, bool) {
	c := exec.Command(b.git, append([]string{"-C", b.folder}, args...)...)
	c.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/dev/null", "LC_ALL=C"}
	out, err := c.Output()
	return out, err == nil
}

// branch is where a branch is, empty for none.
func (b bare) branch(name string) string {
	out, _ := b.run("rev-parse", "--verify", "--quiet", "--end-of-options", "refs/heads/"+name+"^{commit}")
	return strings.TrimSpace(string(out))
}

func (b bare) commit(id string) (Commit, bool) {
	out, ok := b.run("show", "-s", "--format=%H%n%T%n%P%n%ae%n%ce%n%B", "--end-of-options", id+"^{commit}")
	lines := strings.SplitN(string(out), "\n", 6)
	if !ok || len(lines) < 6 {
		return Commit{}, false
	}
	return Commit{ID: lines[0], tree: lines[1], Parents: strings.Fields(lines[2]), Author: lines[3], Committer: lines[4], Message: strings.TrimSpace(lines[5])}, true
}

func (b bare) blob(id string) ([]byte, bool) { return b.run("cat-file", "blob", id) }

func (b bare) list(tree string, deep bool) ([]entry, bool) {
	args := []string{"ls-tree", "-z", "-l"}
	if deep {
		args = append(args, "-r", "-t")
	}
	out, ok := b.run(append(args, tree)...)
	var all []entry
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, name, found := strings.Cut(line, "\t")
		f := strings.Fields(meta)
		if !found || len(f) != 4 {
			continue
		}
		e := entry{Path: name, Mode: f[0], Type: f[1], SHA: f[2]}
		if n, err := strconv.Atoi(f[3]); err == nil {
			e.Size = &n
		}
		all = append(all, e)
	}
	return all, ok
}
