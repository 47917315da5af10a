package sandbox

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// lookUp finds a program in our own PATH, with the suffixes of PATHEXT.
func lookUp(name, dir string, _ []string) (string, *StartError) {
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &StartError{Missing: true, Detail: "the program was not found"}
	}
	return path, nil
}

func explain(error) *StartError {
	return &StartError{Detail: "the program could not be started"}
}
