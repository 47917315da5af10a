package tree

import (
	"slices"
	"strings"
)

// DefaultBranch is the name of the branch that the remote calls its own, as this
// clone knows it; without a remote the branch that is checked out. It is empty
// where neither is known.
func (r *Repository) DefaultBranch() string {
	remotes := r.refs.remotes()
	if slices.Contains(remotes, "origin") {
		remotes = []string{"origin"}
	}
	for _, remote := range remotes {
		prefix := "refs/remotes/" + remote + "/"
		if _, to := r.refs.read(prefix + "HEAD"); strings.HasPrefix(to, prefix) {
			return strings.TrimPrefix(to, prefix)
		}
	}
	if len(remotes) > 0 || len(r.conf.remotes) > 0 {
		return ""
	}
	_, to := r.refs.read("HEAD")
	if !strings.HasPrefix(to, "refs/heads/") {
		return ""
	}
	return strings.TrimPrefix(to, "refs/heads/")
}
