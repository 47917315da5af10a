package secret

import (
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// placeholder reports whether text only stands where a credential goes: it was
// written to be replaced and opens nothing.
func placeholder(text string) bool {
	t := strings.ToLower(strings.Trim(text, " \t\"'`"))
	return filler.MatchString(t) || bracketed.MatchString(t) || sampleLogin.MatchString(t) || replaceMe.MatchString(t) ||
		slices.Contains(labels, strings.NewReplacer("_", "", "-", "", " ", "").Replace(t))
}

var (
	// filler is made of one sign that stands for any: xxxx-xxxx, ****, ...
	filler    = pattern.Of(`^[x*.…•\-_ ]*$`)
	bracketed = pattern.Of(`^(<[^>]*>|\[[^\]]*\]|\{\{[^}]*\}\}|\{[a-z_ -]*\})$`)
	// sampleLogin is the login of a data source that documentation shows.
	sampleLogin = pattern.Of(`^[^\s:/@]*:(pass|passwd|password|secret)?@`)
	replaceMe   = pattern.Of(
		`\byour|_your|change[-_ ]?me|replace[-_ ]?(me|with|this)|placeholder|redacted|[-_ ]here$|\.\.\.$|…$|^[a-z_-]*x{6,}$|\*{3,}|<[a-z_ -]*>`)
	// labels name the thing instead of being one.
	labels = []string{
		"apikey", "key", "token", "secret", "password", "pass", "passwd", "dummy", "example", "sample", "test",
		"todo", "none", "null", "undefined", "insert", "mytoken", "myapikey", "mysecret", "mypassword",
	}
)

// inert reports whether a value under a secret's name is plainly something else:
// a switch, a number, a path, an address without a credential, or the bare name
// of a variable or stored secret, as Copilot's configurations have it.
func inert(value string) bool {
	v := strings.TrimSpace(value)
	return slices.Contains(switchWords, strings.ToLower(v)) || inertForm.MatchString(v) ||
		variable.MatchString(v) && NameLooksSecret(v)
}

var (
	switchWords = []string{
		"true", "false", "on", "off", "yes", "no", "enabled", "disabled", "required", "optional", "auto",
		"basic", "bearer", "oauth", "oauth2", "bearer token", "anonymous", "default",
	}
	inertForm = pattern.Of(`^(\d{1,5}|(\.{1,2}|~|[A-Za-z]:)?[/\\][^\s]*[./\\][^\s]*|[a-z][a-z0-9+.-]*://[^\s]*)$`)
	variable  = pattern.Of(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
)
