package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/secret"
)

// steering are the variables that decide which code runs or where requests go.
// Their values are part of the launch. A star stands for any rest.
var steering = []string{
	"NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "LD_*", "DYLD_*", "PATH", "BASH_ENV", "ENV", "PYTHON*", "RUBYOPT",
	"PERL5*", "JAVA_TOOL_OPTIONS", "DOTNET_*", "GIT_*", "NPM_CONFIG_*", "UV_*", "PIP_*", "BUN_*", "DENO_*", "*_PROXY",
	"SSL_CERT_*", "*_BASE_URL",
}

// Steers reports whether an environment variable steers code or routes, so that
// its value is compared and stored in clear. Names are compared without regard
// to case, as Windows and npm do. A name that is a credential's does not steer.
func Steers(name string) bool {
	return matchesAny(steering, name) && !secret.NameLooksSecret(name)
}

func matchesAny(patterns []string, name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		switch {
		case strings.HasPrefix(p, "*"):
			return strings.HasSuffix(name, p[1:])
		case strings.HasSuffix(p, "*"):
			return strings.HasPrefix(name, p[:len(p)-1])
		}
		return name == p
	})
}

var (
	// injects are the variables that load code or redirect trust or packages,
	// whatever their value.
	injects = []string{
		"LD_*", "DYLD_*", "BASH_ENV", "PYTHONSTARTUP", "PYTHONHOME", "RUBYOPT", "PERL5OPT", "PERL5DB", "DOTNET_STARTUP_HOOKS",
		"DOTNET_ADDITIONAL_DEPS", "DOTNET_ROOT*", "GIT_SSH*", "GIT_EXEC_PATH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "GIT_PROXY_COMMAND",
		"GIT_CONFIG*", "GIT_TEMPLATE_DIR", "GIT_EDITOR", "GIT_PAGER", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_@*", "NPM_CONFIG_SCRIPT_SHELL",
		"NPM_CONFIG_NODE_OPTIONS", "NPM_CONFIG_GIT", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG", "NPM_CONFIG_CAFILE", "NPM_CONFIG_PACKAGE", "NPM_CONFIG_CALL",
		"UV_INDEX*", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_CONFIG_FILE", "UV_INSECURE_HOST", "PIP_INDEX_URL",
		"PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_TRUSTED_HOST", "PIP_CONFIG_FILE", "BUN_OPTIONS", "BUN_CONFIG_REGISTRY", "BUN_INSPECT*",
		"DENO_CERT", "NODE_EXTRA_CA_CERTS", "SSL_CERT_*",
	}
	// bends are those that only add a place to look, or a way to go.
	bends = []string{"NODE_PATH", "PYTHONPATH", "PERL5LIB", "*_PROXY"}
	// loads are the options of NODE_OPTIONS that run code or open a debugger.
	loads = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "--openssl-config", "--env-file"}
)

// override reports a variable that lets the declaration run code of its choice.
func (r *entryReader) override(name string, n node) {
	level := overrides(name, n.text)
	if level == "" {
		return
	}
	rule, what := "launch/env-override", "runs code, or trusts or fetches from a place, that the command does not name"
	if level == finding.Warning {
		rule, what = "launch/env-override-minor", "changes where programs, modules or routes are looked for"
	}
	f := finding.New(rule, level, n.at, fmt.Sprintf("the variable %s %s", finding.Claim(name).Quote(), what))
	f.Hint = "remove it, or name in the command what is to run"
	r.note(f)
}

// overrides is the level of a variable, empty where it does no harm.
func overrides(name, value string) finding.Level {
	upper := strings.ToUpper(name)
	switch {
	case upper == "PATH":
		return overridesPath(value)
	case upper == "ENV": // the start-up file of a POSIX shell; else the name of a stage
		return when(strings.ContainsAny(value, `/\`), finding.Error)
	case upper == "NODE_OPTIONS":
		return when(loadsCode(value), finding.Error)
	case upper == "JAVA_TOOL_OPTIONS":
		return when(strings.Contains(value, "agent") || strings.Contains(value, "-Xbootclasspath"), finding.Error)
	case upper == "NODE_TLS_REJECT_UNAUTHORIZED":
		return when(value == "0", finding.Error)
	case upper == "NO_PROXY":
		return ""
	case matchesAny(injects, name):
		return finding.Error
	}
	return when(matchesAny(bends, name), finding.Warning)
}

func when(yes bool, level finding.Level) finding.Level {
	if yes {
		return level
	}
	return ""
}

// overridesPath is milder where the reader's own path stays in the list.
func overridesPath(value string) finding.Level {
	refs, literal := secret.References(value)
	switch {
	case !literal:
		return ""
	case slices.ContainsFunc(refs, func(s string) bool { return strings.EqualFold(s, "PATH") }):
		return finding.Warning
	}
	return finding.Error
}

func loadsCode(options string) bool {
	return slices.ContainsFunc(strings.Fields(options), func(o string) bool {
		name, _, _ := strings.Cut(o, "=")
		return slices.Contains(loads, name) || strings.HasPrefix(name, "--inspect")
	})
}
