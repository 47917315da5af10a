package policy

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// The forms of texts. Each returns what is allowed, or nothing where the text
// has the form.

var (
	loginText  = pattern.Of(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$`)
	nameText   = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*$`)
	ruleText   = pattern.Of(`^[a-z]+/[a-z0-9]+(?:-[a-z0-9]+)*$`)
	hex64      = pattern.Of(`^[0-9a-f]{64}$`)
	commitText = pattern.Of(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	dateText   = pattern.Of(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)
	lengthText = pattern.Of(`^(?:([0-9]{1,5})h)?(?:([0-9]{1,5})m)?(?:([0-9]{1,5})s)?$`)
	sizeText   = pattern.Of(`^([0-9]{1,6})(KiB|MiB|GiB)$`)
	branchBad  = pattern.Of(`[\x00-\x20\x7f~^:?*\[\\]|\.\.|//|@\{|^[-/.]|/\.|[/.]$|\.lock$|\.lock/`)
)

// ourBranches begins the names of branches that toolwarrant writes.
const ourBranches = "toolwarrant/"

// branchForm follows git-check-ref-format(1). Branches that toolwarrant writes
// never anchor anything.
func branchForm(s string) string {
	switch {
	case strings.HasPrefix(s, "refs/"), branchBad.MatchString(s), s == "@":
		return "a branch's name without refs/heads/; patterns are not taken"
	case strings.HasPrefix(strings.ToLower(s), ourBranches):
		return "a branch that toolwarrant does not write"
	}
	return ""
}

// loginForm is GitHub's, enterprise names with an underscore included.
func loginForm(s string) string {
	if !loginText.MatchString(s) {
		return "a login: letters, digits and dashes, without @; teams and bots are not taken"
	}
	return ""
}

func variableForm(s string) string {
	if !nameText.MatchString(s) {
		return "a variable's name, without a value"
	}
	return ""
}

func fingerprintForm(s string) string {
	if !hex64.MatchString(s) {
		return "64 lower-case hex digits: the SHA-256 of a publisher's key"
	}
	return ""
}

func digestForm(s string) string {
	if !hex64.MatchString(s) {
		return "64 lower-case hex digits"
	}
	return ""
}

func commitForm(s string) string {
	if !commitText.MatchString(s) {
		return "a full commit id: 40 or 64 lower-case hex digits"
	}
	return ""
}

// addressForm takes what a fetch may dial: https, and nothing that hides a
// credential or is never sent.
func addressForm(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(s, "?#") || strings.Contains(s, " ") {
		return "an https address without user name, query and fragment"
	}
	return ""
}

// localForm takes slash paths that stay below the root.
func localForm(s string) string {
	if s != path.Clean(s) || path.IsAbs(s) || s == ".." || strings.HasPrefix(s, "../") || strings.ContainsAny(s, `\:`) {
		return "a slash-separated path from the repository's root, without .. and without a slash at its end"
	}
	return ""
}

// ValidDate reports whether s is a day of the calendar as yyyy-mm-dd.
func ValidDate(s string) bool {
	m := dateText.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	year, month, day := number(m[1]), number(m[2]), number(m[3])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	last := days[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		last = 29
	}
	return day <= last
}

// number reads digits whose count a pattern has bounded.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// seconds reads a length of time: hours, minutes and seconds, each at most once.
func seconds(s string) (int, bool) {
	m := lengthText.FindStringSubmatch(s)
	if m == nil || s == "" {
		return 0, false
	}
	return number(m[1])*3600 + number(m[2])*60 + number(m[3]), true
}

// size reads a number of bytes in binary units.
func size(s string) (int64, bool) {
	m := sizeText.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	shift := map[string]int{"KiB": 10, "MiB": 20, "GiB": 30}[m[2]]
	return int64(number(m[1])) << shift, true
}

func containsFold(list []string, s string) bool {
	for _, e := range list {
		if strings.EqualFold(e, s) {
			return true
		}
	}
	return false
}
