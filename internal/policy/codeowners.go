package policy

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// OwnersFiles are the places of a CODEOWNERS file; GitHub takes the first that is
// there.
var OwnersFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// maxOwners is the size from which GitHub loads no CODEOWNERS file.
const maxOwners = 3 << 20

// Owners are those whom a CODEOWNERS file names for a path from the root: of the
// last pattern that matches, which may name nobody. The rules are gitignore's
// without negation and character ranges.
func Owners(codeowners []byte, file string) []string {
	if len(codeowners) > maxOwners {
		return nil
	}
	var owners []string
	for line := range strings.Lines(string(codeowners)) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) > 0 && owns(words[0], file) {
			owners = words[1:]
		}
	}
	return owners
}

// owns reports whether a pattern is about a file, or a folder above it.
func owns(pattern, file string) bool {
	if costly(pattern) || strings.ContainsAny(pattern, "![]{}\\") {
		return false // GitHub does not read these, or not as a glob does
	}
	body := strings.Trim(pattern, "/")
	if body == "" {
		return pattern == "/"
	}
	if !strings.HasPrefix(pattern, "/") && !strings.Contains(body, "/") {
		body = "**/" + body
	}
	matches := func(glob string) bool {
		ok, err := doublestar.Match(glob, file)
		return ok && err == nil
	}
	if !strings.HasSuffix(pattern, "/") && matches(body) {
		return true
	}
	// "docs/*" is about what lies in docs, not about what lies below that.
	deep := strings.HasSuffix(pattern, "/") || path.Base(body) != "*" || strings.HasPrefix(body, "**/")
	return deep && matches(body+"/**/*")
}
