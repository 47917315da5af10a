package scanner

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolwarrant/toolwarrant/finding"
	"github.com/toolwarrant/toolwarrant/internal/manifest"
)

// treeOf makes a tree of texts.
func treeOf(files map[string]string) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// steeredScan scans one tree against another.
func steeredScan(t *testing.T, before, after fstest.MapFS) finding.Report {
	t.Helper()
	o := Options{Head: after, Date: exampleDay, Live: LiveNone, Anchor: Anchor{Kind: "base", FS: before, Change: true}}
	if before == nil {
		o.Anchor = Anchor{Kind: "none"}
	}
	r, err := Scan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSteered: for each format and kind of change the rules that fire, and the
// outcome; the same change the other way round takes away, and is at most a note.
func TestSteered(t *testing.T) {
	const (
		claude  = ".claude/settings.json"
		cursor  = ".cursor/hooks.json"
		codex   = ".codex/config.toml"
		codexH  = ".codex/hooks.json"
		copilot = ".github/hooks/a.json"
		gemini  = ".gemini/settings.json"
		skill   = "skills/a/SKILL.md"
	)
	hook := func(event, command string) string {
		return `{"hooks": {"` + event + `": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
	}
	const front = "---\nname: a\n"
	for _, c := range []struct {
		name, file, was, is string
		rules               []string
		outcome, back       finding.Outcome
	}{
		{"claude hook added", claude, `{}`, hook("SessionStart", "a"), []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"claude hook moved to another event", claude, hook("Stop", "a"), hook("SessionStart", "a"), []string{"project/command-added", "project/command-removed"}, finding.Escalation, finding.Escalation},
		{"claude hook changed", claude, hook("Stop", "a"), hook("Stop", "b"), []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"claude matcher widened", claude, `{"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"command": "a"}]}]}}`, `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "a"}]}]}}`, []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"claude order and space", claude, `{"a": 1, "hooks": {"Stop": [{"hooks": [{"command": "a", "type": "command"}, {"command": "b"}]}]}}`, "{\"hooks\":{\"Stop\":[\n{\"hooks\":[{\"command\":\"b\"},{\"type\":\"command\",\"command\":\"a\"}]}]}}", nil, finding.Clean, finding.Clean},
		{"claude helper", claude, `{}`, `{"apiKeyHelper": "./k"}`, []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"claude route", claude, `{"env": {"A": "1"}}`, `{"env": {"A": "2", "ANTHROPIC_BASE_URL": "https://x.example"}}`, []string{"project/environment-changed"}, finding.Escalation, finding.Clean},
		{"claude permission", claude, `{"permissions": {"allow": ["Read"]}}`, `{"permissions": {"allow": ["Read", "Bash(curl:*)"]}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"claude permission narrowed", claude, `{"permissions": {"allow": ["Bash"]}}`, `{"permissions": {"allow": ["Bash(git:*)"]}}`, nil, finding.Clean, finding.Escalation},
		{"claude prefix is no word", claude, `{"permissions": {"allow": ["Bash(git:*)"]}}`, `{"permissions": {"allow": ["Bash(gitevil)"]}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Escalation},
		{"claude refusal gone", claude, `{"permissions": {"deny": ["Read(.env)"]}}`, `{"permissions": {"deny": []}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"claude refusal widened", claude, `{"permissions": {"deny": ["Read(.env)"]}}`, `{"permissions": {"deny": ["Read"]}}`, nil, finding.Clean, finding.Escalation},
		{"claude second command behind a prefix", claude, `{"permissions": {"allow": ["Bash(git:*)"]}}`, `{"permissions": {"allow": ["Bash(git status && curl x)"]}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Escalation},
		{"claude hooks switched on", claude, `{"disableAllHooks": true, "hooks": {"Stop": [{"command": "a"}]}}`, `{"hooks": {"Stop": [{"command": "a"}]}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"claude variable of a hook", claude, `{"hooks": {"Stop": [{"command": "a", "env": {"name": "x"}}]}}`, `{"hooks": {"Stop": [{"command": "a", "env": {"name": "y"}}]}}`, []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"gemini hook switched on", gemini, `{"hooks": {"disabled": ["x"]}}`, `{"hooks": {"disabled": []}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"codex hooks switched on", codex, "[features]\nhooks = false", "", []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"claude larger than is read", claude, `{"a": "` + strings.Repeat("x", manifest.MaxSize) + `"}`, `{"a": "` + strings.Repeat("y", manifest.MaxSize) + `"}`, []string{"check/not-analysed"}, finding.Undetermined, finding.Undetermined},
		{"claude mode", claude, `{}`, `{"permissions": {"defaultMode": "bypassPermissions"}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"claude all servers", claude, `{}`, `{"enableAllProjectMcpServers": true}`, []string{"launch/auto-approval"}, finding.Escalation, finding.Clean},
		{"claude one server", claude, `{"enabledMcpjsonServers": ["a"]}`, `{"enabledMcpjsonServers": ["a", "b"]}`, []string{"launch/auto-approval"}, finding.Escalation, finding.Clean},
		{"claude broken", claude, hook("Stop", "a"), `{`, []string{"check/not-analysed"}, finding.Undetermined, finding.Escalation},
		{"cursor hook", cursor, `{"version": 1}`, `{"version": 1, "hooks": {"stop": [{"command": "a"}]}}`, []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"codex notify", codex, "model = 'm'", "model = 'm'\nnotify = ['a']", []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"codex notify changed", codex, "notify = ['a']", "notify = ['a', 'b']", []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"codex hook", codex, "", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'a'", []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"codex sandbox", codex, "sandbox_mode = 'read-only'", "sandbox_mode = 'danger-full-access'", []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"codex hooks file", codexH, hook("Stop", "a"), hook("Stop", "a; b"), []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"copilot shell of another system", copilot, `{"hooks": {"preToolUse": [{"bash": "a"}]}}`, `{"hooks": {"preToolUse": [{"bash": "a", "powershell": "b"}]}}`, []string{"project/command-changed"}, finding.Escalation, finding.Escalation},
		{"gemini discovery", gemini, `{}`, `{"tools": {"discoveryCommand": "a"}}`, []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"gemini hook", gemini, `{}`, hook("BeforeTool", "a"), []string{"project/command-added"}, finding.Escalation, finding.Clean},
		{"gemini tool", gemini, `{}`, `{"tools": {"allowed": ["run_shell_command"]}}`, []string{"project/permission-widened"}, finding.Escalation, finding.Clean},
		{"skill tools", skill, front + "allowed-tools: Read\n---\n", front + "allowed-tools: Read Bash\n---\n", []string{"skill/tools-widened", "skill/text-changed"}, finding.Escalation, finding.Clean},
		{"skill star", skill, front + "allowed-tools: Read\n---\n", front + "allowed-tools: ['*']\n---\n", []string{"skill/tools-widened", "skill/text-changed"}, finding.Escalation, finding.Clean},
		{"skill command at load", skill, front + "---\n", front + "---\n!`id`\n", []string{"project/command-added", "skill/text-changed"}, finding.Escalation, finding.Clean},
		{"skill hook", skill, front + "---\n", front + "hooks:\n  Stop:\n  - command: a\n---\n", []string{"project/command-added", "skill/text-changed"}, finding.Escalation, finding.Clean},
		{"skill alias", skill, front + "---\n", front + "x: &x [a]\nallowed-tools: *x\n---\n", []string{"check/not-analysed", "skill/text-changed"}, finding.Undetermined, finding.Clean},
		{"skill text", skill, front + "---\na", front + "---\nb", []string{"skill/text-changed"}, finding.Clean, finding.Clean},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := steeredScan(t, treeOf(map[string]string{c.file: c.was}), treeOf(map[string]string{c.file: c.is}))
			if diff := cmp.Diff(c.rules, idsOf(r.Findings)); diff != "" || r.Outcome != c.outcome {
				t.Errorf("%s (-want +got)\n%s%+v", r.Outcome, diff, r.Findings)
			}
			for _, f := range r.Findings {
				if f.Location.File != c.file || f.Location.Line < 1 || f.Fingerprint == "" {
					t.Errorf("no place or fingerprint: %+v", f)
				}
			}
			if back := steeredScan(t, treeOf(map[string]string{c.file: c.is}), treeOf(map[string]string{c.file: c.was})); back.Outcome != c.back {
				t.Errorf("the other way round: %s, want %s: %+v", back.Outcome, c.back, back.Findings)
			}
			for _, same := range []string{c.was, c.is} {
				tree := treeOf(map[string]string{c.file: same})
				if r := steeredScan(t, tree, tree); r.Outcome != finding.Clean {
					t.Errorf("without a change: %s %+v", r.Outcome, r.Findings)
				}
				if r := steeredScan(t, nil, tree); r.Outcome != finding.Clean || slices.ContainsFunc(r.Targets, func(t finding.Target) bool { return t.Status == finding.Verified }) {
					t.Errorf("without an anchor: %s %+v", r.Outcome, r.Targets)
				}
			}
		})
	}
}

// TestSteeredFiles: files that come, go and are left out.
func TestSteeredFiles(t *testing.T) {
	const file, run = ".claude/settings.json", `{"permissions": {"deny": ["Read"]}, "hooks": {"Stop": [{"command": "a"}]}}`
	with := treeOf(map[string]string{file: run})
	if r := steeredScan(t, treeOf(nil), with); r.Outcome != finding.Escalation || len(r.Targets) != 1 || r.Targets[0].Kind != manifest.Project || r.Targets[0].Status != finding.Escalated || len(r.Targets[0].Inventory) != 2 || len(r.Targets[0].Changes) != 1 {
		t.Errorf("added: %+v", r)
	}
	gone := steeredScan(t, with, treeOf(nil))
	if diff := cmp.Diff([]string{"project/permission-widened", "project/command-removed"}, idsOf(gone.Findings)); diff != "" || gone.Outcome != finding.Escalation {
		t.Errorf("removed: %s", diff)
	}
	policy := ".toolwarrant/policy.yaml"
	excluding := treeOf(map[string]string{policy: "exclude:\n- {glob: .claude/settings.json, reason: x}\n"})
	after := treeOf(map[string]string{policy: string(excluding[policy].Data), file: run})
	if r := steeredScan(t, excluding, after); r.Outcome != finding.Clean || len(r.Excluded) != 1 {
		t.Errorf("excluded: %+v", r)
	}
}

// TestSteeredIgnored: a finding that the policy names by its fingerprint does not
// count, and the same rule about another command does.
func TestSteeredIgnored(t *testing.T) {
	const file = ".cursor/hooks.json"
	hook := func(command string) string { return `{"hooks": {"stop": [{"command": "` + command + `"}]}}` }
	first := steeredScan(t, treeOf(nil), treeOf(map[string]string{file: hook("a")}))
	policy := "ignore:\n- {rule: project/command-added, target: '" + file + "@" + first.Findings[0].Fingerprint + "', reason: x, expires: 2099-01-01}\n"
	before := treeOf(map[string]string{".toolwarrant/policy.yaml": policy})
	for command, want := range map[string]finding.Outcome{"a": finding.Clean, "b": finding.Escalation} {
		r := steeredScan(t, before, treeOf(map[string]string{".toolwarrant/policy.yaml": policy, file: hook(command)}))
		if r.Outcome != want || (r.Targets[0].Status == finding.Verified) != (want == finding.Clean) {
			t.Errorf("%s: %s, %s %+v", command, r.Outcome, r.Targets[0].Status, r.Findings)
		}
	}
}

// TestSteeredSecret: another secret is another command, and neither is shown.
func TestSteeredSecret(t *testing.T) {
	const a, b = "ghp_" + "Zk3v9QpX7rT2mW8yB4nL6sD1fG5hJ0cVa1B2", "ghp_" + "Ak3v9QpX7rT2mW8yB4nL6sD1fG5hJ0cVa1B2"
	file := func(token string) fstest.MapFS {
		return treeOf(map[string]string{".claude/settings.json": `{"apiKeyHelper": "echo ` + token + `"}`})
	}
	r := steeredScan(t, file(a), file(b))
	if diff := cmp.Diff([]string{"project/command-changed"}, idsOf(r.Findings)); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{r.Findings[0].Message, r.Findings[0].Change.New, r.Findings[0].Change.Old, strings.Join(r.Targets[0].Inventory[0].Text, "")} {
		if strings.Contains(text, "ghp_") {
			t.Errorf("shows a secret: %s", text)
		}
	}
	if other := steeredScan(t, file(b), file(b)); other.Targets[0].Inventory[0].Digest != r.Targets[0].Inventory[0].Digest {
		t.Error("the digest differs")
	}
}
