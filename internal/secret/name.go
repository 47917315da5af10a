package secret

import (
	"slices"
	"strings"
	"unicode"
)

// NameLooksSecret reports whether a name of an environment variable, header,
// flag, query parameter or JSON member is one that people give to credentials.
// It reads the name as words (GITHUB_TOKEN, x-api-key, clientSecret), so that
// KEYBOARD, AUTHOR, MAX_TOKENS and PATH are not mistaken for KEY, AUTH, TOKEN
// and PAT.
func NameLooksSecret(name string) bool {
	if strings.EqualFold(name, "PWD") || strings.EqualFold(name, "OLDPWD") { // POSIX: the working directory
		return false
	}
	w := words(name)
	if len(w) == 0 || slices.Contains(switches, w[0]) {
		return false
	}
	last := w[len(w)-1]
	switch {
	case last == "id" && len(w) > 1:
		return w[len(w)-2] == "session" || strings.HasSuffix(join(w[:len(w)-1]), "accesskey")
	case last == "key":
		return keyOf(w[:len(w)-1])
	case last == "string" || last == "str":
		return len(w) > 1 && strings.HasPrefix(w[len(w)-2], "conn")
	case last == "tokens":
		return len(w) > 1 && slices.Contains(tokenOwners, w[len(w)-2])
	}
	return slices.Contains(credentials, last) || endsSecret(last)
}

// credentials are last words of names that hold credentials.
var credentials = []string{
	"auth", "authorization", "bearer", "cookie", "cookies", "cred", "creds", "dsn",
	"jwt", "pass", "passphrase", "pat", "pwd", "session", "connectionstring", "connstr",
	"secrets", "passwords",
}

// switches begin names that set a limit or turn something on or off.
var switches = []string{
	"count", "disable", "enable", "enabled", "has", "is", "max", "min", "no", "num", "require",
	"skip", "use", "without",
}

// tokenOwners stand before "tokens" where these are credentials, not units of text.
var tokenOwners = []string{"access", "api", "auth", "bearer", "refresh", "session"}

// endsSecret finds names written without a boundary, as GITHUBTOKEN.
func endsSecret(word string) bool {
	for _, end := range []string{
		"token", "secret", "password", "passwd", "apikey", "accesskey", "secretkey", "privatekey",
		"credential", "credentials",
	} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// openKeys are words that make the key behind them a thing that is no secret.
var openKeys = []string{
	"public", "primary", "foreign", "sort", "partition", "cache", "hot", "lookup", "idempotency",
	"group", "row", "column", "object", "unique", "map", "config", "registry",
}

// keyOf reports whether "key" after these words is a credential. A key alone is
// a file, an entry of a map or a button as often as a credential.
func keyOf(before []string) bool {
	return len(before) > 0 && !slices.Contains(openKeys, before[len(before)-1])
}

func join(w []string) string { return strings.Join(w, "") }

// words splits a name at everything that is no letter or digit and where the
// case says that a word begins, and returns them in lower case.
func words(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && begins(runes, i):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return out
}

// begins reports whether a word begins at i: aB, or the B of ABc.
func begins(r []rune, i int) bool {
	if !unicode.IsUpper(r[i]) {
		return false
	}
	return unicode.IsLower(r[i-1]) || i+1 < len(r) && unicode.IsUpper(r[i-1]) && unicode.IsLower(r[i+1])
}
