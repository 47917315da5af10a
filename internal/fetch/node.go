package fetch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// FindNode finds node in a PATH. Only absolute entries count, none below one of
// forbidden (the scanned repository) by its name or by where it leads, and none
// that is a node_modules/.bin: that is where a repository's packages put their
// commands. The path is absolute; the error is a *ResolveError.
func FindNode(path string, forbidden []string) (string, error) {
	node := findProgram(path, "node", forbidden)
	if node == "" {
		return "", &ResolveError{Reason: MissingProgram, Detail: "node is not in PATH",
			Hint: "install node 20 or newer with its npm; entries of PATH inside the repository and relative ones do not count"}
	}
	return node, nil
}

func findProgram(path, name string, forbidden []string) string {
	for _, dir := range trustedPath(path, forbidden) {
		found, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil || !filepath.IsAbs(found) {
			continue
		}
		real, err := filepath.EvalSymlinks(found)
		if err == nil && !inside(real, forbidden) && !repositoryBin(filepath.Dir(real)) {
			return found
		}
	}
	return ""
}

// trustedPath are the entries of a PATH that a repository cannot have put there.
func trustedPath(path string, forbidden []string) (out []string) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) || repositoryBin(dir) {
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		if err == nil && !inside(dir, forbidden) && !inside(real, forbidden) && !repositoryBin(real) {
			out = append(out, filepath.Clean(dir))
		}
	}
	return out
}

func repositoryBin(dir string) bool {
	dir = filepath.Clean(dir)
	return filepath.Base(dir) == ".bin" && filepath.Base(filepath.Dir(dir)) == "node_modules"
}

// inside reports whether a path lies in one of roots, each as it is written and
// where it leads.
func inside(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		real, err := filepath.EvalSymlinks(root)
		return under(path, root) || err == nil && under(path, real)
	})
}

func under(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// npmBeside is npm's script where node's own installation has it, or empty.
func npmBeside(node string) string {
	dir := filepath.Dir(node)
	if real, err := filepath.EvalSymlinks(filepath.Join(dir, "npm")); err == nil && filepath.Base(real) == "npm-cli.js" {
		return real
	}
	for _, at := range []string{dir, filepath.Join(filepath.Dir(dir), "lib")} {
		cli := filepath.Join(at, "node_modules", "npm", "bin", "npm-cli.js")
		if info, err := os.Stat(cli); err == nil && info.Mode().IsRegular() {
			return cli
		}
	}
	return ""
}

// npmCommand is how npm is started: its script under node, which needs no shell
// and no PATH, or the program called npm in the PATH.
func npmCommand(node, path string, forbidden []string) []string {
	if found := findProgram(path, "npm", forbidden); found != "" {
		if real, err := filepath.EvalSymlinks(found); err == nil && filepath.Ext(real) == ".js" {
			return []string{node, real}
		}
		if ext := filepath.Ext(found); ext != ".cmd" && ext != ".bat" {
			return []string{found}
		}
	}
	if cli := npmBeside(node); cli != "" && !inside(cli, forbidden) {
		return []string{node, cli}
	}
	return nil
}
