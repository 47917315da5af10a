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

// RemoteBranch is the commit at which a branch was last fetched from origin, where
// origin is at one of these addresses. Only the reference of exactly that name is
// read: a tag may have any name.
func (r *Repository) RemoteBranch(branch string, addresses ...string) (string, error) {
	known := slices.ContainsFunc(r.conf.remotes, func(m remote) bool { return m.name == "origin" && slices.Contains(addresses, m.url) })
	id := follow(r.refs, "refs/remotes/origin/"+branch)
	if !known || id == "" {
		return "", &RevisionError{branch}
	}
	return r.peel(id)
}
