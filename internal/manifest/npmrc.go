package manifest

import "strings"

var npmrcSettings = settingsOf("registry git globalconfig userconfig replaceregistryhost", "scriptshell nodeoptions pnpmfile globalpnpmfile shell initmodule",
	"proxy httpsproxy httpproxy noproxy cafile ca cert key strictssl prefix cache")

// npmrc is .npmrc: npm's settings, those of scopes ("@scope:registry") and of
// registries ("//HOST/:_authToken").
func (r *resolverReader) npmrc(root node) {
	npmrcSettings.judge(r, root.members)
	for _, m := range root.members {
		switch {
		case strings.HasPrefix(m.name, "@") && strings.HasSuffix(m.name, ":registry") && !off(m.value):
			r.sets(m, true, namesRegistry)
		case strings.HasPrefix(m.name, "//") && strings.Contains(m.name, ":_") || foldName(m.name) == "auth" || foldName(m.name) == "authtoken":
			r.tell(m.at, false, "sets a credential, which "+sendsToken)
		}
	}
}

var yarnrcSettings = settingsOf("registry", "yarnpath", "proxy httpsproxy cafile strictssl")

// yarnrc is .yarnrc of Yarn 1.
func (r *resolverReader) yarnrc(root node) { yarnrcSettings.judge(r, root.members) }

var yarnrcYMLSettings = settingsOf("npmregistryserver", "yarnpath plugins", "httpproxy httpsproxy httpscafilepath cafilepath enablestrictssl unsafehttpwhitelist injectenvironmentfiles")

// yarnrcYML is .yarnrc.yml of Yarn 2 and later.
func (r *resolverReader) yarnrcYML(root node) {
	yarnrcYMLSettings.judge(r, root.members)
	for _, list := range []string{"npmScopes", "npmRegistries"} {
		for _, scope := range root.child(list).members {
			yarnrcYMLSettings.judge(r, scope.value.members)
		}
	}
}

var pnpmSettings = settingsOf("registry registries", "scriptshell nodeoptions pnpmfile globalpnpmfile configdependencies", "proxy httpproxy httpsproxy noproxy cafile ca strictssl")

// pnpmWorkspace is pnpm-workspace.yaml, which holds pnpm's settings since
// version 10.
func (r *resolverReader) pnpmWorkspace(root node) {
	pnpmSettings.judge(r, root.members)
	for _, list := range []string{"overrides", "patchedDependencies", "packageExtensions"} {
		for _, m := range root.child(list).members {
			for _, name := range r.c.npmNames() {
				if m.name == name || strings.HasPrefix(m.name, name+"@") {
					r.sets(m, true, namesPackage)
				}
			}
		}
	}
}

var (
	bunSettings        = settingsOf("", "preload define loader", "")
	bunInstallSettings = settingsOf("registry", "securityscanner", "ca cafile globaldir globalbindir")
	bunRunSettings     = settingsOf("", "shell", "")
)

// bunfig is bunfig.toml.
func (r *resolverReader) bunfig(root node) {
	bunSettings.judge(r, root.members)
	bunInstallSettings.judge(r, root.child("install").members)
	bunRunSettings.judge(r, root.child("run").members)
	for _, m := range root.child("install", "scopes").members {
		r.sets(m, true, namesRegistry)
	}
}
