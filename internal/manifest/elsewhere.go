package manifest

import "strings"

// Elsewhere names the word or variable with which a launch of npm's or Python's
// packages chooses another registry, tag, day or configuration than the user's own:
// a client takes other bytes then than are resolved from the name. Empty where
// nothing does.
func (l Launch) Elsewhere(c Command) string {
	if len(c.Redirects) > 0 {
		return optionAt(c.Words, c.Redirects[0])
	}
	for _, b := range l.Env {
		if c.Ecosystem == "npm" && npmVariable(b.Name) || c.Ecosystem == "pypi" && pythonVariable(b.Name) {
			return b.Name
		}
	}
	return ""
}

// optionAt is the name of the option that a word is, or is the value of.
func optionAt(words []Word, i int) string {
	if i > 0 && !strings.HasPrefix(words[i].Text, "-") {
		i--
	}
	name, _, _ := strings.Cut(words[i].Text, "=")
	return name
}

const npmPrefix = "npm_config_"

// npmVariable reports whether a variable sets one of npm's redirecting options.
func npmVariable(name string) bool {
	name = strings.ToLower(name)
	setting, ok := strings.CutPrefix(name, npmPrefix)
	return ok && (npmRedirects["--"+strings.ReplaceAll(setting, "_", "-")] || strings.HasPrefix(setting, "@"))
}

// pythonVariable reports whether a variable chooses an index or a configuration.
func pythonVariable(name string) bool {
	return matchesAny([]string{"UV_INDEX*", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_CONFIG_FILE", "UV_EXCLUDE_NEWER", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE"}, name)
}
