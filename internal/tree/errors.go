package tree

import (
	"errors"
	"fmt"

	"github.com/toolwarrant/toolwarrant/finding"
)

// What a repository may lack.
var (
	// ErrNoRepository says that no folder at or above the given one has a .git.
	ErrNoRepository = errors.New("no git repository can be read here")
	// ErrUnborn says that HEAD has no commit yet.
	ErrUnborn = errors.New("there is no commit yet")
	// ErrNoMergeBase says that two commits have no ancestor in common.
	ErrNoMergeBase = errors.New("these commits have no history in common")
	// ErrNoRemote says that the repository knows no other one.
	ErrNoRemote = errors.New("this repository has no remote")
	// ErrRemoteUnknown says that there is a remote, but not which branch is its
	// default.
	ErrRemoteUnknown = errors.New("the remote's default branch is not known here")
	// ErrUnsupported says that the repository is kept in a form that is not read.
	ErrUnsupported = errors.New("this repository uses an extension of git that is not read here")
	// ErrNoGit says that the git command is needed and missing or failed.
	ErrNoGit = errors.New("the git command, which this repository needs, cannot be run")
)

// What a name of a tree may turn out to be.
var (
	// ErrOutside says that a link leads out of the tree.
	ErrOutside = errors.New("a link that leads out of the tree")
	// ErrLoop says that links lead in a circle, or through too many others.
	ErrLoop = errors.New("a link that leads in a circle")
	// ErrSubmodule says that the files are in another repository.
	ErrSubmodule = errors.New("a submodule: its files are in another repository")
	// ErrTooLarge says that a bound on bytes or files was reached.
	ErrTooLarge = errors.New("larger than what is read")
)

// MissingError says that an object is not in this repository: a shallow or
// partial clone lacks it, or it was never there.
type MissingError struct{ ID string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("object %s is not in this repository", e.ID)
}

// Hint says how to get it.
func (e *MissingError) Hint() string { return "git fetch origin " + e.ID + " brings one commit" }

// RevisionError says that a revision names no commit, or several.
type RevisionError struct{ Revision string }

func (e *RevisionError) Error() string {
	return fmt.Sprintf("there is no revision %s here", finding.Claim(e.Revision).Quote())
}

// MalformedError says that an object is not what git makes.
type MalformedError struct{ ID, Why string }

func (e *MalformedError) Error() string { return fmt.Sprintf("object %s is broken: %s", e.ID, e.Why) }

// unknownRemote is ErrRemoteUnknown with the command that ends it.
type unknownRemote struct{ remote string }

func (e *unknownRemote) Error() string        { return ErrRemoteUnknown.Error() }
func (e *unknownRemote) Is(target error) bool { return target == ErrRemoteUnknown }

// Hint is a command to paste, so a name that is more than a word is not in it.
func (e *unknownRemote) Hint() string {
	if !plainWord(e.remote) {
		return "git remote set-head NAME --auto"
	}
	return "git remote set-head " + e.remote + " --auto"
}

func plainWord(s string) bool {
	for _, c := range s {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.') {
			return false
		}
	}
	return s != ""
}
