package fetch

import (
	"fmt"
	"strings"
	"testing"
)

const projectManifest = `{"name": "own", "dependencies": {"a": "^1.0.0"}, "devDependencies": {"tool": "^1.0.0"}, "optionalDependencies": {"o": "1.0.0"}}`

// projectOf is the lock of a project with these entries beside a, and its root.
func projectOf(root, more string) string {
	integrity := "sha512-" + strings.Repeat("A", 86) + "=="
	return fmt.Sprintf(`{"name": "own", "lockfileVersion": 3, "requires": true, "packages": {"": %s, "node_modules/a": {"version": "1.2.0", "resolved": "https://elsewhere.example/a.tgz", "integrity": %q}%s}}`,
		root, integrity, strings.ReplaceAll(more, "SUM", integrity))
}

// TestParseProject: what a project needs to run is taken, and nothing that is not
// fixed.
func TestParseProject(t *testing.T) {
	const optional = `, "node_modules/o": {"version": "1.0.0", "integrity": "SUM", "optional": true, "os": ["none"]}`
	for name, c := range map[string]struct {
		lock, manifest string
		want           int
	}{
		"as it is":                {projectOf(projectManifest, optional), projectManifest, 2},
		"development left out":    {projectOf(projectManifest, optional+`, "node_modules/tool": {"version": "1.0.0", "dev": true, "link": true, "resolved": "tool"}`), projectManifest, 2},
		"another package.json":    {projectOf(projectManifest, optional), strings.Replace(projectManifest, "^1.0.0", "^1.1.0", 1), 0},
		"an optional one gone":    {projectOf(projectManifest, ""), projectManifest, 0},
		"a link":                  {projectOf(projectManifest, optional+`, "node_modules/b": {"link": true, "resolved": "packages/b"}`), projectManifest, 0},
		"workspaces":              {projectOf(strings.Replace(projectManifest, `"name"`, `"workspaces": ["x"], "name"`, 1), optional), projectManifest, 0},
		"a repository":            {projectOf(projectManifest, strings.Replace(optional, `"integrity"`, `"resolved": "git+ssh://h/o", "integrity"`, 1)), projectManifest, 0},
		"no digest":               {projectOf(projectManifest, strings.Replace(optional, `"integrity": "SUM", `, "", 1)), projectManifest, 0},
		"nobody asks for it":      {projectOf(projectManifest, optional+`, "node_modules/x": {"version": "1.0.0", "integrity": "SUM"}`), projectManifest, 0},
		"another version":         {strings.Replace(projectOf(projectManifest, optional), "1.2.0", "2.0.0", 1), projectManifest, 0},
		"an older form":           {strings.Replace(projectOf(projectManifest, optional), `Version": 3`, `Version": 2`, 1), projectManifest, 0},
		"a package.json no JSON":  {projectOf(projectManifest, optional), "x", 0},
		"a lock that is no JSON":  {"{", projectManifest, 0},
		"a lock without packages": {`{"lockfileVersion": 3}`, projectManifest, 0},
	} {
		tree, err := ParseProject([]byte(c.lock), []byte(c.manifest))
		if err != nil {
			tree = Tree{}
		}
		if len(tree.Packages) != c.want {
			t.Errorf("%s: %d packages, want %d: %v", name, len(tree.Packages), c.want, err)
		}
		for _, p := range tree.Packages {
			if p.resolved != "" {
				t.Errorf("%s: an address is followed", name)
			}
		}
	}
}

func FuzzParseProject(f *testing.F) {
	f.Add([]byte(projectOf(projectManifest, "")), []byte(projectManifest))
	f.Fuzz(func(t *testing.T, lock, manifest []byte) {
		tree, err := ParseProject(lock, manifest)
		if err != nil {
			return
		}
		for _, p := range tree.Packages {
			if p.Integrity == "" && !p.Bundled || p.resolved != "" {
				t.Errorf("%+v", p)
			}
		}
	})
}
