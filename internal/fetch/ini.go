package fetch

import (
	"encoding/json"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// setting is one line of an npmrc file or one variable of the environment. Any
// value may be a credential.
type setting struct {
	key   string
	array bool // the key was written KEY[]
	value secret.Value
	place place
}

// parseINI reads an npmrc file as npm does: its ini package, then ${VAR} in
// keys and values. A key behind a section's line belongs to that section, which
// npm looks up nowhere, so reading ends there.
func parseINI(data, file string, env environment) (out []setting) {
	for i, line := range lines(data) {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == ';' || text[0] == '#' {
			continue
		}
		if section.MatchString(line) {
			return out
		}
		key, value, bound := strings.Cut(line, "=")
		if key == "" {
			continue
		}
		if !bound {
			value = "true"
		}
		s := setting{key: env.expand(unquoteINI(key)), place: place{file, i + 1}}
		if name, ok := strings.CutSuffix(s.key, "[]"); ok && name != "" {
			s.key, s.array = name, true
		}
		s.value = secret.New(env.expand(unquoteINI(value)))
		out = append(out, s)
	}
	return out
}

var section = pattern.Of(`^\[[^\]]*\]\s*$`)

// lines splits at LF, CR LF and CR alone, which npm takes for an end too.
func lines(data string) []string {
	data = strings.TrimPrefix(data, "\ufeff")
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\r", "\n"), "\n")
}

// unquoteINI takes quotes off, or the comment at the end and its escapes.
func unquoteINI(s string) string {
	s = strings.TrimSpace(s)
	switch {
	case len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'':
		return unquoteJSON(s[1 : len(s)-1])
	case len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"':
		return unquoteJSON(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ';' || c == '#':
			return strings.TrimSpace(b.String())
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\;#`, s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

func unquoteJSON(s string) string {
	var text string
	if json.Unmarshal([]byte(s), &text) == nil {
		return text
	}
	return s
}

// environment is the user's variables by name.
type environment map[string]string

// reference is ${NAME}, ${NAME?} (empty where NAME is not set) or
// ${NAME-default}, with the backslashes before it: an odd number keeps it as it
// stands.
var reference = pattern.Of(`(\\*)\$\{([^${}?:-]+)(\?|:?-[^${}]*)?\}`)

// expand replaces references. One to a variable that is not set stays as it is.
func (e environment) expand(s string) string {
	return reference.ReplaceAllStringFunc(s, func(found string) string {
		m := reference.FindStringSubmatch(found)
		if len(m[1])%2 == 1 {
			return found[(len(m[1])+1)/2:]
		}
		half := m[1][:len(m[1])/2]
		value, set := e[m[2]]
		switch {
		case set && (value != "" || !strings.HasPrefix(m[3], ":")):
			return half + value
		case m[3] == "?":
			return half
		case m[3] != "":
			return half + strings.TrimPrefix(strings.TrimPrefix(m[3], ":"), "-")
		}
		return half + found[len(m[1]):]
	})
}

// unset names the variables that s still refers to.
func unset(s string) (names []string) {
	for _, m := range reference.FindAllStringSubmatch(s, -1) {
		names = append(names, m[2])
	}
	return names
}
