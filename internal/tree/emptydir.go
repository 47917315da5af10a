package tree

import (
	"errors"
	"os"
)

// EmptyDir makes a fresh empty folder, and a function that removes it with
// whatever was put there.
func EmptyDir() (path string, cleanup func(), err error) {
	path, err = os.MkdirTemp("", "toolwarrant-empty-")
	if err != nil {
		return "", nil, errors.New("no temporary folder can be made")
	}
	return path, func() { _ = os.RemoveAll(path) }, nil
}
