package github

import (
	"strings"
	"unicode"
)

// isID reports whether s is the full id of a git object, SHA-1 or SHA-256.
func isID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

const maxRef = 1024

// isRef reports whether s is a name that git takes for a branch
// (git-check-ref-format) and in which every character shows.
func isRef(s string) bool {
	if s == "" || s == "@" || len(s) > maxRef || s[0] == '-' || strings.HasSuffix(s, ".") {
		return false
	}
	for _, part := range []string{"..", "@{", "//"} {
		if strings.Contains(s, part) {
			return false
		}
	}
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || strings.ContainsRune(" ~^:?*[\\", r) {
			return false
		}
	}
	for _, part := range strings.Split(s, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

const maxLogin = 100

// isLogin reports whether s has the form of an account's name. Names of apps end
// in "[bot]"; those that a company manages have an underscore.
func isLogin(s string) bool {
	return len(s) <= maxLogin && made(strings.TrimSuffix(s, "[bot]"), "-_")
}

// isRepository reports whether s is "owner/name".
func isRepository(s string) bool {
	owner, name, ok := strings.Cut(s, "/")
	return ok && len(s) <= 2*maxLogin && made(owner, "-_") && made(name, "-_.") && name != "." && name != ".."
}

// made reports whether s consists of ASCII letters, digits and more.
func made(s, more string) bool {
	for _, r := range s {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(more, r) {
			return false
		}
	}
	return s != ""
}
