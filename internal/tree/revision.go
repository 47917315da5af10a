package tree

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Head is the id of the commit that is checked out; [ErrUnborn] before the first.
func (r *Repository) Head() (id string, err error) {
	if id = follow(r.refs, "HEAD"); id == "" {
		return "", ErrUnborn
	}
	return r.peel(id)
}

// places are where a short name is looked for, in git's order (gitrevisions(7)).
var places = []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}

// Resolve is the commit that a revision names: a full id, a reference, a unique
// beginning of an id, or one of these with ^, ^N, ~N, ^{commit} or ^0 after it.
// The forms that ask a log of this machine or search texts (@{…}, :/…) are not
// read. *[RevisionError]; [ErrUnborn]; *[MissingError] for a full id that is not
// here.
func (r *Repository) Resolve(rev string) (id string, err error) {
	base, steps := rev, ""
	if i := strings.IndexAny(rev, "^~"); i >= 0 {
		base, steps = rev[:i], rev[i:]
	}
	if id, err = r.base(base); err != nil {
		return "", err
	}
	if id, err = r.peel(id); err != nil {
		return "", notCommit(err, rev)
	}
	for steps != "" && err == nil {
		id, steps, err = r.step(id, steps, rev)
	}
	return id, err
}

// notCommit takes the name of a file or folder for no revision.
func notCommit(err error, rev string) error {
	if e, ok := errors.AsType[*MalformedError](err); ok && !isID(rev) {
		return errors.Join(&RevisionError{rev}, e)
	}
	return err
}

func (r *Repository) base(name string) (string, error) {
	if name == "@" {
		name = "HEAD"
	}
	if isID(name) {
		return name, nil
	}
	for _, place := range places {
		if id := follow(r.refs, place+name); id != "" {
			return id, nil
		}
	}
	if id := follow(r.refs, "refs/remotes/"+name+"/HEAD"); id != "" {
		return id, nil
	}
	if name == "HEAD" {
		return "", ErrUnborn
	}
	return r.abbreviated(name)
}

// abbreviated finds the one commit whose id begins so.
func (r *Repository) abbreviated(name string) (string, error) {
	if len(name) < 4 || !isHex(name) {
		return "", &RevisionError{name}
	}
	r.mu.Lock()
	ids, err := r.objects.prefixed(name)
	r.mu.Unlock()
	if err != nil {
		return "", err
	}
	commits := slices.DeleteFunc(ids, func(id string) bool {
		_, err := r.peel(id)
		return err != nil
	})
	if len(commits) != 1 {
		return "", &RevisionError{name}
	}
	return commits[0], nil
}

// step takes one ^ or ~ with its number.
func (r *Repository) step(id, steps, rev string) (next, rest string, err error) {
	for _, peeled := range []string{"^{commit}", "^{}"} {
		if rest, ok := strings.CutPrefix(steps, peeled); ok {
			return id, rest, nil
		}
	}
	op, rest := steps[0], strings.TrimLeft(steps[1:], "0123456789")
	digits := steps[1 : len(steps)-len(rest)]
	n, err := strconv.Atoi(digits)
	if digits == "" {
		n, err = 1, nil
	}
	if err != nil || rest != "" && rest[0] != '^' && rest[0] != '~' {
		return "", "", &RevisionError{rev}
	}
	which := 1
	if op == '^' && n > 0 {
		n, which = 1, n
	}
	for ; n > 0; n-- {
		parents, err := r.Parents(id)
		if err != nil {
			return "", "", err
		}
		if which > len(parents) {
			return "", "", &RevisionError{rev}
		}
		id = parents[which-1]
	}
	_, err = r.commit(id)
	return id, rest, err
}

// Parents are the ids of a commit's parents, in order, whether they are here or not.
func (r *Repository) Parents(commit string) ([]string, error) {
	c, err := r.commit(commit)
	return c.parents, err
}

// RemoteDefault is the commit of the remote's default branch as it was last
// fetched: of refs/remotes/origin/HEAD, or of the only other remote's.
// [ErrNoRemote] where the repository has none, [ErrRemoteUnknown], with the command
// that ends it as a hint, where it has one and does not know its default branch.
func (r *Repository) RemoteDefault() (id string, err error) {
	names := r.refs.remotes()
	for _, m := range r.conf.remotes {
		names = append(names, m.name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case len(names) == 0 && r.conf.includes:
		return "", &unknownRemote{}
	case len(names) == 0:
		return "", ErrNoRemote
	case slices.Contains(names, "origin"):
		names = []string{"origin"}
	case len(names) > 1:
		return "", &unknownRemote{}
	}
	if id = follow(r.refs, "refs/remotes/"+names[0]+"/HEAD"); id == "" {
		return "", &unknownRemote{names[0]}
	}
	return r.peel(id)
}
