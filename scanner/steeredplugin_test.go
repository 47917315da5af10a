package scanner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
)

// TestSteeredPlugins: what a plugin's manifest newly runs is an escalation in every
// format that is read, and its own words are none.
func TestSteeredPlugins(t *testing.T) {
	const was = `{"name": "p", "mcpServers": {"s": {"command": "node"}}}`
	files := []string{".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json", "gemini-extension.json"}
	for _, c := range []struct {
		name, is string
		rules    []string
		outcome  finding.Outcome
	}{
		{"added", `{"name": "p", "mcpServers": {"s": {"command": "node"}, "t": {"command": "deno"}}}`, []string{"project/command-added"}, finding.Escalation},
		{"changed", `{"name": "p", "mcpServers": {"s": {"command": "sh"}}}`, []string{"project/command-changed"}, finding.Escalation},
		{"removed", `{"name": "p"}`, []string{"project/command-removed"}, finding.Clean},
		{"moved in the file", "{\"mcpServers\":\n{\"s\": {\"command\": \"node\"}}, \"name\": \"p\"}", nil, finding.Clean},
		{"another name", `{"name": "q", "mcpServers": {"s": {"command": "node"}}}`, nil, finding.Clean},
	} {
		for _, file := range files {
			t.Run(file+" "+c.name, func(t *testing.T) {
				r := steeredScan(t, treeOf(map[string]string{file: was}), treeOf(map[string]string{file: c.is}))
				if diff := cmp.Diff(c.rules, idsOf(r.Findings)); diff != "" || r.Outcome != c.outcome {
					t.Errorf("%s %s", r.Outcome, diff)
				}
			})
		}
	}
}
