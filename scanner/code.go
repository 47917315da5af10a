package scanner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/canon"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// CodeDigest covers the files of the repository that a launch names: an
// approval of "node server.js" is one of these bytes, not of the name. It is
// the digest of sorted lines "sha256 path"; without such files, of none. base is
// the folder in which the launch starts.
func CodeDigest(fsys fs.FS, base string, l manifest.Launch) (string, error) {
	var lines []string
	for _, a := range l.Argv {
		for _, name := range fileNames(a.Text.Reveal()) {
			line, err := fileLine(fsys, path.Join(base, name))
			if err != nil {
				return "", err
			}
			if line != "" && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return canon.Digest(canon.Code, []byte(strings.Join(lines, "\n"))), nil
}

// fileNames are the readings of an argument as a path: itself, what follows "="
// in a flag, what follows a folder variable.
func fileNames(arg string) []string {
	if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "-") {
		arg = value
	}
	for _, variable := range []string{"${workspaceFolder}/", "${CLAUDE_PROJECT_DIR}/", "${PWD}/"} {
		arg = strings.TrimPrefix(arg, variable)
	}
	if arg == "" || path.IsAbs(arg) {
		return nil
	}
	return []string{path.Clean(strings.ReplaceAll(arg, `\`, "/"))}
}

// fileLine hashes one regular file; what is no such file gives nothing.
func fileLine(fsys fs.FS, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", nil
	}
	info, err := fs.Stat(fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)) + " " + name, nil
}
