package manifest

import "strings"

var uvSettings = settingsOf("indexurl defaultindex extraindexurl index findlinks pythoninstallmirror pypyinstallmirror pythondownloadsjsonurl", "",
	"allowinsecurehost keyringprovider indexstrategy proxy httpproxy httpsproxy")

// uv is uv.toml. "uv run" reads it; the tool commands (uvx) are documented to
// leave a project's settings alone, so for them it only warns.
func (r *resolverReader) uv(root node) {
	r.uvSettings(root)
}

// pyproject is the part of pyproject.toml that uv reads.
func (r *resolverReader) pyproject(root node) {
	r.uvSettings(root.child("tool", "uv"))
}

func (r *resolverReader) uvSettings(root node) {
	if r.mild = r.who != "uv run"; r.mild {
		defer func() { r.mild = false }()
	}
	uvSettings.judge(r, root.members)
	uvSettings.judge(r, root.child("pip").members)
	for _, m := range root.child("sources").members {
		for _, p := range r.c.Packages {
			if p.Ecosystem == "pypi" && foldName(p.Name) == foldName(m.name) {
				r.sets(m, true, namesPackage)
			}
		}
	}
}

var pipSettings = settingsOf("indexurl extraindexurl findlinks", "", "trustedhost proxy cert clientcert config noindex")

// pipConf is pip.conf. pip reads one in its environment's root, or where a
// variable points to it; in a repository it only warns.
func (r *resolverReader) pipConf(root node) {
	r.mild = true
	for _, section := range root.members {
		pipSettings.judge(r, section.value.members)
	}
	r.mild = false
}

// denoJSON is deno.json: what links or maps the package to another place.
func (r *resolverReader) denoJSON(root node) {
	for _, m := range root.members {
		switch m.name {
		case "links", "patch":
			r.sets(m, true, namesPackage)
		case "importMap", "scopes":
			r.sets(m, false, namesPackage)
		}
	}
	for _, m := range root.child("imports").members {
		for _, p := range r.c.Packages {
			if bare := strings.TrimPrefix(strings.TrimPrefix(m.name, "npm:"), "jsr:"); bare == p.Name || strings.HasPrefix(bare, p.Name+"@") || strings.HasPrefix(bare, p.Name+"/") {
				r.sets(m, true, namesPackage)
			}
		}
	}
}
