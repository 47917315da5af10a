package manifest

import "strings"

// Elsewhere names the word or variable with which a launch of npm's or Python's
// packages chooses another registry, tag, day or configuration than the user's own:
// a client takes other bytes then than are resolved from the name. Empty where
// nothing does.
func (l Launch) Elsewhere(c Command) string {
	if len(c.Redirects) > 0 {
		name, _, _ := strings.Cut(c.Words[c.Redirects[0]].Text, "=")
		return name
	}
	for _, b := range l.Env {
		if c.Ecosystem == "npm" && npmVariable(b.Name) || c.Ecosystem == "pypi" && pythonVariable(b.Name) {
			return b.Name
		}
	}
	return ""
}

const npmPrefix = "npm_config_"

// npmVariable reports whether a variable sets one of npm's redirecting options.
func npmVariable(name string) bool {
	name = strings.ToLower(name)
	option, ok := strings.CutPrefix(name, npmPrefix)
	return ok && (npmRedirects["--"+strings.ReplaceAll(option, "_", "-")] || strings.HasPrefix(option, "@"))
}

// pythonVariable reports whether a variable chooses an index or a configuration.
func pythonVariable(name string) bool {
	return matchesAny([]string{"UV_INDEX*", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_CONFIG_FILE", "UV_EXCLUDE_NEWER", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE"}, name)
}
