//go:build unix

package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lookUp finds a program as execvp(3) would under env, except that a relative
// entry of PATH is skipped.
func lookUp(name, dir string, env []string) (string, *StartError) {
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name, usable(name)
	}
	var found *StartError
	for _, d := range filepath.SplitList(pathOf(env)) {
		if !filepath.IsAbs(d) {
			continue
		}
		path := filepath.Join(d, name)
		failed := usable(path)
		if failed == nil {
			return path, nil
		}
		if !failed.Missing {
			found = failed
		}
	}
	if found == nil {
		found = &StartError{Missing: true, Detail: "the program is not in PATH"}
	}
	return "", found
}

func pathOf(env []string) (path string) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			path = v
		}
	}
	return path
}

func usable(path string) *StartError {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return &StartError{Missing: true, Detail: "the program does not exist"}
	case err != nil:
		return &StartError{Detail: "the program cannot be reached"}
	case info.IsDir():
		return &StartError{Detail: "the program is a directory"}
	case info.Mode()&0o111 == 0:
		return &StartError{Detail: "the program is not executable"}
	}
	return nil
}

// explain turns the errno of a failed start into our words. The program was
// there a moment ago, so what does not exist now is what it names on its first line.
func explain(err error) *StartError {
	switch {
	case errors.Is(err, syscall.ENOENT):
		return &StartError{Missing: true, Detail: "the interpreter that the program names does not exist"}
	case errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM):
		return &StartError{Detail: "the program may not be executed"}
	case errors.Is(err, syscall.ENOEXEC):
		return &StartError{Detail: "the program has no format that this system executes"}
	case errors.Is(err, syscall.E2BIG):
		return &StartError{Detail: "arguments and environment are too long"}
	}
	return &StartError{Detail: "the program could not be started"}
}
