package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Approvals are the launches that this user sealed or approved on this machine.
// Each is an empty file in the user's state folder, named by a digest over the
// repository's path, the launch and the repository code that it runs: a launch
// approved here is not approved in another checkout, nor with other code.
type Approvals struct {
	store *Store
	repo  string
}

const approved = "approved"

// StateDir is $XDG_STATE_HOME/toolwarrant, or ~/.local/state/toolwarrant (XDG
// Base Directory Specification 0.8).
func StateDir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "toolwarrant"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "toolwarrant"), nil
	}
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "toolwarrant", "state"), nil
	}
	return "", errors.New("neither XDG_STATE_HOME nor HOME names a folder for this user's approvals")
}

// OpenApprovals opens this user's record for the repository at an absolute path.
func OpenApprovals(stateDir, repo string) (*Approvals, error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	s, err := Open(stateDir)
	if err != nil {
		return nil, err
	}
	return &Approvals{s, repo}, nil
}

// Close releases the folder.
func (a *Approvals) Close() error { return a.store.Close() }

// Add records a launch and the code that it runs, both as digests.
func (a *Approvals) Add(launch, code string) error {
	return a.store.Write(a.name(launch, code), nil)
}

// Has reports whether a launch with this code was recorded.
func (a *Approvals) Has(launch, code string) bool {
	info, err := fs.Stat(a.store.FS(), a.name(launch, code))
	return err == nil && info.Mode().IsRegular()
}

// SaveRead keeps the surface that was last read behind a launch, as a lock with
// the tree that lies beside it (nil for none), so that it can be approved without
// another start.
func (a *Approvals) SaveRead(launch string, lock, tree []byte) error {
	if err := a.store.Write(a.readName(launch)+treeSuffix, tree); err != nil {
		return err
	}
	return a.store.Write(a.readName(launch), lock)
}

const treeSuffix = ".tree"

// LastRead returns what SaveRead kept for a launch; fs.ErrNotExist where nothing
// was read on this machine.
func (a *Approvals) LastRead(launch string) (lock, tree []byte, err error) {
	if lock, err = fs.ReadFile(a.store.FS(), a.readName(launch)); err != nil {
		return nil, nil, err
	}
	tree, err = fs.ReadFile(a.store.FS(), a.readName(launch)+treeSuffix)
	return lock, tree, err
}

func (a *Approvals) readName(launch string) string {
	sum := sha256.Sum256([]byte(a.repo + "\x00" + launch))
	return "read/" + hex.EncodeToString(sum[:])
}

func (a *Approvals) name(launch, code string) string {
	sum := sha256.Sum256([]byte(a.repo + "\x00" + launch + "\x00" + code))
	return approved + "/" + hex.EncodeToString(sum[:])
}
